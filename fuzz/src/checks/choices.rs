/// Bytes that are used up to decide things; zeros follow them.
pub struct Choices<'a> {
    rest: &'a [u8],
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn is_over(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.rest.split_first() else {
            return 0;
        };
        self.rest = rest;
        byte
    }

    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    /// Once in `n` times; never when the bytes are used up.
    pub fn one_in(&mut self, n: usize) -> bool {
        !self.is_over() && self.below(n) == n - 1
    }

    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A piece of the bytes themselves, as text.
    pub fn text(&mut self) -> String {
        let len = self.below(24).min(self.rest.len());
        let (text, rest) = self.rest.split_at(len);
        self.rest = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}

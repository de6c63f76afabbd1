//! Rectangles whose areas are in the ratio of numbers, as square as they can be.
//!
//! M. Bruls, K. Huizing, J. J. van Wijk: Squarified Treemaps. Data Visualization 2000, pages 33–42. The crates that have
//! this (`treemap`, `streemap`) have had no release since 2020; the first leaves the last number out of the sum.

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    /// Without a margin on each side, and without what is `above`.
    pub(super) fn inside(self, margin: f64, above: f64) -> Self {
        Self {
            x: self.x + margin,
            y: self.y + above,
            width: (self.width - 2.0 * margin).max(0.0),
            height: (self.height - margin - above).max(0.0),
        }
    }
}

/// A rectangle for each number. The numbers should fall: the order is kept.
pub(super) fn squarified(numbers: &[u64], within: Rect) -> Vec<Rect> {
    let total: f64 = numbers.iter().map(|&number| number as f64).sum();
    let mut rects = Vec::with_capacity(numbers.len());
    let scale = within.width * within.height / total;
    if scale.is_finite() && scale > 0.0 {
        let areas: Vec<f64> = numbers
            .iter()
            .map(|&number| number as f64 * scale)
            .collect();
        let (mut left, mut rest) = (within, areas.as_slice());
        while !rest.is_empty() {
            let (row, behind) = rest.split_at(row_length(rest, left.width.min(left.height)));
            left = laid_out(row, left, &mut rects);
            rest = behind;
        }
    }
    // Without weights, or without room.
    rects.resize(numbers.len(), Rect::default());
    rects
}

/// How many of the areas make a row along that side, whose worst rectangle is as square as possible.
fn row_length(areas: &[f64], side: f64) -> usize {
    let mut best = f64::INFINITY;
    let (mut sum, mut smallest, mut largest) = (0.0, f64::INFINITY, 0.0_f64);
    for (index, &area) in areas.iter().enumerate() {
        sum += area;
        smallest = smallest.min(area);
        largest = largest.max(area);
        let square = side * side;
        let worst = (square * largest / (sum * sum)).max(sum * sum / (square * smallest));
        if worst > best {
            return index;
        }
        best = worst;
    }
    areas.len()
}

/// Puts a row along the shorter side, and returns what is left of the room.
fn laid_out(row: &[f64], room: Rect, rects: &mut Vec<Rect>) -> Rect {
    let sum: f64 = row.iter().sum();
    let is_column = room.width >= room.height;
    let side = if is_column { room.height } else { room.width };
    let depth = if side > 0.0 { sum / side } else { 0.0 };
    let mut along = 0.0;
    for &area in row {
        let length = if depth > 0.0 { area / depth } else { 0.0 };
        rects.push(if is_column {
            Rect {
                x: room.x,
                y: room.y + along,
                width: depth,
                height: length,
            }
        } else {
            Rect {
                x: room.x + along,
                y: room.y,
                width: length,
                height: depth,
            }
        });
        along += length;
    }
    if is_column {
        Rect {
            x: room.x + depth,
            width: (room.width - depth).max(0.0),
            ..room
        }
    } else {
        Rect {
            y: room.y + depth,
            height: (room.height - depth).max(0.0),
            ..room
        }
    }
}

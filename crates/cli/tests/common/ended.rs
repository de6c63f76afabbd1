//! Runs programs that must end, and kills them if they hang.

use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// Waits for the end of a program that needs less than a minute.
pub fn ended(child: &mut Child) -> ExitStatus {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        let hangs = Instant::now() > end;
        if hangs {
            child.kill().unwrap();
        }
        assert!(!hangs, "it hangs");
        thread::sleep(Duration::from_millis(10));
    }
}

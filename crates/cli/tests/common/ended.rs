//! Runs programs that must end, and kills them if they hang.

use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// Sends this signal, such as `INT`.
#[allow(dead_code, reason = "not each test binary kills")]
pub fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
}

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

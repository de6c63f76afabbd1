//! Chromium without a window, driven by its own protocol over a pipe.
//!
//! See <https://chromedevtools.github.io/devtools-protocol/>: a command is a JSON object with a number, the answer has
//! the same number, all else are events. A zero byte ends each.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use tempfile::TempDir;

/// For an answer, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// On standard error, which is shown of a test that succeeds, too.
pub(super) fn aloud(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

pub(super) struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    number: u64,
    session: Option<String>,
    /// Since the page was opened.
    pub(super) events: Vec<Value>,
    _profile: TempDir,
}

impl Browser {
    /// Returns `None`, with a note, if there is no Chromium.
    pub(super) fn start() -> Option<Self> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
        let Some(chromium) = names.into_iter().find(is_there) else {
            aloud("!! there is no Chromium: the page of a report was NOT opened");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        // It reads commands from 3 and writes to 4.
        let mut process = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#, "sh"])
            .arg(chromium)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
            ])
            .args(["--no-first-run", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let commands = process.stdin.take().unwrap();
        let mut out = BufReader::new(process.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut message = Vec::new();
            while out.read_until(0, &mut message).is_ok_and(|count| count > 0) {
                message.pop();
                let _ = sender.send(serde_json::from_slice(&message).unwrap());
                message.clear();
            }
        });
        let mut browser = Self {
            process,
            commands,
            messages,
            number: 0,
            session: None,
            events: Vec::new(),
            _profile: profile,
        };
        let target = browser.tell("Target.createTarget", json!({"url": "about:blank"}));
        let attached = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.tell("Target.attachToTarget", attached);
        browser.session = Some(session["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.tell(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    pub(super) fn tell(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut command = json!({"id": self.number, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        write!(self.commands, "{command}\0").unwrap();
        self.commands.flush().unwrap();
        loop {
            let mut message = self.next();
            if message["id"] == self.number {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
        }
    }

    fn next(&mut self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE);
        let message = message.expect("Chromium has ended, or does not answer");
        if message.get("id").is_none() {
            self.events.push(message.clone());
        }
        message
    }

    /// Opens a page in a window of that width.
    pub(super) fn open(&mut self, page: &Path, width: u32, is_dark: bool, has_script: bool) {
        self.tell(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}),
        );
        let scheme = if is_dark { "dark" } else { "light" };
        let feature = json!({"name": "prefers-color-scheme", "value": scheme});
        self.tell("Emulation.setEmulatedMedia", json!({"features": [feature]}));
        self.tell(
            "Emulation.setScriptExecutionDisabled",
            json!({"value": !has_script}),
        );
        self.events.clear();
        let url = format!("file://{}", page.display());
        self.tell("Page.navigate", json!({"url": url}));
        let is_loaded = |event: &Value| event["method"] == "Page.loadEventFired";
        while !self.events.iter().any(is_loaded) {
            self.next();
        }
    }

    /// The value of an expression in the page.
    pub(super) fn value(&mut self, script: &str) -> Value {
        let parameters = json!({"expression": script, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.tell("Runtime.evaluate", parameters);
        let is_well = answer.get("exceptionDetails").is_none();
        assert!(is_well, "{script}: {answer}");
        answer["result"]["value"].take()
    }

    /// Asserts the value of an expression in the page.
    #[track_caller]
    pub(super) fn finds(&mut self, script: &str, expected: impl Into<Value>) {
        assert_eq!(self.value(script), expected.into(), "{script}");
    }

    /// Asserts the number of elements that match a selector.
    #[track_caller]
    pub(super) fn has(&mut self, count: usize, selector: &str) {
        let script = format!("document.querySelectorAll(\"{selector}\").length");
        self.finds(&script, count);
    }

    /// Presses a key, like a user.
    pub(super) fn press(&mut self, key: &str, code: u32) {
        for kind in ["rawKeyDown", "char", "keyUp"] {
            let text = if key == "Enter" { "\r" } else { "" };
            if kind == "char" && text.is_empty() {
                continue;
            }
            let event = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text});
            self.tell("Input.dispatchKeyEvent", event);
        }
    }

    pub(super) fn parameters(&self, method: &str) -> Vec<&Value> {
        let events = self.events.iter().filter(|event| event["method"] == method);
        events.map(|event| &event["params"]).collect()
    }

    /// A picture of the entire page.
    pub(super) fn picture(&mut self) -> Vec<u8> {
        let picture = json!({"format": "png", "captureBeyondViewport": true});
        let size = self.tell("Page.getLayoutMetrics", json!({}))["cssContentSize"].take();
        let clip =
            json!({"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1});
        let mut parameters = picture;
        parameters["clip"] = clip;
        let picture = self.tell("Page.captureScreenshot", parameters);
        BASE64_STANDARD
            .decode(picture["data"].as_str().unwrap())
            .unwrap()
    }

    pub(super) fn print(&mut self) -> Vec<u8> {
        let printed = self.tell(
            "Page.printToPDF",
            json!({"printBackground": true, "paperWidth": 8.27, "paperHeight": 11.69}),
        );
        BASE64_STANDARD
            .decode(printed["data"].as_str().unwrap())
            .unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        let _ = write!(
            self.commands,
            "{}\0",
            json!({"id": 0, "method": "Browser.close"})
        );
        let _ = self.commands.flush();
        let _ = self.process.wait();
    }
}

//! A headless Chromium, driven by the DevTools protocol over pipes.
//!
//! With `--remote-debugging-pipe` Chromium reads commands from descriptor 3 and answers
//! on descriptor 4, each message JSON and a NUL. A shell puts our pipes there.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ARGUMENTS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--remote-debugging-pipe",
];
const PATIENCE: Duration = Duration::from_secs(60);

/// The address of a file.
pub fn url_of(file: &Path) -> String {
    format!("file://{}", file.display())
}

/// A browser; it ends when this is dropped.
#[derive(Debug)]
pub struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    next: u64,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser, if one is installed.
    pub fn start() -> Option<Self> {
        let program = NAMES.into_iter().find(|name| is_installed(name))?;
        let profile = TempDir::new().expect("a folder");
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null", program])
            .args(ARGUMENTS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let commands = process.stdin.take().expect("a pipe");
        let mut answers = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut message = Vec::new();
            while answers.read_until(0, &mut message).is_ok_and(|count| count > 0) {
                let json = message.strip_suffix(&[0]).unwrap_or(&message);
                let is_heard =
                    serde_json::from_slice(json).is_ok_and(|json| sender.send(json).is_ok());
                if !is_heard {
                    break;
                }
                message.clear();
            }
        });
        Some(Self { process, commands, messages, next: 0, _profile: profile })
    }

    /// Opens a page in a window of this size and waits until it is loaded.
    pub fn open(&mut self, url: &str, (width, height): (u32, u32)) -> Page<'_> {
        let target = self.call(None, "Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.call(None, "Target.attachToTarget", attach);
        let session = session["sessionId"].as_str().expect("a session").to_owned();
        let mut page = Page { browser: self, session };
        page.resize(width, height, false);
        page.load(url);
        page
    }

    fn call(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method });
        message["params"] = params;
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        self.commands.write_all(format!("{message}\0").as_bytes()).expect("a listening browser");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut answer = self.messages.recv_timeout(left).expect("an answer in time");
            if answer["id"] == self.next {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].take();
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let bye = json!({ "id": self.next + 1, "method": "Browser.close" });
        let is_told = self.commands.write_all(format!("{bye}\0").as_bytes()).is_ok();
        let deadline = Instant::now() + Duration::from_secs(10);
        while is_told && Instant::now() < deadline {
            if let Ok(Some(_)) = self.process.try_wait() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn is_installed(program: &str) -> bool {
    let version = Command::new(program).arg("--version").output();
    version.is_ok_and(|output| output.status.success())
}

/// A page of a browser.
#[derive(Debug)]
pub struct Page<'a> {
    browser: &'a mut Browser,
    session: String,
}

impl Page<'_> {
    /// Sends a command of the protocol.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.browser.call(Some(&self.session), method, params)
    }

    /// Loads a page and waits until it is loaded.
    pub fn load(&mut self, url: &str) {
        self.call("Page.navigate", json!({ "url": url }));
        self.wait_for(&format!(
            "document.readyState === 'complete' && location.href === new URL({}).href",
            json!(url)
        ));
    }

    /// The value of an expression.
    pub fn value(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut result = self.call("Runtime.evaluate", params);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].take()
    }

    /// The value of an expression that is a string.
    pub fn text(&mut self, expression: &str) -> String {
        self.value(expression).as_str().expect("a string").to_owned()
    }

    /// Waits until an expression is true.
    pub fn wait_for(&mut self, expression: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.value(expression) != json!(true) {
            assert!(Instant::now() < deadline, "timed out waiting for {expression}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sets the size of the window, or of a phone.
    pub fn resize(&mut self, width: u32, height: u32, is_phone: bool) {
        let scale = if is_phone { 2 } else { 1 };
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_phone });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": is_phone }));
    }

    /// The middle of an element, scrolled into view.
    pub fn place_of(&mut self, element: &str) -> (f64, f64) {
        let place = self.value(&format!(
            "(() => {{ const e = {element}; e.scrollIntoView({{ block: 'center' }}); \
             const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        ));
        (place[0].as_f64().expect("a number"), place[1].as_f64().expect("a number"))
    }

    /// Moves the pointer onto an element.
    pub fn hover(&mut self, element: &str) {
        let (x, y) = self.place_of(element);
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y }));
    }

    /// Clicks an element.
    pub fn click(&mut self, element: &str) {
        let (x, y) = self.place_of(element);
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Touches an element.
    pub fn tap(&mut self, element: &str) {
        let (x, y) = self.place_of(element);
        let begin = json!({ "type": "touchStart", "touchPoints": [{ "x": x, "y": y }] });
        self.call("Input.dispatchTouchEvent", begin);
        self.call("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        let (text, code) = match key {
            "Enter" => ("\r", 13),
            "Escape" => ("", 27),
            "ArrowRight" => ("", 39),
            _ => panic!("unknown key {key}"),
        };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// A picture of the whole page, or of the window.
    pub fn screenshot(&mut self, is_whole: bool) -> Vec<u8> {
        let params = json!({ "format": "png", "captureBeyondViewport": is_whole });
        let picture = self.call("Page.captureScreenshot", params);
        from_base64(picture["data"].as_str().expect("a picture"))
    }

    /// The page as printed.
    pub fn pdf(&mut self) -> Vec<u8> {
        let paper = self.call("Page.printToPDF", json!({ "printBackground": false }));
        from_base64(paper["data"].as_str().expect("a document"))
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.call("Page.close", json!({}));
        }
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    STANDARD.decode(text).expect("base64")
}

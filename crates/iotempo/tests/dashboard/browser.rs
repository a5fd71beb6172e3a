//! A browser that is driven: the DevTools protocol over a pipe, JSON messages that end in a zero byte.

use crate::chromium::Chromium;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long anything may take on a slow machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    events: Vec<Value>,
    sent: u64,
    session: Option<String>,
    _profile: TempDir,
}

impl Browser {
    pub(crate) fn start(chromium: &Chromium) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut command = chromium.driven(&profile);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = piped.stderr(Stdio::null()).spawn().unwrap();
        let (sender, messages) = channel();
        let answers = BufReader::new(process.stdout.take().unwrap());
        std::thread::spawn(move || {
            let whole = answers.split(0).map_while(Result::ok);
            let mut parsed = whole.map(|bytes| serde_json::from_slice(&bytes).unwrap());
            while let Some(Ok(())) = parsed.next().map(|message| sender.send(message)) {}
        });
        let mut browser = Self {
            commands: process.stdin.take().unwrap(),
            process,
            messages,
            events: Vec::new(),
            sent: 0,
            session: None,
            _profile: profile,
        };
        browser.attach();
        browser
    }

    fn attach(&mut self) {
        let page = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = self.call("Target.attachToTarget", target);
        self.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.sent += 1;
        let mut command = json!({ "id": self.sent, "method": method, "params": params });
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        let mut bytes = command.to_string().into_bytes();
        bytes.push(0);
        self.commands.write_all(&bytes).unwrap();
        loop {
            let mut message = self.next(method);
            if message["id"] == self.sent {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].take();
            }
            self.events.push(message);
        }
    }

    fn next(&self, awaited: &str) -> Value {
        let message = self.messages.recv_timeout(PATIENCE);
        message.unwrap_or_else(|error| panic!("{awaited}: {error}"))
    }

    /// Goes to an address, and waits until the page is there.
    pub(crate) fn open(&mut self, address: &str) {
        let before = self.events.len();
        self.call("Page.navigate", json!({ "url": address }));
        let loaded = |event: &Value| event["method"] == "Page.loadEventFired";
        while !self.events[before..].iter().any(loaded) {
            let event = self.next("a page");
            self.events.push(event);
        }
    }

    /// As wide as this, and dark or light.
    pub(crate) fn look_like(&mut self, width: u32, scheme: &str) {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": [feature] }),
        );
    }

    /// What a script in the page says.
    pub(crate) fn asked(&mut self, script: &str) -> Value {
        let said = self.evaluated(script);
        said.unwrap_or_else(|thrown| panic!("{script}: {thrown}"))
    }

    /// What a script in the page says, or what it throws.
    fn evaluated(&mut self, script: &str) -> Result<Value, Value> {
        let words = json!({ "expression": script, "returnByValue": true, "awaitPromise": true, "silent": true });
        let mut said = self.call("Runtime.evaluate", words);
        match said["exceptionDetails"].take() {
            Value::Null => Ok(said["result"]["value"].take()),
            thrown => Err(thrown),
        }
    }

    /// Waits until a script says something that is neither false nor empty. What it looks for may not be
    /// there yet, or be gone for a moment: a script that throws has nothing to say so far.
    pub(crate) fn until(&mut self, script: &str) -> Value {
        let since = Instant::now();
        loop {
            let said = self.evaluated(script);
            let nothing =
                |said: &Value| matches!(said, Value::Null | Value::Bool(false)) || said == "";
            match said {
                Ok(said) if !nothing(&said) => return said,
                said => assert!(
                    since.elapsed() < PATIENCE,
                    "never: {script}: {said:?}\n{}",
                    self.page()
                ),
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// All text on the page, for whoever wonders what went wrong.
    fn page(&mut self) -> String {
        let text = self.asked("document.body.innerText");
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Presses keys, one after the other, as a person does.
    pub(crate) fn keys(&mut self, names: &[&str]) {
        for name in names {
            let text = match *name {
                "Enter" => "\r",
                one if one.chars().count() == 1 => one,
                _ => "",
            };
            let code = match *name {
                "Enter" => 13,
                "Escape" => 27,
                "ArrowUp" => 38,
                "ArrowDown" => 40,
                "ArrowLeft" => 37,
                _ => 0,
            };
            for kind in ["keyDown", "keyUp"] {
                let typed = if kind == "keyDown" { text } else { "" };
                let key = json!({ "type": kind, "key": name, "text": typed, "windowsVirtualKeyCode": code });
                self.call("Input.dispatchKeyEvent", key);
            }
        }
    }

    pub(crate) fn types(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// What the browser has complained about: errors, warnings, and whatever the page logs.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        self.asked("0");
        let kinds = [
            "Runtime.exceptionThrown",
            "Runtime.consoleAPICalled",
            "Log.entryAdded",
        ];
        let about = self.events.iter();
        let about = about.filter(|event| kinds.iter().any(|kind| event["method"] == *kind));
        about.map(|event| event["params"].to_string()).collect()
    }

    /// Every address that was asked for.
    pub(crate) fn addresses(&mut self) -> Vec<String> {
        self.asked("0");
        let requests = self.events.iter();
        let requests = requests.filter(|event| event["method"] == "Network.requestWillBeSent");
        let urls = requests.map(|event| event["params"]["request"]["url"].as_str().unwrap());
        urls.map(str::to_owned).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

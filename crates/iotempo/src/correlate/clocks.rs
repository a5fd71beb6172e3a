//! Servers whose clocks are listened to while their logs are read.

use iotempo_analysis::correlate::ServerClocks;
use iotempo_model::{Moved, Target, TargetId, TargetKind, ThroughputSink};
use std::io;

/// Passes on what a log says, and notes which server said it.
pub(super) struct Listening<'a, S> {
    sink: S,
    clocks: &'a mut ServerClocks,
    log: &'a str,
    /// By target: its server, where it has a clock.
    servers: Vec<Option<usize>>,
}

impl<'a, S> Listening<'a, S> {
    pub(super) fn new(sink: S, clocks: &'a mut ServerClocks, log: &'a str) -> Self {
        Self {
            sink,
            clocks,
            log,
            servers: Vec::new(),
        }
    }
}

impl<S: ThroughputSink> ThroughputSink for Listening<'_, S> {
    fn target(&mut self, target: &Target) -> TargetId {
        let id = self.sink.target(target);
        let place = id.0 as usize;
        if self.servers.len() <= place {
            self.servers.resize(place + 1, None);
        }
        // What clients, users and jobs did need not resemble what others did.
        let alone = matches!(
            target.kind,
            TargetKind::Client | TargetKind::User | TargetKind::Job
        );
        self.servers[place] = (!alone).then(|| match target.server.as_str() {
            "" => self.clocks.server(self.log, false),
            server => self.clocks.server(server, true),
        });
        id
    }

    fn passed_over(&mut self, target: &Target) {
        self.sink.passed_over(target);
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        let server = self.servers.get(moved.target.0 as usize).copied().flatten();
        if let Some(server) = server {
            let when = (moved.when.start().get(), moved.when.end().get());
            self.clocks.hear(server, when, moved.bytes.get());
        }
        self.sink.moved(moved)
    }
}

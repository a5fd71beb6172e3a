//! A stretch of the past that a real Prometheus remembers of this test.
#![allow(clippy::unwrap_used, clippy::print_stderr)]
#![cfg(target_os = "linux")]

#[path = "../../iotempo/tests/common/prometheus.rs"]
mod prometheus_server;

use iotempo_formats::server::{Options, Reading};
use iotempo_live::{RangeQuery, read_range};
use iotempo_model::{Moved, Op, Target, TargetId, ThroughputSink};
use prometheus_server::{Server, program};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the exporter shows: bytes of two disks, and a partition of one of them.
#[derive(Default)]
struct Shown {
    sda: AtomicU64,
    sdb: AtomicU64,
    scrapes: AtomicU64,
}

impl Shown {
    fn text(&self) -> String {
        let (sda, sdb) = (
            self.sda.load(Ordering::SeqCst),
            self.sdb.load(Ordering::SeqCst),
        );
        format!(
            "# TYPE node_disk_read_bytes_total counter\n\
             node_disk_read_bytes_total{{device=\"sda\"}} {sda}\n\
             node_disk_read_bytes_total{{device=\"sda1\"}} {sda}\n\
             # TYPE node_disk_written_bytes_total counter\n\
             node_disk_written_bytes_total{{device=\"sda\"}} 7\n\
             node_disk_written_bytes_total{{device=\"sdb\"}} {sdb}\n\
             # TYPE node_disk_reads_completed_total counter\n\
             node_disk_reads_completed_total{{device=\"sda\"}} {sda}\n"
        )
    }

    /// Answers whoever scrapes, and gives the port.
    fn serve(self: &Arc<Self>) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shown = Arc::clone(self);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let shown = Arc::clone(&shown);
                std::thread::spawn(move || shown.answer(stream.unwrap()));
            }
        });
        port
    }

    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut heard = Vec::new();
        loop {
            let mut byte = [0];
            stream.read_exact(&mut byte)?;
            heard.push(byte[0]);
            if heard.ends_with(b"\r\n\r\n") {
                heard.clear();
                let body = self.text();
                let length = body.len();
                write!(
                    stream,
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n\
                     Content-Length: {length}\r\n\r\n{body}"
                )?;
                self.scrapes.fetch_add(1, Ordering::SeqCst);
            }
        }
    }

    /// Waits until what is shown was scraped.
    fn wait_for_scrapes(&self) {
        let begun = self.scrapes.load(Ordering::SeqCst);
        let end = Instant::now() + PATIENCE;
        while self.scrapes.load(Ordering::SeqCst) < begun + 2 {
            assert!(Instant::now() < end, "nobody scrapes");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Bytes by target and direction.
#[derive(Default)]
struct Sums {
    targets: Vec<String>,
    bytes: BTreeMap<(String, bool), f64>,
}

impl ThroughputSink for Sums {
    fn target(&mut self, target: &Target) -> TargetId {
        self.targets.push(target.name.clone());
        TargetId(u32::try_from(self.targets.len() - 1).unwrap())
    }

    fn moved(&mut self, moved: Moved) -> std::io::Result<()> {
        let name = self.targets[moved.target.0 as usize].clone();
        *self.bytes.entry((name, moved.op == Op::Write)).or_default() += moved.bytes.get();
        Ok(())
    }
}

fn now_s() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs_f64()
}

fn asked(query: &RangeQuery) -> Result<(Reading, Sums), String> {
    let mut sums = Sums::default();
    let reading = read_range(query, &Options::default(), &mut sums);
    reading
        .map(|reading| (reading, sums))
        .map_err(|error| error.to_string())
}

#[test]
fn a_range_of_prometheus_holds_the_bytes_that_an_exporter_counted() {
    let Some(program) = program() else {
        eprintln!(
            "SKIPPED a_range_of_prometheus_holds_the_bytes_that_an_exporter_counted: there is no \
             prometheus (scripts/setup.sh unpacks it)"
        );
        return;
    };
    let shown = Arc::new(Shown::default());
    shown.sda.store(1_000_000_007, Ordering::SeqCst);
    let folder = tempfile::tempdir().unwrap();
    let server = Server::new(&program, folder.path(), shown.serve());
    shown.wait_for_scrapes();
    let start = now_s();
    for burst in 1..=4 {
        shown.sda.fetch_add(burst * 1_000_000, Ordering::SeqCst);
        shown.sdb.fetch_add(burst * 3, Ordering::SeqCst);
        shown.wait_for_scrapes();
    }
    // Steps of a millisecond over more than 11 s: more than Prometheus answers at once.
    let mut query = RangeQuery {
        url: server.url.clone(),
        expression: "{__name__=~\"node_disk_.*\"}".to_owned(),
        range_s: [start, start + 11.5],
        step: Duration::from_millis(1),
    };
    let expected = BTreeMap::from([
        (("sda".to_owned(), false), 10_000_000.0),
        (("sda".to_owned(), true), 0.0),
        (("sdb".to_owned(), true), 30.0),
    ]);
    let end = Instant::now() + PATIENCE;
    let (reading, sums) = loop {
        let (reading, sums) = asked(&query).unwrap();
        // Up to now; of what lies ahead, Prometheus says what it saw last.
        if sums.bytes == expected || Instant::now() > end {
            break (reading, sums);
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(sums.bytes, expected);
    assert_eq!(reading.bytes, [10_000_000.0, 30.0]);
    assert!(reading.samples > 3 * 11_000, "{}", reading.samples);
    let codes: Vec<_> = reading
        .warnings
        .iter()
        .map(|one| one.code.as_ref())
        .collect();
    assert_eq!(codes, ["left-out"], "sda1 lies on sda");

    query.expression = "rate(".to_owned();
    let said = asked(&query).err().unwrap();
    assert!(said.contains("parse error"), "{said}");
    query.expression = "nobody_counts_this".to_owned();
    let said = asked(&query).err().unwrap();
    assert!(said.contains("no series in it"), "{said}");
}

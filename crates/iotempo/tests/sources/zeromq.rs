//! Messages that the real ZeroMQ sends, as TMIO does: a context and a PUSH socket for each flush.

use crate::common::Place;
use crate::running::Running;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

/// Flushes of TMIO, each with a phase of a second, ten seconds after the one before.
const SENDER: &str = r#"
import sys, msgpack, zmq
for flush in range(12):
    start = 10.0 * flush
    phase = [5000, start, start + 1.0, 0.0, 5000.0, 5000.0, 0.0, 0.0, 1]
    stat = lambda name, phases: [name, "async" in name, "write" in name, 5000 * len(phases), 5000, 5000,
                                 1, len(phases), 1, 1, len(phases), 1, 1, phases]
    items = [stat("read_async", []), stat("read_sync", []), stat("write_async", []),
             stat("write_sync", [phase]), ["io_time"] + [0.0] * 18]
    with zmq.Context() as context, context.socket(zmq.PUSH) as socket:
        socket.connect("tcp://127.0.0.1:" + sys.argv[1])
        socket.send(b"".join(msgpack.packb(item) for item in items))
"#;

#[test]
fn messages_of_zeromq_are_followed_and_others_are_cut_off() {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/python");
    let mut check = Command::new(&python);
    let found = check.args(["-c", "import msgpack, zmq"]).output();
    if !found.is_ok_and(|ran| ran.status.success()) {
        eprintln!(
            "SKIPPED messages_of_zeromq_are_followed_and_others_are_cut_off: no Python with pyzmq \
             (scripts/setup.sh installs it)"
        );
        return;
    }
    let place = Place::new();
    let mut running = Running::new(&place, &["zmq://:0", "--every", "20ms"]);
    let port = running.port();
    let mut other = TcpStream::connect(("127.0.0.1", port)).unwrap();
    other.write_all(&[b'x'; 64]).unwrap();
    running.wait_for("ZMTP");
    let mut sender = Command::new(&python);
    let sent = sender
        .args(["-c", SENDER, &port.to_string()])
        .output()
        .unwrap();
    assert!(sent.status.success(), "{sent:?}");
    let line = running.wait_for_period_of(10.0, 0.05);
    let bytes = line["next_bytes"].as_f64().unwrap();
    assert!((bytes / 5000.0 - 1.0).abs() < 0.01, "{line}");
}

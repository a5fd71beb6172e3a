//! Lines to other programs.

use crate::common::Place;
use crate::running::{PATIENCE, Running};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::Command;
use std::time::{Duration, Instant};

/// Whoever connects, within patience.
fn accepted<T>(accept: impl Fn() -> std::io::Result<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        match accept() {
            Ok(accepted) => return accepted,
            Err(error) if error.kind() == ErrorKind::WouldBlock && Instant::now() < end => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(error) => panic!("nobody connects: {error}"),
        }
    }
}

/// Twelve phases, ten seconds apart, as JSON lines.
fn requests() -> String {
    (0..12).map(|phase| line(10 * phase)).collect()
}

fn line(start: i32) -> String {
    let end = start + 1;
    format!("{{\"op\":\"write\",\"start\":{start},\"end\":{end},\"bytes\":5000}}\n")
}

const EVERY: [&str; 2] = ["--every", "20ms"];

#[test]
fn writers_connect_by_tcp_and_one_that_sends_rubbish_is_cut_off() {
    let place = Place::new();
    let mut running = Running::new(&place, &[&["tcp-listen://:0"], &EVERY[..]].concat());
    let port = running.port();
    let connect = || TcpStream::connect(("127.0.0.1", port)).unwrap();
    let (mut good, mut bad) = (connect(), connect());
    bad.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let cut = running.wait_for("cut off");
    let peer = bad.local_addr().unwrap().to_string();
    assert!(
        cut.contains(&peer) && cut.contains("after 18 bytes"),
        "{cut}"
    );
    // It notices.
    bad.set_read_timeout(Some(PATIENCE)).unwrap();
    assert!(matches!(bad.read(&mut [0]), Ok(0) | Err(_)));
    // A line in two parts, and the other goes on.
    let requests = requests();
    let (head, tail) = requests.as_bytes().split_at(200);
    good.write_all(head).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    good.write_all(tail).unwrap();
    running.wait_for_period_of(10.0, 0.05);
    good.write_all(b"{\"op\":").unwrap();
    drop(good);
    running.wait_for("6 bytes are lost");
}

#[test]
fn several_writers_of_tables_are_one_job() {
    let place = Place::new();
    let mut running = Running::new(&place, &[&["tcp-listen://:0"], &EVERY[..]].concat());
    let port = running.port();
    let connect = |_| TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut writers = [0, 1].map(connect);
    for writer in &mut writers {
        writer.write_all(b"op,start,end,bytes\n").unwrap();
    }
    for phase in 0..12 {
        let start = 10 * phase;
        let row = format!("write,{start},{},5000\n", start + 1);
        writers[phase % 2].write_all(row.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(50));
    }
    running.wait_for_period_of(10.0, 0.05);
    drop(writers);
    running.wait_for("has closed");
}

#[test]
fn a_server_that_comes_late_and_goes_is_connected_to_again() {
    let place = Place::new();
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let word = format!("tcp://{address}");
    let mut running = Running::new(&place, &[&[word.as_str()], &EVERY[..]].concat());
    running.wait_for("cannot connect");
    let listener = TcpListener::bind(address).unwrap();
    listener.set_nonblocking(true).unwrap();
    let requests = requests();
    // A line that breaks off is lost.
    let half = requests[..requests.len() / 2].rfind('\n').unwrap() + 1;
    let (first, second) = requests.split_at(half);
    for part in [first, second] {
        let (mut stream, _) = accepted(|| listener.accept());
        stream.set_nonblocking(false).unwrap();
        stream.write_all(part.as_bytes()).unwrap();
        // What is said about the second may come before or behind what is found in it.
        if part == first {
            running.wait_for("is connected");
        }
    }
    running.wait_for_period_of(10.0, 0.05);
}

#[test]
fn a_socket_of_the_file_system_is_private_and_removed() {
    let place = Place::new();
    let path = place.path("job.socket");
    // One that a killed program left.
    drop(UnixListener::bind(&path).unwrap());
    let word = format!("unix-listen://{}", path.display());
    let mut running = Running::new(&place, &[&[word.as_str()], &EVERY[..]].concat());
    running.wait_for("listening at ");
    let mode = path.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut stream = UnixStream::connect(&path).unwrap();
    stream.write_all(requests().as_bytes()).unwrap();
    running.wait_for_period_of(10.0, 0.05);
    let refused = place.run(&["predict", &word]).code(1);
    assert!(refused.err.contains("another program"), "{}", refused.err);
    let pid = running.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    let end = running.child.wait().unwrap();
    assert_eq!(
        std::os::unix::process::ExitStatusExt::signal(&end),
        Some(15)
    );
    assert!(!path.exists());
}

#[test]
fn a_socket_of_another_program_is_read_and_left_where_it_is() {
    let place = Place::new();
    let path = place.path("job.socket");
    let listener = UnixListener::bind(&path).unwrap();
    listener.set_nonblocking(true).unwrap();
    let word = format!("unix://{}", path.display());
    let words = [&[word.as_str(), "--until-idle", "2s"], &EVERY[..]].concat();
    let mut running = Running::new(&place, &words);
    let (mut stream, _) = accepted(|| listener.accept());
    stream.set_nonblocking(false).unwrap();
    stream.write_all(requests().as_bytes()).unwrap();
    running.wait_for_period_of(10.0, 0.05);
    assert!(running.child.wait().unwrap().success());
    assert!(path.exists());
}

#[test]
fn what_begins_like_an_address_and_is_none_is_refused() {
    let place = Place::new();
    for wrong in ["tcp://node1", "unix://job"] {
        let refused = place.run(&["predict", wrong]).code(1);
        assert!(refused.err.contains(wrong), "{}", refused.err);
    }
    let refused = place.run(&["predict", "http://localhost:9090"]).code(2);
    assert!(refused.err.contains("--prometheus"), "{}", refused.err);
    let words = ["predict", "--prometheus", "https://node1", "--query", "x"];
    let refused = place.run(&words).code(1);
    assert!(refused.err.contains("proxy"), "{}", refused.err);
}

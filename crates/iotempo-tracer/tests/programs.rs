//! Real programs under the tracer: their bytes are all there, and they notice nothing.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

mod common;

use common::{Bench, bytes_of, have};
use iotempo_model::wire::{api, op};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};

#[test]
fn dd_reads_and_writes_what_the_log_says() {
    let bench = Bench::new();
    bench.shell("dd if=/dev/zero of=out bs=1000 count=123 status=none");
    bench.shell("dd if=out of=copy bs=4k status=none");
    assert_eq!(bench.bytes("out"), (123_000, 123_000));
    assert_eq!(bench.bytes("copy"), (0, 123_000));
    let logs = bench.read();
    let out = bench.path("out");
    let count = |wanted| {
        let name = out.to_str().unwrap();
        logs.iter()
            .flat_map(|log| log.of(name))
            .filter(|seen| seen.op == wanted)
            .count()
    };
    assert_eq!((count(op::WRITE), count(op::OPEN)), (123, 2));
}

#[test]
fn cp_copies_what_the_log_says() {
    let bench = Bench::new();
    std::fs::write(bench.path("from"), vec![7; 3_000_001]).unwrap();
    bench.shell("cp --reflink=never from to && cmp from to");
    assert_eq!(bench.bytes("to").1, 3_000_001);
    let read = bench.bytes("from").0;
    assert_eq!(read, 2 * 3_000_001, "once to copy and once to compare");
}

#[test]
fn tar_packs_and_unpacks_what_the_log_says() {
    let bench = Bench::new();
    if !have("tar_packs", "tar") {
        return;
    }
    for (name, size) in [("a", 100_000), ("b", 1), ("c", 0)] {
        std::fs::write(bench.path(name), vec![3; size]).unwrap();
    }
    bench.shell("tar cf all.tar a b c && mkdir un && tar xf all.tar -C un && cmp a un/a");
    let archive = std::fs::metadata(bench.path("all.tar")).unwrap().len();
    assert_eq!(bench.bytes("all.tar"), (archive, archive));
    assert_eq!((bench.bytes("un/a").1, bench.bytes("un/b").1), (100_000, 1));
}

#[test]
fn threads_of_python_are_told_apart() {
    let bench = Bench::new();
    if !have("threads_of_python", "python3") {
        return;
    }
    let script = "
import threading
start = threading.Barrier(8)
def work(number):
    start.wait()
    with open(f'part.{number}', 'wb', buffering=0) as file:
        for _ in range(100):
            file.write(b'x' * 1000)
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(sum(len(open(f'part.{n}', 'rb').read()) for n in range(8)))
";
    std::fs::write(bench.path("script.py"), script).unwrap();
    let output = bench.shell("python3 script.py");
    assert_eq!(output.stdout, b"800000\n");
    let logs = bench.read();
    let mut writers = std::collections::BTreeSet::new();
    for number in 0..8 {
        let name = format!("part.{number}");
        assert_eq!(bench.bytes(&name), (100_000, 100_000));
        let path = bench.path(&name);
        let seen = logs.iter().flat_map(|log| log.of(path.to_str().unwrap()));
        writers.extend(
            seen.filter(|seen| seen.op == op::WRITE)
                .map(|seen| seen.thread),
        );
    }
    assert_eq!(writers.len(), 8);
}

#[test]
fn a_forking_pipeline_loses_nothing() {
    let bench = Bench::new();
    bench.shell(
        "seq 1 20000 > numbers; cat numbers | (head -n 100; cat) | sort -rn > sorted; \
         (cat numbers; cat numbers) > twice; for i in 1 2 3; do cat numbers; done >> twice",
    );
    let size = std::fs::metadata(bench.path("numbers")).unwrap().len();
    assert_eq!(bench.bytes("numbers"), (6 * size, size));
    assert_eq!(bench.bytes("twice").1, 5 * size);
    assert_eq!(
        bench.bytes("sorted").1,
        std::fs::metadata(bench.path("sorted")).unwrap().len()
    );
}

#[test]
fn output_is_the_same_with_and_without_the_tracer() {
    let line = "ls -la /usr/bin | wc -l; printf '%5.2f %s\\n' 3.14159 x; seq 1 1000 | sort | tail -3; \
                awk 'BEGIN { for (i = 0; i < 100; i++) printf \"%d %s\\n\", i, \"y\" }'; \
                cat absent; ls /proc/self/fd; readlink /proc/self/fd/1 > /dev/null; exit 3";
    let bench = Bench::new();
    let plain = bench.plain("/bin/sh").args(["-c", line]).output().unwrap();
    let traced = bench.traced("/bin/sh").args(["-c", line]).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&traced.stdout),
        String::from_utf8_lossy(&plain.stdout)
    );
    assert_eq!(
        String::from_utf8_lossy(&traced.stderr),
        String::from_utf8_lossy(&plain.stderr)
    );
    assert_eq!(traced.status.code(), plain.status.code());
}

#[test]
fn each_program_that_a_process_becomes_has_its_own_log() {
    let bench = Bench::new();
    bench.shell("echo before > first; exec dd if=first of=second status=none");
    let mut names: Vec<_> = std::fs::read_dir(bench.logs().join("test"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_by_key(String::len);
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names[1].ends_with(".1.iot"), "{names:?}");
    assert_eq!(bench.bytes("first"), (7, 7));
}

#[test]
fn logs_can_be_read_by_their_owner_only() {
    let bench = Bench::new();
    bench.shell("echo secret > file");
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&bench.logs().join("test")), 0o700);
    for entry in std::fs::read_dir(bench.logs().join("test")).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
}

#[test]
fn programs_that_touch_no_file_leave_no_log() {
    let bench = Bench::new();
    bench.shell("true; sleep 0; test 1 = 1");
    assert!(bench.read().is_empty());
}

#[test]
fn layers_and_lists_choose_what_is_traced() {
    let bench = Bench::new();
    let dd = |variable: &str, value: &str| {
        let _ = std::fs::remove_dir_all(bench.logs());
        let mut command = bench.traced("/bin/dd");
        let output = command
            .env(variable, value)
            .args(["if=/dev/zero", "of=out", "bs=10", "count=1", "status=none"])
            .output()
            .unwrap();
        assert!(output.status.success());
        (bench.bytes("out").1, bytes_of(&bench.read(), "/dev/zero").0)
    };
    assert_eq!(dd("IOTEMPO_LAYERS", "posix,mpiio"), (10, 10));
    assert_eq!(dd("IOTEMPO_LAYERS", "stdio"), (0, 0));
    assert_eq!(dd("IOTEMPO_EXCLUDE", "^/dev/"), (10, 0));
    assert_eq!(dd("IOTEMPO_EXCLUDE", "^/nowhere|/o[a-z]t$"), (0, 10));
    assert_eq!(dd("IOTEMPO_INCLUDE", "/dev/zer."), (0, 10));
}

#[test]
fn files_are_known_by_what_the_kernel_calls_them() {
    let bench = Bench::new();
    let dd = "dd if=/dev/zero bs=64k count=16 status=none";
    bench.shell(&format!("{dd} of=/dev/stdout > stdout"));
    bench.shell(&format!(
        "{dd} of=/dev/fd/5 5> five; {dd} of=/proc/self/fd/5 5> six"
    ));
    for name in ["stdout", "five", "six"] {
        assert_eq!(bench.bytes(name).1, 1 << 20, "{name}");
    }
}

/// A block device that can be opened.
fn block_device() -> Option<std::path::PathBuf> {
    let mut devices = std::fs::read_dir("/dev").ok()?.flatten();
    devices.find_map(|entry| {
        let is_one = entry.file_type().is_ok_and(|kind| kind.is_block_device());
        let usable = is_one && std::fs::File::open(entry.path()).is_ok();
        usable.then(|| entry.path())
    })
}

#[test]
fn block_devices_are_traced() {
    let Some(device) = block_device() else {
        eprintln!("SKIPPED block_devices_are_traced: none can be opened");
        return;
    };
    let bench = Bench::new();
    let device = device.to_str().unwrap();
    bench.shell(&format!("dd if={device} of=out bs=512 count=1 status=none"));
    // It may be empty.
    let size = std::fs::metadata(bench.path("out")).unwrap().len();
    let logs = bench.read();
    assert_eq!(bytes_of(&logs, device), (size, 0));
    let mut seen = logs.iter().flat_map(|log| log.of(device));
    assert!(seen.any(|seen| seen.op == op::OPEN));
}

#[test]
fn lists_go_by_what_links_lead_to() {
    let bench = Bench::new();
    let folder = std::fs::canonicalize(bench.path(".")).unwrap();
    std::fs::create_dir(folder.join("real")).unwrap();
    std::os::unix::fs::symlink(folder.join("real"), folder.join("link")).unwrap();
    let (real, link) = (folder.join("real"), folder.join("link/out"));
    for (variable, bytes) in [("IOTEMPO_INCLUDE", 10), ("IOTEMPO_EXCLUDE", 0)] {
        let _ = std::fs::remove_dir_all(bench.logs());
        let mut command = bench.traced("/bin/dd");
        command.env(variable, format!("^{}/", real.display()));
        command.args(["if=/dev/zero", "bs=10", "count=1", "status=none"]);
        let status = command.arg(format!("of={}", link.display())).status();
        assert!(status.unwrap().success());
        assert_eq!(bench.bytes("real/out").1, bytes, "{variable}");
    }
}

#[test]
fn inherited_files_are_known_by_their_names() {
    let bench = Bench::new();
    bench.shell("echo 12345 | cat > out; cat < out > /dev/null");
    assert_eq!(bench.bytes("out"), (6, 6));
    let logs = bench.read();
    assert!(
        logs.iter()
            .all(|log| log.records.iter().all(|seen| seen.api <= api::STDIO))
    );
}

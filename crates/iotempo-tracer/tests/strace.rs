//! The kernel saw what the log says: every call and every byte of programs that `strace` watches.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

mod common;

use common::{Bench, have, library};
use iotempo_model::wire::op;
use std::collections::BTreeMap;
use std::path::Path;

const CALLS: &str = "trace=read,write,pread64,pwrite64,readv,writev,preadv,pwritev,preadv2,\
                     pwritev2,copy_file_range,sendfile";

/// How often a file was read (0) or written (1), and how many bytes.
type Sums = BTreeMap<(String, u8), (u64, u64)>;

/// Runs a line under both; `None` where strace cannot watch.
fn watch(bench: &Bench, line: &str) -> Option<()> {
    let preload = format!("LD_PRELOAD={}", library().display());
    let mut command = bench.traced("strace");
    command.env_remove("LD_PRELOAD");
    command.args(["-ff", "-y", "-e", CALLS, "-e", "signal=none", "-o", "calls"]);
    let output = command
        .args(["env", &preload, "sh", "-c", line])
        .output()
        .unwrap();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        eprintln!("SKIPPED strace, which cannot watch here: {said}");
        return None;
    }
    Some(())
}

fn add(sums: &mut Sums, folder: &Path, file: &str, op: u8, bytes: u64) {
    let inside = Path::new(file).parent() == Some(folder);
    if inside && !file.contains("/calls.") {
        let (count, sum) = sums.entry((file.to_owned(), op)).or_default();
        *count += 1;
        *sum += bytes;
    }
}

/// What strace saw: `write(3</tmp/x/out>, …) = 512`, a file for each process.
fn kernel(folder: &Path) -> Sums {
    let mut sums = Sums::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.to_str().unwrap().contains("/calls.") {
            let calls = std::fs::read_to_string(path).unwrap();
            calls
                .lines()
                .for_each(|line| add_call(&mut sums, folder, line));
        }
    }
    sums
}

fn add_call(sums: &mut Sums, folder: &Path, line: &str) {
    let Some((call, result)) = line.rsplit_once(" = ") else {
        return;
    };
    // Calls that fail have more behind their -1.
    let Ok(bytes) = result.trim().parse() else {
        return;
    };
    let (name, arguments) = call.split_once('(').unwrap();
    let files = arguments.split('<').skip(1);
    let files: Vec<_> = files.map(|rest| rest.split('>').next().unwrap()).collect();
    let (from, to) = match name {
        "copy_file_range" => (Some(files[0]), Some(files[1])),
        "sendfile" => (Some(files[1]), Some(files[0])),
        name if name.contains("read") => (Some(files[0]), None),
        _ => (None, Some(files[0])),
    };
    for (file, op) in [(from, op::READ), (to, op::WRITE)] {
        if let Some(file) = file {
            add(sums, folder, file, op, bytes);
        }
    }
}

fn logged(bench: &Bench, folder: &Path) -> Sums {
    let mut sums = Sums::new();
    for log in bench.read() {
        for seen in log.transfers() {
            let name = log.names.get(&seen.file).unwrap();
            add(&mut sums, folder, name, seen.op, seen.bytes);
        }
    }
    sums
}

#[test]
fn calls_and_bytes_are_those_that_the_kernel_saw() {
    let test = "calls_and_bytes_are_those_that_the_kernel_saw";
    if !have(test, "strace") {
        return;
    }
    let python = "import os\n\
                  f = os.open('py', os.O_CREAT | os.O_RDWR)\n\
                  for n in range(300): os.write(f, b'x' * n)\n\
                  os.writev(f, [b'ab', b'cde']); os.pread(f, 100, 7); os.pwrite(f, b'z', 9)\n\
                  print(len(open('in', 'rb').read()), file=open('text', 'w'))\n";
    for (name, line) in [
        (
            "sh",
            "for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; done > list",
        ),
        ("dd", "dd if=/dev/zero of=out bs=1000 count=321 status=none"),
        ("cp", "cp in copy; cp --sparse=always in copy2"),
        (
            "tar",
            "tar cf archive in in2; mkdir x; cd x; tar xf ../archive; cat in in2 > ../both",
        ),
        // Given a file, python3 would read it as a stream: libc's calls beneath it are not ours.
        ("python3", "python3 -c \"$(cat script.py)\""),
    ] {
        let bench = Bench::new();
        std::fs::write(bench.path("in"), vec![7; 300_000]).unwrap();
        std::fs::write(bench.path("in2"), vec![8; 12_345]).unwrap();
        std::fs::write(bench.path("script.py"), python).unwrap();
        if !have(test, name) || watch(&bench, line).is_none() {
            continue;
        }
        let folder = std::fs::canonicalize(bench.path(".")).unwrap();
        let (kernel, logged) = (kernel(&folder), logged(&bench, &folder));
        assert!(!kernel.is_empty(), "{name}");
        assert_eq!(kernel, logged, "{name}");
    }
}

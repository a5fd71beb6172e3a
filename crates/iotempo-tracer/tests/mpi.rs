//! Programs with MPI under the tracer, with both libraries: every byte of every rank is there.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

mod common;

use common::mpi::{Mpi, RANKS, assert_same_files, logged, metadata, ranks, said};
use common::reading::Log;
use common::{Bench, compile, have, library};
use iotempo_model::wire::{Header, api, kind, note, op, record_flag};
use std::path::Path;

const OPEN_MPI: Mpi = Mpi("openmpi");
const MPICH: Mpi = Mpi("mpich");

/// A program moves the same bytes with and without the tracer, and the logs tell all of them.
fn accounts_for_every_byte(mpi: Mpi, bench: &Bench, program: &[&Path]) {
    let expected = said(&mpi.plain(bench, program));
    assert!(expected.len() >= RANKS as usize);
    let output = mpi.traced(bench, program, &[]);
    assert_eq!(said(&output), expected);
    assert_same_files(bench);
    let logs = ranks(bench);
    assert_eq!(logs.len(), RANKS as usize);
    assert_eq!(logged(bench, &logs, api::MPIIO), expected);
    for log in &logs {
        assert_eq!(log.dropped(), 0);
        let count = log.header_u64(std::mem::offset_of!(Header, rank)) >> 32;
        assert_eq!(count, RANKS as u64, "each rank knows how many there are");
    }
}

fn c_program(mpi: Mpi, test: &str) {
    let bench = Bench::new();
    let Some(program) = mpi.compile(&bench, test, "mpi_io.c", &FLAGS) else {
        return;
    };
    accounts_for_every_byte(mpi, &bench, &[&program]);
    let logs = ranks(&bench);
    for (op, ranks) in [(op::OPEN, RANKS), (op::CLOSE, RANKS), (op::SYNC, RANKS)] {
        assert_eq!(metadata(&logs, "/independent", op), ranks as usize);
    }
    let files = [
        ("collective", true),
        ("split", true),
        ("ordered", true),
        ("independent", false),
        ("shared", false),
    ];
    for (name, collective) in files {
        let of_file = |log: &&Log| {
            let seen = log.records.iter().filter(|seen| {
                let of_mpi = seen.api == api::MPIIO && seen.kind == kind::TRANSFER;
                of_mpi && log.names[&seen.file].ends_with(&format!("/{name}"))
            });
            seen.map(|seen| seen.flags & record_flag::COLLECTIVE != 0)
                .collect::<Vec<_>>()
        };
        let flags: Vec<bool> = logs.iter().flat_map(|log| of_file(&log)).collect();
        assert!(!flags.is_empty(), "{name}");
        assert!(flags.iter().all(|flag| *flag == collective), "{name}");
    }
    // Both layers know a file by one name, and each byte of blocking calls passed both.
    let [mpiio, posix] = [api::MPIIO, api::POSIX].map(|layer| {
        let volumes = logged(&bench, &logs, layer).into_iter();
        let writes = volumes.filter(|((_, file, op), _)| file == "independent" && op == "write");
        writes.map(|(_, (_, bytes))| bytes).sum::<u64>()
    });
    assert_eq!((mpiio, posix), (30_000, 30_000));
}

/// MPICH's way to say "no status" is an address that compilers complain about.
const FLAGS: [&str; 1] = ["-Wno-stringop-overflow"];

#[test]
fn a_c_program_with_open_mpi_is_seen_whole() {
    c_program(OPEN_MPI, "a_c_program_with_open_mpi");
}

#[test]
fn a_c_program_with_mpich_is_seen_whole() {
    c_program(MPICH, "a_c_program_with_mpich");
}

fn fortran_program(mpi: Mpi, test: &str) {
    // The modules mpi and mpi_f08 go different ways through the libraries.
    for flags in [
        &["-cpp", "-fallow-argument-mismatch"][..],
        &["-cpp", "-DF08", "-g"],
    ] {
        let bench = Bench::new();
        let Some(program) = mpi.compile(&bench, test, "mpi_io.f90", flags) else {
            return;
        };
        accounts_for_every_byte(mpi, &bench, &[&program]);
    }
}

#[test]
fn fortran_programs_with_open_mpi_are_seen_whole() {
    fortran_program(OPEN_MPI, "fortran_programs_with_open_mpi");
}

#[test]
fn fortran_programs_with_mpich_are_seen_whole() {
    fortran_program(MPICH, "fortran_programs_with_mpich");
}

fn loaded_as_a_module(mpi: Mpi, test: &str) {
    let bench = Bench::new();
    let flags = ["-shared", "-fPIC", FLAGS[0]];
    let Some(module) = mpi.compile(&bench, test, "mpi_io.c", &flags) else {
        return;
    };
    let Some(host) = compile(&bench, test, "mpi_host.c") else {
        return;
    };
    accounts_for_every_byte(mpi, &bench, &[&host, &module]);
}

#[test]
fn open_mpi_that_only_a_module_sees_is_found() {
    loaded_as_a_module(OPEN_MPI, "open_mpi_that_only_a_module_sees");
}

#[test]
fn mpich_that_only_a_module_sees_is_found() {
    loaded_as_a_module(MPICH, "mpich_that_only_a_module_sees");
}

fn beside_another_tool(mpi: Mpi, test: &str) {
    let bench = Bench::new();
    let flags = ["-shared", "-fPIC", "-ldl", "-g"];
    let Some(tool) = mpi.compile(&bench, test, "mpi_tool.c", &flags) else {
        return;
    };
    let program = mpi.compile(&bench, test, "mpi_io.c", &FLAGS).unwrap();
    let (tracer, tool) = (library(), tool.to_str().unwrap());
    let tracer = tracer.to_str().unwrap();
    for both in [format!("{tracer}:{tool}"), format!("{tool}:{tracer}")] {
        let _ = std::fs::remove_dir_all(bench.logs());
        let output = mpi.traced(&bench, &[&program], &[("LD_PRELOAD", &both)]);
        assert_eq!(
            logged(&bench, &ranks(&bench), api::MPIIO),
            said(&output),
            "{both}"
        );
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            told.matches("the tool saw").count(),
            RANKS as usize,
            "{told}"
        );
        assert!(!told.contains("saw 0 calls"), "{told}");
    }
}

#[test]
fn calls_that_pass_another_tool_of_open_mpi_count_once() {
    beside_another_tool(OPEN_MPI, "calls_that_pass_another_tool_of_open_mpi");
}

#[test]
fn calls_that_pass_another_tool_of_mpich_count_once() {
    beside_another_tool(MPICH, "calls_that_pass_another_tool_of_mpich");
}

#[test]
fn layers_are_chosen_apart() {
    let bench = Bench::new();
    let Some(program) = MPICH.compile(&bench, "layers_are_chosen_apart", "mpi_io.c", &FLAGS) else {
        return;
    };
    for (layers, wanted, other) in [
        ("mpiio", api::MPIIO, api::POSIX),
        ("posix", api::POSIX, api::MPIIO),
    ] {
        let _ = std::fs::remove_dir_all(bench.logs());
        MPICH.traced(&bench, &[&program], &[("IOTEMPO_LAYERS", layers)]);
        let logs = ranks(&bench);
        let has = |layer| {
            logs.iter()
                .flat_map(|log| &log.records)
                .any(|seen| seen.api == layer)
        };
        assert!(has(wanted) && !has(other), "{layers}");
    }
}

#[test]
fn memory_that_mpi_libraries_share_is_not_io() {
    for mpi in [OPEN_MPI, MPICH] {
        let bench = Bench::new();
        let test = "memory_that_mpi_libraries_share";
        let Some(program) = mpi.compile(&bench, test, "mpi_io.c", &FLAGS) else {
            continue;
        };
        mpi.traced(&bench, &[&program], &[]);
        let folder = std::fs::canonicalize(bench.path("traced")).unwrap();
        for log in ranks(&bench) {
            let moved = log.transfers().filter(|seen| seen.bytes > 0);
            let names = moved.map(|seen| Path::new(&log.names[&seen.file]));
            let foreign: Vec<_> = names.filter(|name| !name.starts_with(&folder)).collect();
            assert!(foreign.is_empty(), "{foreign:?}");
        }
    }
}

#[test]
fn asynchronous_io_of_a_library_is_noted_once_per_file_as_beneath_mpi() {
    let bench = Bench::new();
    let test = "asynchronous_io_of_a_library";
    let Some(program) = OPEN_MPI.compile(&bench, test, "mpi_io.c", &FLAGS) else {
        return;
    };
    OPEN_MPI.traced(&bench, &[&program], &[]);
    let file = std::fs::canonicalize(bench.path("traced/nonblocking")).unwrap();
    for log in ranks(&bench) {
        let seen = log.of(file.to_str().unwrap());
        let notes = seen.filter(|seen| seen.kind == kind::NOTE && seen.op == note::AIO);
        let flags: Vec<_> = notes.map(|seen| seen.flags).collect();
        assert_eq!(flags, [record_flag::BENEATH_MPI]);
    }
}

#[test]
fn what_a_library_keeps_for_a_run_without_a_launcher_is_not_io() {
    for mpi in [OPEN_MPI, MPICH] {
        let bench = Bench::new();
        let test = "what_a_library_keeps_without_a_launcher";
        let Some(program) = mpi.compile(&bench, test, "mpi_io.c", &FLAGS) else {
            continue;
        };
        // The folder for temporary files may be reached by a link.
        let folder = std::fs::canonicalize(bench.path(".")).unwrap();
        std::fs::create_dir_all(folder.join("run")).unwrap();
        std::fs::create_dir(folder.join("temporary")).unwrap();
        std::os::unix::fs::symlink("temporary", folder.join("t")).unwrap();
        for temporary in ["/tmp".into(), folder.join("t")] {
            let _ = std::fs::remove_dir_all(bench.logs());
            let mut command = bench.traced("timeout");
            command
                .current_dir(folder.join("run"))
                .env("TMPDIR", temporary);
            let status = command.arg("100").arg(&program).output().unwrap().status;
            assert!(status.success(), "{status}");
            let logs = bench.read();
            let seen = logs.iter().flat_map(|log| {
                let seen = log.records.iter();
                seen.filter_map(|seen| log.names.get(&seen.file))
            });
            let names: std::collections::BTreeSet<_> = seen.map(Path::new).collect();
            let own = names
                .iter()
                .filter(|name| name.starts_with(folder.join("run")));
            assert!(own.count() > 0, "{names:?}");
            let foreign = names
                .iter()
                .filter(|name| !name.starts_with(folder.join("run")));
            let foreign: Vec<_> = foreign
                .filter(|name| **name != Path::new("/dev/null"))
                .collect();
            assert!(foreign.is_empty(), "{foreign:?}");
        }
    }
}

/// What programs write by themselves is told from what MPI writes for them.
fn assert_written_beside_mpi(bench: &Bench) {
    for (rank, log) in ranks(bench).iter().enumerate() {
        let own = std::fs::canonicalize(bench.path(&format!("traced/own.{rank}"))).unwrap();
        let seen = log.of(own.to_str().unwrap());
        let writes: Vec<_> = seen.filter(|seen| seen.op == op::WRITE).collect();
        assert_eq!(writes.len(), 1);
        assert_eq!((writes[0].bytes, writes[0].flags), (1000, 0));
    }
}

fn trouble(mpi: Mpi, test: &str) {
    let bench = Bench::new();
    let Some(program) = mpi.compile(&bench, test, "mpi_trouble.c", &FLAGS) else {
        return;
    };
    accounts_for_every_byte(mpi, &bench, &[&program]);
    assert_written_beside_mpi(&bench);
}

#[test]
fn calls_that_fail_in_part_or_are_left_by_a_jump_in_open_mpi_lose_nothing() {
    trouble(OPEN_MPI, "calls_that_fail_in_part_in_open_mpi");
}

#[test]
fn calls_that_fail_in_part_or_are_left_by_a_jump_in_mpich_lose_nothing() {
    trouble(MPICH, "calls_that_fail_in_part_in_mpich");
}

/// Under MPICH only: Open MPI 4.1 may wait forever where several threads write.
#[test]
fn requests_of_several_threads_are_told_apart() {
    let (bench, test) = (Bench::new(), "requests_of_several_threads");
    let Some(program) = MPICH.compile(&bench, test, "mpi_trouble.c", &FLAGS) else {
        return;
    };
    accounts_for_every_byte(MPICH, &bench, &[&program, Path::new("threads")]);
}

fn refusals(mpi: Mpi, test: &str) {
    let bench = Bench::new();
    let flags = ["-shared", "-fPIC"];
    let Some(tool) = mpi.compile(&bench, test, "mpi_refuses.c", &flags) else {
        return;
    };
    let program = mpi.compile(&bench, test, "mpi_trouble.c", &FLAGS).unwrap();
    let both = format!("{}:{}", library().display(), tool.display());
    let output = mpi.traced(&bench, &[&program], &[("LD_PRELOAD", &both)]);
    let expected = said(&output);
    for rank in 0..RANKS {
        for name in ["refused", "left"] {
            let moved = expected[&(rank, name.to_owned(), "write".to_owned())];
            assert_eq!(moved, (2, 300), "the first close of {name} was refused");
        }
    }
    let logs = ranks(&bench);
    assert_eq!(logged(&bench, &logs, api::MPIIO), expected);
    for name in ["/refused", "/left"] {
        assert_eq!(metadata(&logs, name, op::CLOSE), RANKS as usize);
    }
    assert!(logs.iter().all(|log| log.dropped() == 0));
}

#[test]
fn what_a_tool_of_open_mpi_refuses_is_not_over() {
    refusals(OPEN_MPI, "what_a_tool_of_open_mpi_refuses");
}

#[test]
fn what_a_tool_of_mpich_refuses_is_not_over() {
    refusals(MPICH, "what_a_tool_of_mpich_refuses");
}

#[test]
fn a_call_that_an_exception_leaves_is_over() {
    for mpi in [OPEN_MPI, MPICH] {
        let (bench, test) = (Bench::new(), "a_call_that_an_exception_leaves");
        if !have(test, "g++") {
            return;
        }
        let Some(program) = mpi.compile(&bench, test, "mpi_throws.cc", &["-lstdc++"]) else {
            continue;
        };
        accounts_for_every_byte(mpi, &bench, &[&program]);
        assert_written_beside_mpi(&bench);
    }
}

#[test]
fn a_program_without_mpi_that_calls_it_gets_an_error() {
    let bench = Bench::new();
    let Some(program) = compile(&bench, "a_program_without_mpi", "mpi_absent.c") else {
        return;
    };
    let output = bench.traced(&program).output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        told,
        "MPI_Wait failed\nMPI_File_open failed\nPMPI_File_write_at_c failed\n"
    );
}

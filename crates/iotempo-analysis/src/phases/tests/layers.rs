//! Which layer is believed.

use super::*;

fn of(api: Api, op: Op, bytes: u64) -> FileCounters {
    let mut file = shared(1, 1.0, 2.0);
    file.api = api;
    let mut moved = file.write;
    moved.bytes = bytes;
    file.write = iotempo_model::OpCounters::default();
    *file.of_mut(op) = moved;
    file
}

/// Layers with what they moved that no other did.
fn own(files: &[FileCounters], settings: Settings) -> Vec<(Api, Op, u64)> {
    let phases = found_with(files, settings).phases;
    let all = phases
        .iter()
        .map(|phase| (phase.api, phase.op, phase.own_bytes()));
    let mut own: Vec<_> = all.filter(|(.., bytes)| *bytes > 0).collect();
    own.sort_unstable();
    own
}

#[test]
fn a_file_written_by_posix_and_read_by_mpi_io_was_written_and_read() {
    let files = [
        of(Api::Posix, Op::Write, 400),
        of(Api::MpiIo, Op::Read, 900),
        of(Api::Posix, Op::Read, 900),
    ];
    let expected = [(Api::Posix, Op::Write, 400), (Api::MpiIo, Op::Read, 900)];
    assert_eq!(own(&files, Settings::default()), expected);
}

/// MPI-IO wrote 400 bytes, for which POSIX read so many and wrote so many.
fn sieved(fetched: u64, put: u64) -> [FileCounters; 3] {
    [
        of(Api::MpiIo, Op::Write, 400),
        of(Api::Posix, Op::Read, fetched),
        of(Api::Posix, Op::Write, put),
    ]
}

#[test]
fn what_posix_reads_for_mpi_io_to_write_parts_of_blocks_is_a_shadow() {
    let files = sieved(9_990, 10_000);
    let wrote = [(Api::MpiIo, Op::Write, 400)];
    assert_eq!(own(&files, Settings::default()), wrote);
    let phases = found(&files);
    let read = phases.phases.iter().find(|phase| phase.op == Op::Read);
    assert!(read.unwrap().flags.shadow);
    assert_eq!(phases.differ.sieved.posix_bytes, 9_990);
    let warnings = phases.differ.warnings();
    let codes: Vec<_> = warnings.iter().map(|one| one.code.as_ref()).collect();
    assert_eq!(codes, ["layers-differ", "data-sieving"]);
    // The report knows nothing of it.
    let read = (Api::Posix, Op::Read, 9_990);
    assert_eq!(own(&files, compat()), [read, wrote[0]]);
    let as_the_paper = found_with(&files, compat());
    assert_eq!(as_the_paper.differ.sieved, Difference::default());
}

#[test]
fn what_the_program_reads_through_posix_of_a_file_of_mpi_io_is_no_shadow() {
    let all_of_it = |files: &[FileCounters; 3]| {
        let [_, read, _] = files;
        let expected = [
            (Api::Posix, Op::Read, read.read.bytes),
            (Api::MpiIo, Op::Write, 400),
        ];
        assert_eq!(own(files, Settings::default()), expected);
        assert_eq!(found(files).differ.sieved, Difference::default());
    };
    // Nothing between parts was written back.
    all_of_it(&sieved(400, 400));
    // More than was written.
    all_of_it(&sieved(90_000, 10_000));
    // It looks at the file when that has been written.
    let mut later = sieved(9_990, 10_000);
    later[1].read.end = Seconds::new(7.0);
    all_of_it(&later);
    // What MPI-IO read may be lost, where its counters overflowed.
    let mut overflowed = sieved(550, 590);
    overflowed[0].overflowed = true;
    all_of_it(&overflowed);
}

#[test]
fn counters_of_mpi_io_that_are_no_phase_hide_nothing() {
    // Its bytes overflowed, and were taken for 0.
    let mut overflowed = of(Api::MpiIo, Op::Write, 0);
    overflowed.overflowed = true;
    let mut timeless = of(Api::MpiIo, Op::Write, 700);
    (timeless.write.start, timeless.write.end) = (None, None);
    for above in [overflowed, timeless] {
        let files = [above, of(Api::Posix, Op::Write, 700)];
        assert_eq!(
            own(&files, Settings::default()),
            [(Api::Posix, Op::Write, 700)]
        );
    }
}

#[test]
fn posix_is_believed_where_counters_of_mpi_io_overflowed() {
    let mut above = of(Api::MpiIo, Op::Write, 1_000);
    let below = of(Api::Posix, Op::Write, 500_000);
    let both = |above: &FileCounters| [above.clone(), below.clone()];
    // Without a sign of it, what was asked for is believed, aloud.
    assert_eq!(
        own(&both(&above), Settings::default()),
        [(Api::MpiIo, Op::Write, 1_000)]
    );
    assert_eq!(
        found(&both(&above)).differ.warnings()[0].code,
        "layers-differ"
    );
    above.overflowed = true;
    assert_eq!(
        own(&both(&above), Settings::default()),
        [(Api::Posix, Op::Write, 500_000)]
    );
    let found = found(&both(&above));
    let warnings = found.differ.warnings();
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].code, "mpiio-overflowed");
    let upper = found.phases.iter().find(|phase| phase.api == Api::MpiIo);
    assert!(upper.unwrap().flags.shadow);
    // Where both say about the same, an odd counter is no reason.
    above.write.bytes = 499_000;
    assert_eq!(
        own(&both(&above), Settings::default()),
        [(Api::MpiIo, Op::Write, 499_000)]
    );
}

#[test]
fn differences_of_files_do_not_cancel_out() {
    let of_file = |file, mut counters: FileCounters| {
        counters.file = file;
        counters
    };
    let files = [
        of_file(1, of(Api::MpiIo, Op::Write, 100)),
        of_file(1, of(Api::Posix, Op::Write, 900)),
        of_file(2, of(Api::MpiIo, Op::Write, 900)),
        of_file(2, of(Api::Posix, Op::Write, 100)),
    ];
    let differ = found(&files).differ.plain;
    assert_eq!(
        (differ.files, differ.mpiio_bytes, differ.posix_bytes),
        (2, 1_000, 1_000)
    );
}

#[test]
fn mpi_io_on_daos_counts_once() {
    let elsewhere = |file, api, op, bytes| {
        let mut counters = of(api, op, bytes);
        counters.file = file;
        counters
    };
    let files = [
        of(Api::MpiIo, Op::Write, 500),
        elsewhere(8, Api::Dfs, Op::Write, 500),
        elsewhere(9, Api::Daos, Op::Write, 500),
        // Nothing of DFS was read.
        elsewhere(9, Api::Daos, Op::Read, 30),
        // Another file of MPI-IO lies on POSIX.
        elsewhere(2, Api::MpiIo, Op::Write, 40),
        elsewhere(2, Api::Posix, Op::Write, 41),
    ];
    let expected = [
        (Api::MpiIo, Op::Write, 40),
        (Api::Dfs, Op::Write, 500),
        (Api::Daos, Op::Read, 30),
    ];
    assert_eq!(own(&files, Settings::default()), expected);
}

#[test]
fn sums_of_the_report_count_no_byte_twice() {
    let mut alone = of(Api::Posix, Op::Write, 7);
    alone.file = 2;
    let files = [
        of(Api::MpiIo, Op::Write, 100),
        of(Api::Posix, Op::Write, 100),
        alone,
    ];
    let phases = found_with(&files, compat()).phases;
    // The report makes one phase of what is below MPI-IO and what is not.
    assert_eq!(phases.len(), 2);
    assert_eq!(
        own(&files, compat()),
        [(Api::Posix, Op::Write, 7), (Api::MpiIo, Op::Write, 100)]
    );
}

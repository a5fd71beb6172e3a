//! What plain texts become.

use crate::{codes, read, read_mapped, transfers};
use iotempo_model::Source;

const TEXT: &str = "\
avg_thruput_mib: [1.0,2.0]
start_t_micro: [0500000,3000000]
end_t_micro: [1500000,
 4000000]
hostname: node 7
pid: 2063022
io_type: \"w\"
total_bytes: 3145728
total_iops: 2";

#[test]
fn named_lists_become_requests() {
    let (reading, trace) = read(TEXT).unwrap();
    assert_eq!(reading.format, "gekkofs text");
    assert_eq!(reading.origin.source, Source::Requests);
    assert_eq!(
        transfers(&trace),
        [(0.5, 1.5, 1048576.0), (3.0, 4.0, 2097152.0)]
    );
    assert!(codes(&reading).is_empty(), "{:?}", reading.warnings);
}

#[test]
fn foreign_names_are_mapped() {
    let text = "job: 17\nspeed: [1e6, 2e6, 0]\nwhen: [0, 10, 20]\n";
    let (reading, trace) = read_mapped(text, &["bandwidth=speed", "time=when"]);
    assert_eq!(transfers(&trace), [(0.0, 10.0, 1e7), (10.0, 20.0, 2e7)]);
    assert_eq!(reading.format, "ftio text");
    assert_eq!(codes(&reading), ["op-assumed"]);
}

#[test]
fn a_text_that_breaks_off_keeps_what_is_whole() {
    let ends = TEXT.find("end_t_micro").unwrap();
    let error = read(&TEXT[..ends + 5]).unwrap_err().to_string();
    assert!(
        error.starts_with("byte 60: not a line of a name"),
        "{error}"
    );
    let second_end = TEXT.find("4000000").unwrap() + 4;
    let (reading, trace) = read(&TEXT[..second_end]).unwrap();
    assert_eq!(transfers(&trace), [(0.5, 1.5, 1048576.0)]);
    assert!(reading.damaged);
    let inside_name = TEXT.find("total_iops").unwrap() + 5;
    let (reading, trace) = read(&TEXT[..inside_name]).unwrap();
    assert_eq!(trace.len(), 2);
    assert!(reading.damaged);
    assert_eq!(codes(&reading), ["damaged"]);
}

#[test]
fn lines_without_a_name_and_lists_without_numbers_are_errors() {
    for (text, expected) in [
        ("b: [1,2]\nt: [0,x]\n", "byte 15: not a number: x"),
        ("b: [1,2]\nt: [0,\"1\"]\n", "t, byte 15: not a number: 1"),
        (
            "b: [1,2]\nnonsense\n",
            "byte 9: not a line of a name, a colon and a value: nonsense",
        ),
        ("foo: [1,2]\n", "no series of bandwidth"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

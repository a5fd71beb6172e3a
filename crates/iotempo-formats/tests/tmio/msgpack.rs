//! What MessagePack of every dialect becomes.

use crate::{codes, read, read_mapped, transfers};
use iotempo_formats::{Format, Input, ReadOptions, detect, read_trace};
use iotempo_model::{Api, FileId, Op, Request, RequestSink, Source};
use rmp::encode;

/// A MessagePack value in the making.
#[derive(Default)]
pub(crate) struct Packed(pub(crate) Vec<u8>);

impl Packed {
    pub(crate) fn list(mut self, length: u32) -> Self {
        encode::write_array_len(&mut self.0, length).unwrap();
        self
    }

    pub(crate) fn map(mut self, length: u32) -> Self {
        encode::write_map_len(&mut self.0, length).unwrap();
        self
    }

    pub(crate) fn text(mut self, text: &str) -> Self {
        encode::write_str(&mut self.0, text).unwrap();
        self
    }

    pub(crate) fn flag(mut self, flag: bool) -> Self {
        encode::write_bool(&mut self.0, flag).unwrap();
        self
    }

    pub(crate) fn whole(mut self, number: u64) -> Self {
        encode::write_uint(&mut self.0, number).unwrap();
        self
    }

    pub(crate) fn number(mut self, number: f64) -> Self {
        encode::write_f64(&mut self.0, number).unwrap();
        self
    }

    pub(crate) fn numbers(self, numbers: &[f64]) -> Self {
        let list = self.list(numbers.len() as u32);
        numbers
            .iter()
            .fold(list, |list, number| list.number(*number))
    }

    /// An item of TMIO: `(bytes, start, end)` of each phase, and the total that it states.
    fn stat(self, name: &str, phases: &[(u64, f64, f64)], total: u64) -> Self {
        let begin = self
            .list(14)
            .text(name)
            .flag(name.contains("async"))
            .flag(name.starts_with("write"));
        let count = phases.len() as u64;
        let heading = [total, 1, 1, 1, count, 1, 1, count, 2, 4];
        let begin = heading
            .into_iter()
            .fold(begin, Self::whole)
            .list(phases.len() as u32);
        phases.iter().fold(begin, |list, (bytes, start, end)| {
            let rate = *bytes as f64 / (end - start);
            let list = list
                .list(9)
                .whole(*bytes)
                .number(*start)
                .number(*end)
                .whole(0);
            list.number(rate).number(rate).whole(0).whole(0).whole(1)
        })
    }

    fn times(self, rank0: f64) -> Self {
        let begin = (0..10).fold(self.list(19).text("io_time"), |list, _| list.number(1.0));
        (0..7).fold(begin.number(rank0), |list, _| list.number(f64::NAN))
    }
}

/// Two flushes of TMIO.
pub(crate) fn flushes() -> Vec<u8> {
    Packed::default()
        .stat("read_async", &[], 0)
        .stat("read_sync", &[(2097152, 8.5, 9.0)], 2097152)
        .stat("write_async", &[(100, 1.0, 3.0)], 100)
        .stat("write_sync", &[(4096, 3.25, 3.5), (4097, 4.0, 4.5)], 8193)
        .times(11.5)
        .stat("write_sync", &[(5, 13.0, 14.0)], 5)
        .times(10.25)
        .0
}

#[test]
fn flushes_of_tmio_give_exact_bytes() {
    let (reading, trace) = read(flushes()).unwrap();
    assert_eq!(reading.format, "tmio msgpack");
    assert_eq!(reading.origin.source, Source::Phases);
    assert_eq!(reading.origin.job.ranks, Some(4));
    assert_eq!(reading.origin.job.run_time_s, Some(21.75));
    assert!(codes(&reading).is_empty(), "{:?}", reading.warnings);
    let expected = [
        (8.5, 9.0, 2097152.0),
        (1.0, 3.0, 100.0),
        (3.25, 3.5, 4096.0),
        (4.0, 4.5, 4097.0),
        (13.0, 14.0, 5.0),
    ];
    assert_eq!(transfers(&trace), expected);
    assert!(trace.iter().all(|request| request.api == Api::MpiIo));
    let names: Vec<&str> = reading.sections.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(
        names,
        ["read_async", "read_sync", "write_async", "write_sync"]
    );
    assert_eq!(reading.sections[3].requests, Some(3));
    assert_eq!(reading.sections[3].bytes_written, Some(8198.0));
}

#[test]
fn a_stream_cut_anywhere_keeps_the_phases_before_the_cut() {
    let whole = flushes();
    let all = transfers(&read(whole.clone()).unwrap().1);
    let mut longest = 0;
    for cut in 1..whole.len() {
        let Ok((reading, trace)) = read(&whole[..cut]) else {
            assert_eq!(longest, 0, "byte {cut}: phases were there before");
            continue;
        };
        let kept = transfers(&trace);
        assert_eq!(kept, all[..kept.len()], "byte {cut}");
        assert!(kept.len() >= longest, "byte {cut}");
        longest = kept.len();
        if reading.damaged {
            let place = format!("byte {cut}: the data ends inside");
            assert!(
                reading.warnings.iter().any(|w| w.message.contains(&place)),
                "{:?}",
                reading.warnings
            );
        }
    }
    assert_eq!(longest, all.len());
}

#[test]
fn a_total_that_contradicts_the_phases_is_told() {
    let (reading, _) = read(
        Packed::default()
            .stat("write_sync", &[(4096, 0.0, 1.0)], 1024)
            .0,
    )
    .unwrap();
    assert_eq!(codes(&reading), ["total-mismatch"]);
    let message = &reading.warnings[0].message;
    assert!(
        message.contains("1024") && message.contains("4096"),
        "{message}"
    );
}

#[test]
fn a_phase_that_ends_before_it_starts_keeps_its_bytes() {
    let (reading, trace) = read(
        Packed::default()
            .stat("write_sync", &[(4096, 2.0, 1.0)], 4096)
            .0,
    )
    .unwrap();
    assert_eq!(codes(&reading), ["clock-backwards"]);
    assert_eq!(transfers(&trace), [(2.0, 2.0, 4096.0)]);
}

#[test]
fn items_that_are_not_what_they_should_be_are_named() {
    let begin = || {
        Packed::default()
            .list(14)
            .text("write_sync")
            .flag(false)
            .flag(true)
    };
    for (bytes, expected) in [
        (
            Packed::default().list(3).text("write_sync").whole(1),
            "write_sync, byte 12: not a flag",
        ),
        (
            begin().text("many"),
            "write_sync, byte 14: not a number in the heading: many",
        ),
        (
            (0..10).fold(begin(), |p, n| p.whole(n)).whole(7),
            "write_sync, byte 24: not the list of phases: 7",
        ),
        (
            (0..10).fold(begin(), |p, n| p.whole(n)).list(1).whole(7),
            "write_sync, byte 25: not a phase: 7",
        ),
        (
            (0..10)
                .fold(begin(), |p, n| p.whole(n))
                .list(1)
                .list(3)
                .whole(7)
                .whole(8)
                .whole(9),
            "write_sync, byte 29: not a number of a phase: nothing",
        ),
    ] {
        let error = read(bytes.0).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn items_of_a_newer_tmio_are_left_out_with_their_names() {
    let bytes = Packed::default()
        .stat("write_sync", &[(7, 0.0, 1.0)], 7)
        .list(2)
        .text("gpu")
        .numbers(&[1.0]);
    let (reading, trace) = read(bytes.stat("write_sync", &[(8, 1.0, 2.0)], 8).0).unwrap();
    assert_eq!(trace.volume().get(), 15.0);
    assert_eq!(codes(&reading), ["unknown-section"]);
    assert!(reading.warnings[0].message.ends_with("gpu"));
}

fn message(rate: f64, start: f64) -> Packed {
    Packed::default()
        .map(4)
        .text("ranks")
        .whole(8)
        .text("b")
        .numbers(&[rate, rate])
        .text("ts")
        .numbers(&[start, start + 1.0])
        .text("te")
        .numbers(&[start + 0.5, start + 2.0])
}

#[test]
fn messages_for_ftio_are_read_one_after_another() {
    let mut bytes = message(1e6, 0.0).0;
    bytes.extend(message(4e6, 10.0).0);
    let (reading, trace) = read(bytes).unwrap();
    assert_eq!(reading.format, "ftio msgpack");
    assert_eq!(reading.origin.job.ranks, Some(8));
    let expected = [
        (0.0, 0.5, 5e5),
        (1.0, 2.0, 1e6),
        (10.0, 10.5, 2e6),
        (11.0, 12.0, 4e6),
    ];
    assert_eq!(transfers(&trace), expected);
}

#[test]
fn maps_may_have_the_names_of_tmio_or_the_users() {
    let bytes = |rate: &str, time: &str| {
        let inner = Packed::default()
            .map(1)
            .text("read_sync")
            .map(1)
            .text("bandwidth")
            .map(2);
        inner
            .text(rate)
            .numbers(&[1e6, 0.0])
            .text(time)
            .numbers(&[0.0, 3.0])
            .0
    };
    let (reading, trace) = read(bytes("b_overlap_avr", "t_overlap")).unwrap();
    assert_eq!(transfers(&trace), [(0.0, 3.0, 3e6)]);
    assert_eq!(reading.sections[0].bytes_read, Some(3e6));
    let (_, trace) = read_mapped(bytes("speed", "clock"), &["bandwidth=speed", "time=clock"]);
    assert_eq!(transfers(&trace), [(0.0, 3.0, 3e6)]);
}

/// The nine fields of a flush of GekkoFS.
pub(crate) fn gekkofs(packed: Packed, io_type: &str, total: u64) -> Packed {
    packed
        .whole(9_000_000)
        .text("x0024")
        .whole(34250)
        .text(io_type)
        .numbers(&[1e6, 2e6])
        .numbers(&[1.5e6, 2.25e6])
        .numbers(&[4096.0, 512.0])
        .whole(2)
        .whole(total)
}

#[test]
fn gekkofs_sends_nine_fields_without_names() {
    let both = gekkofs(gekkofs(Packed::default(), "w", 4608), "r", 4608);
    let (reading, trace) = read(both.0).unwrap();
    assert_eq!(reading.format, "gekkofs msgpack");
    assert_eq!(reading.origin.source, Source::Requests);
    assert!(codes(&reading).is_empty(), "{:?}", reading.warnings);
    let expected = [(1.0, 1.5, 4096.0), (2.0, 2.25, 512.0)];
    for op in Op::ALL {
        assert_eq!(transfers(&crate::only(&trace, op)), expected, "{op}");
    }
    let (_, listed) = read(gekkofs(Packed::default().list(9), "w", 4608).0).unwrap();
    assert_eq!(transfers(&listed), expected);
}

#[test]
fn a_flush_of_gekkofs_that_breaks_off_keeps_the_one_before() {
    let whole = gekkofs(Packed::default(), "w", 4608).0;
    let mut bytes = whole.clone();
    bytes.extend(&whole[..20]);
    let (reading, trace) = read(bytes).unwrap();
    assert_eq!(trace.len(), 2);
    assert!(reading.damaged);
    let error = read(&whole[..whole.len() - 1]).unwrap_err().to_string();
    assert!(error.contains("ends inside"), "{error}");
    let wrong = Packed::default()
        .whole(9)
        .text("host")
        .whole(1)
        .text("w")
        .text("soon");
    let error = read(wrong.0).unwrap_err().to_string();
    assert!(
        error.starts_with("start_t_micro, byte 9: not what GekkoFS sends"),
        "{error}"
    );
}

/// What a metric proxy sends to FTIO.
pub(crate) fn proxy() -> Vec<u8> {
    let metric = |packed: Packed, name: &str, values: [f64; 3]| {
        let list = packed.text(name).list(3);
        values
            .iter()
            .zip([0.0, 10.0, 20.0])
            .fold(list, |l, (v, t)| l.list(2).number(t).number(*v))
    };
    let begin = Packed::default().map(3).text("argv").list(1).text("--freq");
    let begin = begin
        .text("metrics")
        .map(2)
        .text("infos")
        .flag(false)
        .text("metrics")
        .map(3);
    let begin = metric(begin, "bytes_read", [0.0, 1e6, 3e6]);
    let begin = metric(begin, "deriv__bytes_read", [1e5, 2e5, 9e9]);
    metric(begin, "cpu_threads", [1.0, 2.0, 3.0])
        .text("disable_parallel")
        .flag(true)
        .0
}

#[test]
fn each_metric_of_a_proxy_is_a_file_of_steps() {
    let (reading, trace) = read(proxy()).unwrap();
    assert_eq!(reading.format, "metric proxy msgpack");
    assert_eq!(reading.origin.source, Source::Samples);
    let named: Vec<_> = trace
        .iter()
        .map(|r| (trace.files.name(r.file).unwrap(), r.op, r.bytes.get()))
        .collect();
    let expected = [
        ("deriv__bytes_read", Op::Read, 1e6),
        ("deriv__bytes_read", Op::Read, 2e6),
        ("cpu_threads", Op::Write, 10.0),
        ("cpu_threads", Op::Write, 20.0),
    ];
    assert_eq!(named, expected);
    assert_eq!(codes(&reading), ["op-assumed", "unit-assumed"]);
    let total = reading
        .sections
        .iter()
        .find(|s| s.name == "bytes_read")
        .unwrap();
    assert_eq!(
        (total.records, total.bytes_read),
        (3, None),
        "its derivative is there too"
    );
}

#[test]
fn other_bytes_are_not_taken_for_message_pack() {
    assert_eq!(detect(&flushes()).unwrap(), Format::MessagePack);
    assert_eq!(detect(&proxy()).unwrap(), Format::MessagePack);
    for bytes in [
        &[0x81, 0x01, 0x02][..],
        &[0x93, 1, 2, 3],
        &[0x92, 0xa3, b'a', b'b', b'c'],
        b"\x00\x01\x02",
        &[0xc1],
        &[0x80],
    ] {
        assert!(detect(bytes).is_err(), "{bytes:?}");
    }
}

/// Gives its bytes, then fails.
struct Broken(std::io::Cursor<Vec<u8>>);

impl std::io::Read for Broken {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(into)? {
            0 => Err(std::io::Error::other("the disk is gone")),
            count => Ok(count),
        }
    }
}

#[test]
fn an_input_that_fails_while_it_is_read_keeps_what_came_before() {
    // More than the part that is looked at to judge the format.
    let bytes = flushes().repeat(400);
    let whole = bytes.len();
    let input = Input::stream(Broken(std::io::Cursor::new(bytes))).unwrap();
    let (reading, trace) = read_trace(input, &ReadOptions::default()).unwrap();
    assert_eq!(trace.len(), 5 * 400);
    assert!(reading.damaged);
    let said = format!("byte {whole}: the disk is gone");
    assert!(
        reading.warnings[0].message.starts_with(&said),
        "{}",
        reading.warnings[0]
    );
}

/// Takes a few requests, then fails.
struct Full(usize);

impl RequestSink for Full {
    fn file(&mut self, _: &str) -> FileId {
        FileId(0)
    }

    fn push(&mut self, _: Request) -> std::io::Result<()> {
        self.0 = self
            .0
            .checked_sub(1)
            .ok_or_else(|| std::io::Error::other("no space left"))?;
        Ok(())
    }
}

#[test]
fn a_receiver_that_fails_stops_the_reader() {
    let json = r#"{"write":{"b":[1e6,2e6,3e6,0],"t":[0,1,2,3]}} {"write":{"b":[1],"t":["#;
    for (bytes, room) in [(flushes(), 3), (proxy(), 1), (json.as_bytes().to_vec(), 2)] {
        let input = Input::bytes(bytes);
        let error =
            iotempo_formats::read(input, &ReadOptions::default(), &mut Full(room)).unwrap_err();
        assert_eq!(error.to_string(), "no space left");
    }
}

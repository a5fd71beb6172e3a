//! Whole tables, from bytes to requests.

use crate::{Error, Format, Input, Limits, ReadOptions, Reading, detect, read, read_trace};
use iotempo_model::{Api, Op, Rank, Source, Trace};
use proptest::prelude::*;
use std::io::{self, Read};

fn table(text: &str) -> (Reading, Trace) {
    with_columns(text, &[]).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn with_columns(text: &str, columns: &[(&str, &str)]) -> Result<(Reading, Trace), Error> {
    let columns = columns
        .iter()
        .map(|(ours, theirs)| (ours.to_string(), theirs.to_string()));
    let options = ReadOptions {
        columns: columns.collect(),
        ..ReadOptions::default()
    };
    read_trace(Input::bytes(text), &options)
}

fn failure(text: &str) -> String {
    with_columns(text, &[])
        .expect_err("cannot be read")
        .to_string()
}

/// `(start, end, bytes)` of every request.
fn transfers(trace: &Trace) -> Vec<(f64, f64, f64)> {
    trace
        .iter()
        .map(|r| (r.when.start().get(), r.when.end().get(), r.bytes.get()))
        .collect()
}

fn codes(reading: &Reading) -> Vec<&str> {
    reading
        .warnings
        .iter()
        .map(|warning| warning.code.as_ref())
        .collect()
}

fn message(reading: &Reading, code: &str) -> String {
    let mut all = reading.warnings.iter();
    let found = all.find(|warning| warning.code == code);
    found
        .unwrap_or_else(|| panic!("no {code}: {:?}", reading.warnings))
        .message
        .clone()
}

#[test]
fn a_table_of_requests_is_read_whole() {
    let (reading, trace) = table(
        "# two ranks\nrank,op,api,file,start,end,bytes\n\
         0,write,posix,/a,0.5,1.5,100\n1,read,mpiio,\"/b, c\",2,2,50\n",
    );
    assert_eq!(reading.format, "table of requests");
    assert_eq!(reading.origin.source, Source::Requests);
    assert_eq!(codes(&reading), [""; 0]);
    assert_eq!(reading.sections[0].bytes_written, Some(100.0));
    assert_eq!(transfers(&trace), [(0.5, 1.5, 100.0), (2.0, 2.0, 50.0)]);
    let second = trace.iter().nth(1).expect("two requests");
    assert_eq!(
        (second.rank, second.op, second.api),
        (Rank(1), Op::Read, Api::MpiIo)
    );
    assert_eq!(trace.files.name(second.file), Some("/b, c"));
}

#[test]
fn every_delimiter_gives_the_same_requests() {
    let comma = "op,start_us,duration_ms,size_kib\nw,1000000,500,2\nr,2000000,1,1\n";
    let expected = transfers(&table(comma).1);
    assert_eq!(expected[0], (1.0, 1.5, 2048.0));
    for delimiter in ["\t", ";", "  "] {
        assert_eq!(
            transfers(&table(&comma.replace(',', delimiter)).1),
            expected
        );
    }
    let mac = format!(
        "\u{feff}# made by a spreadsheet\r\n{}",
        comma.replace('\n', "\r\n")
    );
    assert_eq!(transfers(&table(&mac).1), expected);
}

#[test]
fn dates_are_seconds_since_1970() {
    let (_, trace) = table("start,end,bytes\n1970-01-01 00:00:10,1970-01-01T00:00:12.5Z,8\n");
    assert_eq!(transfers(&trace), [(10.0, 12.5, 8.0)]);
}

#[test]
fn a_person_may_name_the_columns() {
    let text = "t0,t1,len,kind\n0,1,8,r\n";
    assert!(with_columns(text, &[]).is_err());
    let columns = [
        ("start", "t0"),
        ("end", "t1"),
        ("bytes", "len"),
        ("op", "kind"),
    ];
    let (_, trace) = with_columns(text, &columns).expect("named");
    assert_eq!(trace.iter().next().map(|r| r.op), Some(Op::Read));
}

#[test]
fn a_few_bad_rows_are_left_out_and_counted() {
    let (reading, trace) = table(
        "rank,start,end,bytes,op\n0,0,1,8,write\n0,x,1,8,write\n0,1,2\n0,2,3,8,write\n0,3,4,8,read\n",
    );
    assert_eq!(trace.len(), 3);
    assert_eq!(
        message(&reading, "bad-rows"),
        "2 of 5 rows could not be read and were left out \
         (the first: column start, line 3: not a time: x)"
    );
    assert!(!reading.damaged);
}

#[test]
fn a_table_of_mostly_bad_rows_is_an_error_and_leaves_nothing_behind() {
    assert_eq!(
        failure("start,end,bytes\n0,1,8\n0,1\n0,1,many\n"),
        "line 3: 2 fields under a heading of 3 (2 of the first 3 rows cannot be read): 0 | 1"
    );
    let mut text = "start,end,bytes\n".to_owned();
    text.push_str(&"0,1,8\n".repeat(499));
    text.push_str(&"0,1,many\n".repeat(501));
    text.push_str(&"0,1,8\n".repeat(10_000));
    let mut builder = iotempo_model::TraceBuilder::default();
    let error = read(
        Input::bytes(text.as_bytes()),
        &ReadOptions::default(),
        &mut builder,
    );
    let error = error.expect_err("half of it is bad").to_string();
    assert!(
        error.starts_with("column bytes, line 501: not a number"),
        "{error}"
    );
    let trace = builder.finish(iotempo_model::Origin::new(Source::Requests), Vec::new());
    assert_eq!(trace.len(), 0);
}

#[test]
fn operations_that_move_no_data_are_no_mistakes() {
    let (reading, trace) = table("op,start,end,bytes\nopen,0,1,0\nclose,1,2,0\npwrite64,2,3,8\n");
    assert_eq!(trace.len(), 1);
    assert_eq!(
        message(&reading, "other-operations"),
        "left out 2 rows of calls that move no data (the first: \"open\")"
    );
}

#[test]
fn what_is_not_a_number_never_becomes_one() {
    let (reading, trace) = table(
        "rank,start,end,bytes\n0,nan,1,8\n0,0,inf,8\n0,0,1,-8\n0,5,4,8\n99999999999,0,1,8\n0,0,1,8\n",
    );
    assert_eq!(trace.len(), 2);
    let mut seen = codes(&reading);
    seen.sort_unstable();
    let expected = [
        "clock-backwards",
        "direction-unknown",
        "negative-bytes",
        "not-finite",
        "rank-out-of-range",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_heading_without_rows_is_an_empty_trace() {
    let (reading, trace) = table("rank,op,start,end,bytes\n");
    assert!(trace.is_empty());
    assert_eq!(codes(&reading), ["empty"]);
}

/// Gives its bytes, then fails.
struct Breaking(io::Cursor<Vec<u8>>);

impl Read for Breaking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk is gone")),
            read => Ok(read),
        }
    }
}

#[test]
fn rows_before_damage_are_kept() {
    // Longer than the head, so that the failure comes while rows are read.
    let mut text = b"start,end,bytes\n".to_vec();
    for _ in 0..20_000 {
        text.extend_from_slice(b"0,1,8\n");
    }
    let input = Input::stream(Breaking(io::Cursor::new(text))).expect("a head");
    let (reading, trace) = read_trace(input, &ReadOptions::default()).expect("rows");
    assert_eq!(trace.len(), 20_000);
    assert!(reading.damaged);
    assert_eq!(
        message(&reading, "damaged"),
        "the rest could not be read: line 20002: the disk is gone"
    );
}

#[test]
fn an_endless_line_ends_the_table_there() {
    let options = ReadOptions {
        limits: Limits {
            name: 100,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    let text = format!("start,end,bytes\n0,1,8\n{}\n", "9".repeat(1000));
    let (reading, trace) = read_trace(Input::bytes(text), &options).expect("one row");
    assert_eq!(trace.len(), 1);
    assert!(reading.damaged, "{:?}", reading.warnings);
}

#[test]
fn a_sample_holds_until_the_next() {
    let (reading, trace) = table("time,read,write\n0,10,0\n1,20,5\n3,0,7\n");
    assert_eq!(reading.format, "table of samples");
    assert_eq!(reading.origin.source, Source::Samples);
    let expected = [(0.0, 1.0, 10.0), (1.0, 3.0, 40.0), (1.0, 3.0, 10.0)];
    assert_eq!(transfers(&trace), expected);
    assert_eq!(codes(&reading), ["last-sample"]);
    let ops: Vec<_> = trace.iter().map(|r| r.op).collect();
    assert_eq!(ops, [Op::Read, Op::Read, Op::Write]);
    let observed = reading.origin.observed.expect("a stretch");
    assert_eq!((observed.start().get(), observed.end().get()), (0.0, 3.0));
}

#[test]
fn the_last_of_even_samples_holds_for_one_step() {
    let (reading, trace) = table("t,bandwidth_mb_s\n0,1\n0.5,2\n1.00390625,3\n");
    // The mean of 0.5 and 0.50390625.
    let step = 0.501_953_125;
    assert_eq!(reading.origin.resolution.map(|s| s.get()), Some(step));
    assert_eq!(codes(&reading), ["direction-unknown"]);
    let last = transfers(&trace)[2];
    assert_eq!(last, (1.003_906_25, 1.003_906_25 + step, 3e6 * step));
}

#[test]
fn samples_out_of_order_are_sorted_and_bad_rates_left_out() {
    let (reading, trace) = table("t,write\n2,5\n0,1\n1,-3\n3,\n3,nan\n4,0\n");
    let expected = [(0.0, 1.0, 1.0), (2.0, 3.0, 5.0), (3.0, 4.0, 2.5)];
    assert_eq!(transfers(&trace), expected, "2.5 lies between 5 and 0");
    let mut seen = codes(&reading);
    seen.sort_unstable();
    let expected = [
        "last-sample",
        "missing-rates",
        "negative-rate",
        "not-sorted",
        "same-time",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn samples_without_times_are_a_second_apart() {
    let (reading, trace) = table("read,write,both\n1,0,1\n0,2,2\n");
    assert_eq!(transfers(&trace), [(0.0, 1.0, 1.0), (1.0, 2.0, 2.0)]);
    assert_eq!(codes(&reading), ["no-time"]);
}

#[test]
fn missing_rates_are_filled_in_on_a_straight_line() {
    let (reading, trace) = table("t,write\n0,10\n1,\n2,\n3,40\n4,\n");
    let expected = [
        (0.0, 1.0, 10.0),
        (1.0, 2.0, 20.0),
        (2.0, 3.0, 30.0),
        (3.0, 4.0, 40.0),
    ];
    assert_eq!(transfers(&trace), expected);
    assert_eq!(
        message(&reading, "missing-rates"),
        "3 samples without a rate (the first in line 3): filled in on a straight line between \
         their neighbours; left out 1 without a neighbour on both sides"
    );
    let (reading, same) = table("t,write\n0,10\n1,nan\n2,-inf\n3,40\n4,NaN\n");
    assert_eq!(transfers(&same), expected, "tools write it in many ways");
    assert_eq!(codes(&reading), ["missing-rates"]);
}

#[test]
fn a_sample_without_either_rate_is_one_sample() {
    let (reading, _) = table("t,read,write\n0,1,1\n1,,\n2,1,1\n");
    assert_eq!(
        message(&reading, "missing-rates"),
        "1 sample without a rate (the first in line 3): filled in on a straight line between its \
         neighbours"
    );
    let (reading, _) = table("t,read,write\n0,1,1\n1,,1\n2,1,\n3,1,1\n4,,\n");
    let said = message(&reading, "missing-rates");
    assert!(said.starts_with("3 samples without a rate"), "{said}");
    assert!(
        said.ends_with("; left out 1 without a neighbour on both sides"),
        "{said}"
    );
}

#[test]
fn times_that_cannot_be_meant_are_told() {
    let (reading, _) = table("t,write\n1700000000000,1\n1700000001000,1\n1700000002000,1\n");
    assert!(message(&reading, "odd-unit").contains("are they milliseconds?"));
    let (reading, _) = table("t_ms,write\n1700000000000,1\n1700000001000,1\n");
    assert_eq!(codes(&reading), [""; 0]);
    let rows = "write,1700000000,1700000001,5\nwrite,0,1,5\nwrite,1700000002,1700000003,5\n";
    let (reading, _) = table(&format!("op,start,end,bytes\n{rows}"));
    let said = message(&reading, "stray-time");
    let expected = "one request, at 0 s, lies 53.9 years before all others";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn samples_lie_as_far_apart_as_the_user_says() {
    let text = "Date,Passengers\n1949-01,112\n1949-02,118\n1949-03,132\n";
    let with = |columns: &[(&str, &str)], step: Option<f64>| {
        let columns = columns.iter().map(|(a, b)| (a.to_string(), b.to_string()));
        let options = ReadOptions {
            columns: columns.collect(),
            step: step.and_then(iotempo_model::Seconds::new),
            ..ReadOptions::default()
        };
        read_trace(Input::bytes(text), &options)
    };
    let (reading, trace) = with(&[("bandwidth", "Passengers")], Some(2.0)).expect("samples");
    let expected = [(0.0, 2.0, 224.0), (2.0, 4.0, 236.0), (4.0, 6.0, 264.0)];
    assert_eq!(transfers(&trace), expected);
    assert_eq!(codes(&reading), ["direction-unknown"]);
    assert_eq!(reading.origin.resolution.map(|step| step.get()), Some(2.0));
    let chosen = [("time", "Date"), ("write", "Passengers")];
    let (_, trace) = with(&chosen, Some(2.0)).expect("its times do not matter");
    assert_eq!(transfers(&trace), expected);
    let (_, trace) = with(&chosen, None).expect("months");
    let month = 31.0 * 86_400.0;
    assert_eq!(transfers(&trace)[0].1 - transfers(&trace)[0].0, month);
    assert!(with(&[], Some(2.0)).is_err(), "nobody said what is a rate");
    assert!(with(&[("write", "Passengers")], None).is_err(), "nor when");
}

#[test]
fn days_may_be_numbers_in_a_column_of_dates() {
    let chosen = [("time", "date"), ("write", "co2")];
    let text = "date,co2\n19580329,316.1\n19580405,317.3\n19580412,317.6\n";
    let (reading, _) = with_columns(text, &chosen).expect("weeks");
    let week = 7.0 * 86_400.0;
    assert_eq!(reading.origin.resolution.map(|step| step.get()), Some(week));
    // Elsewhere a number is a number.
    let (reading, _) = table("time,write\n19580329,1\n19580405,2\n");
    assert_eq!(reading.origin.resolution.map(|step| step.get()), Some(76.0));
}

#[test]
fn rows_that_are_not_plain_are_samples_all_the_same() {
    let text = "\u{feff}time,read,write,both\r\n0,1,2,3\r\n\r\n# a break\r\n\
                1 , 1e0,\"2\",\"3\"\r\n2,1.0,+2,3\r\n3,1,2.0000000000000000000000,x\r\n4,1,2";
    let (reading, trace) = table(text);
    let rates: Vec<_> = trace
        .iter()
        .map(|r| (r.when.start().get(), r.bytes.get()))
        .collect();
    let expected = [0.0, 1.0, 2.0, 3.0]
        .map(|time| [(time, 1.0), (time, 2.0)])
        .concat();
    assert_eq!(rates, expected);
    // The last one has no field for both.
    assert_eq!(codes(&reading), ["bad-rows"]);
}

#[test]
fn a_single_sample_is_no_error_and_no_request() {
    let (reading, trace) = table("time,bandwidth\n5,10\n");
    assert!(trace.is_empty());
    assert!(codes(&reading).contains(&"last-sample"));
}

#[test]
fn requests_come_as_json_lines_too() {
    let text = "{\"rank\":0,\"op\":\"write\",\"start\":0.1,\"end\":0.2,\"bytes\":8,\"file\":\"/a\"}\n\n\
                {\"op\":\"read\",\"start_s\":1,\"duration\":\"0.5\",\"size\":4,\"file\":null}\n";
    assert_eq!(
        detect(text.as_bytes()).expect("known"),
        Format::RequestLines
    );
    let (reading, trace) = table(text);
    assert_eq!(reading.format, "json lines of requests");
    assert_eq!(transfers(&trace), [(0.1, 0.2, 8.0), (1.0, 1.5, 4.0)]);
    let ranks: Vec<_> = trace.iter().map(|r| r.rank).collect();
    assert_eq!(ranks, [Rank(0), Rank::SHARED]);
}

#[test]
fn a_bad_json_line_names_its_place_and_value() {
    let good = "{\"op\":\"w\",\"start\":0,\"end\":1,\"bytes\":8}\n";
    let (reading, trace) = table(&format!("{good}{{\"op\":\n{good}{good}"));
    assert_eq!(trace.len(), 3);
    assert!(message(&reading, "bad-rows").contains("line 2: not a JSON object"));
    let (reading, _) = table(&format!(
        "{good}{{\"op\":\"w\",\"start\":true,\"end\":1,\"bytes\":8}}\n{good}"
    ));
    let message = message(&reading, "bad-rows");
    assert!(
        message.contains("key start, line 2: not a time: (neither"),
        "{message}"
    );
}

proptest! {
    /// The `csv` crate writes it, and the `csv` crate reads it: so do we.
    #[test]
    fn file_names_of_any_kind_survive(names in prop::collection::vec("[ -~\\n\"]{1,12}", 1..20)) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["start", "end", "bytes", "file"]).expect("in memory");
        for name in &names {
            writer.write_record(["0", "1", "8", name.as_str()]).expect("in memory");
        }
        let text = writer.into_inner().expect("in memory");
        let (reading, trace) = read_trace(Input::bytes(text), &ReadOptions::default()).expect("rows");
        let read: Vec<_> = trace.iter().map(|r| trace.files.name(r.file).unwrap_or("")).collect();
        // Spaces around a name count only where it is quoted.
        let expected: Vec<_> = names
            .iter()
            .map(|name| if name.contains(['"', ',', '\n']) { name.as_str() } else { name.trim() })
            .collect();
        prop_assert_eq!(read, expected, "{:?}", reading.warnings);
    }

    #[test]
    fn numbers_survive_to_the_last_bit(start in prop::num::f64::NORMAL, bytes in 0.0..1e18_f64) {
        let json = format!("{{\"op\":\"w\",\"start\":{start:?},\"duration\":0,\"bytes\":{bytes:?}}}\n");
        let csv = format!("op,start,duration,bytes\nw,{start:?},0,{bytes:?}\n");
        for text in [json, csv] {
            prop_assert_eq!(transfers(&table(&text).1), [(start, start, bytes)]);
        }
    }

    #[test]
    fn samples_survive_however_they_are_written(
        rates in prop::collection::vec(0.0..1e13_f64, 2..40),
        decimals in 0..8_usize,
        quoted in any::<bool>(),
    ) {
        let quote = if quoted { "\"" } else { "" };
        let rows = rates.iter().enumerate();
        let rows: String = rows
            .map(|(i, rate)| format!("{i},{quote}{rate:.decimals$}{quote}\n"))
            .collect();
        let (_, trace) = table(&format!("t,write\n{rows}"));
        let expected: Vec<f64> = rates
            .iter()
            .map(|rate| format!("{rate:.decimals$}").parse().expect("a number"))
            .filter(|rate| *rate > 0.0)
            .collect();
        let read: Vec<_> = transfers(&trace).iter().map(|transfer| transfer.2).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn no_bytes_make_it_panic(tail in prop::collection::vec(any::<u8>(), 0..300)) {
        for head in ["rank,op,start,end,bytes,file\n0,w,0,1,8,a\n", "time,value\n", "t b\n", "{\"start\":0,\"end\":1,\"bytes\":1}\n"] {
            let mut text = head.as_bytes().to_vec();
            text.extend_from_slice(&tail);
            let _ = read_trace(Input::bytes(text), &ReadOptions::default());
        }
    }
}

//! Answers of Prometheus, and snapshots of exporters.

use crate::kept::{codes, read_file, read_input, read_text};
use crate::log;
use iotempo_formats::Input;
use iotempo_formats::server::{Clock, Options};
use iotempo_model::{Op, Seconds, TargetKind};

#[test]
fn counters_grow_by_what_was_written() {
    // Python: last value less the first, of vda.
    for (name, written, volumes) in [
        (
            "query_range_counter.json",
            15_579_553_792.0 - 15_440_982_016.0,
            32,
        ),
        (
            "query_matrix_raw.json",
            15_584_509_952.0 - 15_527_026_688.0,
            9,
        ),
    ] {
        let Some(path) = log(
            "counters_grow_by_what_was_written",
            &format!("prometheus/{name}"),
        ) else {
            return;
        };
        let (reading, kept) = read_file(&path);
        assert_eq!(reading.format, "Prometheus JSON");
        assert_eq!(reading.bytes, [0.0, written], "{name}");
        assert_eq!(kept.moved.len(), volumes, "{name}");
        assert_eq!(kept.targets[0].label(), "127.0.0.1:19100/vda");
        assert_eq!(kept.targets[0].kind, TargetKind::Device);
        assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
        assert_eq!(reading.clock, Clock::Epoch);
    }
}

#[test]
fn rates_hold_for_a_step_each_and_what_was_assumed_is_told() {
    let test = "rates_hold_for_a_step_each_and_what_was_assumed_is_told";
    let Some(path) = log(test, "prometheus/query_range_rate.json") else {
        return;
    };
    let (reading, kept) = read_file(&path);
    // Python: sum(float(v) for t, v in values) over steps of 1 s.
    let expected = 137_425_518.702_825_28;
    assert!(
        (reading.bytes[1] - expected).abs() < 1e-6,
        "{:?}",
        reading.bytes
    );
    assert_eq!(kept.moved.len(), 16);
    assert_eq!(codes(&reading), ["rate-assumed", "direction-unknown"]);
}

#[test]
fn what_holds_no_interval_says_so() {
    for (name, words) in [
        ("query_vector.json", "one reading of each of 1 series"),
        ("query_nan.json", "no series in it"),
        ("query_error.json", "the input is empty"),
        ("exposition_node_disk.txt", "one snapshot of an exporter"),
    ] {
        let Some(path) = log(
            "what_holds_no_interval_says_so",
            &format!("prometheus/{name}"),
        ) else {
            return;
        };
        let error = read_text(std::fs::read(path).unwrap())
            .unwrap_err()
            .to_string();
        assert!(error.contains(words), "{name}: {error}");
    }
}

/// An answer with these series.
fn matrix(series: &[(&str, &str)]) -> String {
    let one = |(metric, values): &(&str, &str)| {
        format!("{{\"metric\":{{{metric}}},\"values\":[{values}]}}")
    };
    let all: Vec<_> = series.iter().map(one).collect();
    let all = all.join(",");
    format!("{{\"status\":\"success\",\"data\":{{\"resultType\":\"matrix\",\"result\":[{all}]}}}}")
}

const SDA: &str = r#""__name__":"node_disk_read_bytes_total","device":"sda","instance":"a""#;

#[test]
fn resets_gaps_and_values_that_are_none_are_told() {
    let values =
        r#"[10,"100"],[20,"150"],[30,"NaN"],[40,"170"],[50,"5"],[60,"+Inf"],[70,"9"],[200,"10"]"#;
    let (reading, _) = read_text(matrix(&[(SDA, values)])).unwrap();
    assert_eq!(reading.bytes, [50.0 + 20.0 + 5.0 + 4.0 + 1.0, 0.0]);
    assert_eq!(codes(&reading), ["counter-reset", "not-finite"]);
}

#[test]
fn each_byte_comes_from_one_side() {
    let lustre = |component: &str| {
        format!(
            r#""__name__":"lustre_write_bytes_total","component":"{component}","target":"OST0""#
        )
    };
    let job = r#""__name__":"lustre_job_write_bytes_total","component":"ost","target":"OST0","jobid":"7""#;
    let values = r#"[10,"1"],[20,"3"]"#;
    let (client, ost) = (lustre("client"), lustre("ost"));
    let text = matrix(&[(job, values), (&client, values), (&ost, values)]);
    let (reading, kept) = read_text(text.clone()).unwrap();
    assert_eq!(reading.bytes, [0.0, 2.0]);
    assert_eq!(kept.targets[0].kind, TargetKind::StorageTarget);
    assert_eq!(codes(&reading), ["left-out"]);
    let options = Options {
        targets: vec!["7".to_owned()],
        ..Options::default()
    };
    let (_, kept) = read_input(Input::bytes(text.clone()), &options).unwrap();
    assert_eq!(kept.targets[0].label(), "OST0/7");
    assert_eq!(kept.targets[0].kind, TargetKind::Job);
    let options = Options {
        targets: vec!["nobody".to_owned()],
        ..Options::default()
    };
    let error = read_input(Input::bytes(text), &options)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("no target nobody; there are OST0, OST0/7"),
        "{error}"
    );
}

#[test]
fn another_file_system_is_not_the_same_bytes_again() {
    let text = matrix(&[
        (
            r#""__name__":"lustre_write_bytes_total","target":"OST0""#,
            r#"[0,"0"],[10,"100"]"#,
        ),
        (
            r#""__name__":"gpfs_fs_write_bytes_total","fs":"home""#,
            r#"[0,"0"],[10,"7"]"#,
        ),
        (
            r#""__name__":"node_disk_written_bytes_total","device":"sda""#,
            r#"[0,"0"],[10,"100"]"#,
        ),
    ]);
    let (reading, kept) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [0.0, 107.0]);
    let labels: Vec<String> = kept.targets.iter().map(|one| one.label()).collect();
    assert_eq!(labels, ["OST0", "home"]);
    assert_eq!(codes(&reading), ["left-out"]);
}

#[test]
fn disks_count_and_what_lies_on_them_does_not() {
    let device = |name: &str| {
        format!(r#""__name__":"node_disk_written_bytes_total","device":"{name}","instance":"a""#)
    };
    let values = r#"[10,"1"],[20,"3"]"#;
    let names = ["dm-0", "nvme0n1", "nvme0n1p1"].map(device);
    let series: Vec<_> = names.iter().map(|name| (name.as_str(), values)).collect();
    let (reading, kept) = read_text(matrix(&series)).unwrap();
    assert_eq!(reading.bytes, [0.0, 2.0]);
    assert_eq!(kept.targets[0].name, "nvme0n1");
    let message = &reading.warnings[0].message;
    assert!(message.contains("a/dm-0, a/nvme0n1p1"), "{message}");
}

#[test]
fn series_that_share_a_name_keep_apart() {
    let series = |mode: &str| {
        format!(r#""__name__":"ceph_read_bytes_total","instance":"a","pool":"{mode}""#)
    };
    let values = r#"[10,"1"],[20,"3"]"#;
    let (one, two) = (series("x"), series("y"));
    let (reading, kept) = read_text(matrix(&[(&one, values), (&two, values)])).unwrap();
    assert_eq!(reading.bytes, [4.0, 0.0]);
    assert_eq!(kept.targets.len(), 2);
    assert_eq!(kept.targets[0].label(), "a/{instance=a,pool=x}");
}

#[test]
fn answers_that_are_cut_off_give_what_came_before() {
    let whole = matrix(&[(SDA, r#"[10,"100"],[20,"150"],[30,"160"]"#)]);
    let cut = &whole[..whole.find("[30").unwrap() + 3];
    let (reading, _) = read_text(cut).unwrap();
    assert!(reading.damaged);
    assert_eq!(reading.bytes, [50.0, 0.0]);
    let twice = format!("{whole}\n{whole}");
    let (reading, _) = read_text(twice).unwrap();
    assert_eq!(reading.bytes, [60.0, 0.0], "the same answer again");
}

#[test]
fn errors_and_single_values_are_named() {
    let error =
        r#"{"status":"error","errorType":"bad_data","error":"parse error: unexpected end"}"#;
    let error = read_text(error).unwrap_err().to_string();
    assert!(
        error.contains("bad_data: parse error: unexpected end"),
        "{error}"
    );
    let scalar = r#"{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}"#;
    let error = read_text(scalar).unwrap_err().to_string();
    assert!(
        error.contains("a scalar that Prometheus answered with"),
        "{error}"
    );
    let bad = matrix(&[(SDA, r#"[10,"100"],[20,"x"]"#)]);
    let error = read_text(bad).unwrap_err().to_string();
    assert!(error.contains("not a number: x"), "{error}");
}

#[test]
fn a_list_of_series_and_sorted_keys_are_read_too() {
    let list = format!("[{{\"metric\":{{{SDA}}},\"values\":[[10,\"1\"],[20,\"4\"]]}}]");
    assert_eq!(read_text(list).unwrap().0.bytes, [3.0, 0.0]);
    let sorted = format!(
        "{{\"data\":{{\"result\":[{{\"metric\":{{{SDA}}},\"values\":[[10,\"1\"],[20,\"4\"]]}}],\"resultType\":\"matrix\"}},\"status\":\"success\"}}"
    );
    assert_eq!(read_text(sorted).unwrap().0.bytes, [3.0, 0.0]);
}

#[test]
fn an_idle_hour_before_a_burst_does_not_make_a_counter() {
    let mut values: Vec<String> = (0..9000).map(|at| format!("[{at},\"0\"]")).collect();
    for burst in 0..4 {
        values.push(format!("[{},\"70\"]", 9000 + 2 * burst));
        values.push(format!("[{},\"0\"]", 9001 + 2 * burst));
    }
    let (reading, kept) = read_text(matrix(&[("\"instance\":\"a\"", &values.join(","))])).unwrap();
    assert_eq!(reading.bytes, [0.0, 280.0]);
    assert_eq!(kept.moved.len(), 9008);
    assert_eq!(codes(&reading), ["rate-assumed", "direction-unknown"]);
}

/// A snapshot of one disk.
fn snapshot(bytes: u32, time: &str) -> String {
    format!(
        "# HELP node_disk_written_bytes_total x\n# TYPE node_disk_written_bytes_total counter\nnode_disk_written_bytes_total{{device=\"a \\\"b\\\"}}\"}} {bytes}{time}\nnode_disk_written_bytes_total{{device=\"c\"}} 0{time}\n"
    )
}

#[test]
fn snapshots_lie_where_anything_says_when_they_were_taken() {
    let own = |at: u32| format!(" 170000000{at}000");
    let times: [fn(u32) -> String; 5] = [
        |at| format!("170000000{at}\n"),
        |at| format!("# 2023-11-14T22:13:2{at}Z\n"),
        |at| format!("# TYPE node_time_seconds gauge\nnode_time_seconds 1.70000000{at}e+09\n"),
        |_| String::new(),
        |at| format!("Tue Nov 14 22:13:2{at} UTC 2023\n"),
    ];
    for (index, time) in times.iter().enumerate() {
        let mut text = String::new();
        for (at, bytes) in [(0, 10), (1, 10), (2, 30)] {
            let own = if index == 3 { own(at) } else { String::new() };
            let snapshot = snapshot(bytes, &own);
            // The clock of a node stands among its metrics.
            text += &if index == 2 {
                snapshot + &time(at)
            } else {
                time(at) + &snapshot
            };
        }
        let (reading, kept) = read_text(text).unwrap_or_else(|error| panic!("{index}: {error}"));
        assert_eq!(reading.format, "Prometheus text");
        assert_eq!(reading.bytes, [0.0, 20.0], "{index}");
        assert_eq!(kept.targets[0].name, "a \"b\"}");
        let last = kept.volumes(Op::Write)[2];
        assert_eq!(last, (1_700_000_001.0, 1_700_000_002.0, 20.0), "{index}");
    }
}

#[test]
fn snapshots_without_a_time_need_an_interval() {
    let text = snapshot(1, "") + &snapshot(4, "") + "broken {\n" + &snapshot(9, "");
    let error = read_text(text.clone()).unwrap_err().to_string();
    assert!(error.contains("do not say when they were taken"), "{error}");
    let options = Options {
        interval: Seconds::new(15.0),
        ..Options::default()
    };
    let (reading, _) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.bytes, [0.0, 8.0]);
    assert_eq!(reading.clock, Clock::Relative);
    assert_eq!(codes(&reading), ["bad-rows"]);
    assert!(
        reading.warnings[0]
            .message
            .contains("line 9: not a sample: broken {")
    );
}

#[test]
fn a_rate_beside_its_counter_tells_the_same_again() {
    let name = |name: &str| format!(r#""__name__":"{name}","device":"sda""#);
    let values = r#"[10,"1"],[20,"3"],[30,"9"]"#;
    let (counter, rate) = (
        name("disk_read_bytes_total"),
        name("disk_read_bytes_per_second"),
    );
    let (reading, kept) = read_text(matrix(&[(&counter, values), (&rate, values)])).unwrap();
    assert_eq!(reading.bytes, [8.0, 0.0]);
    assert_eq!(kept.targets.len(), 1);
    assert_eq!(codes(&reading), ["left-out"]);
}

#[test]
fn series_that_may_count_bits_are_told_and_not_taken_for_bytes() {
    let name = |name: &str| format!(r#""__name__":"{name}","device":"sda""#);
    let values = r#"[10,"1"],[20,"3"],[30,"9"]"#;
    let (clear, unclear) = (name("disk_write_bytes_total"), name("disk_read_mbps"));
    let (reading, _) = read_text(matrix(&[(&clear, values), (&unclear, values)])).unwrap();
    assert_eq!(reading.bytes, [0.0, 8.0]);
    assert_eq!(codes(&reading), ["unit-unclear"]);
    let message = &reading.warnings[0].message;
    assert!(message.contains("left out: disk_read_mbps;"), "{message}");
    let alone = matrix(&[(&unclear, values)]);
    let error = read_text(alone.clone()).unwrap_err().to_string();
    assert!(error.contains("may count bits or bytes"), "{error}");
    let wish = |ours: &str| Options {
        columns: vec![(ours.to_owned(), "disk_read_mbps".to_owned())],
        ..Options::default()
    };
    for ours in ["read", "read_rate"] {
        let error = read_input(Input::bytes(alone.clone()), &wish(ours)).unwrap_err();
        let expected =
            "mbps may count bits or bytes: state the unit, as in read_mbit_s=… or read_mb_s=…";
        assert!(error.to_string().contains(expected), "{error}");
    }
    let (reading, _) = read_input(Input::bytes(alone.clone()), &wish("read_mb_s")).unwrap();
    assert_eq!(reading.bytes, [130e6, 0.0]);
    let error = read_input(Input::bytes(alone), &wish("read_mbps")).unwrap_err();
    assert!(
        error.to_string().contains("may count bits or bytes"),
        "{error}"
    );
}

#[test]
fn what_an_exporter_calls_a_counter_is_one() {
    // A disk that was read seldom, and began anew.
    let values = [9e10, 9e10, 9e10 + 4096.0, 9e10 + 4096.0, 5e3, 5e3, 7e3, 7e3];
    let snapshots = |kind: &str, name: &str| {
        let steps = values.iter().enumerate().map(|(step, value)| {
            let at = 1_700_000_000 + 10 * step;
            format!("{at}\n# HELP {name} Bytes.\n{kind}{name}{{device=\"sda\"}} {value}\n")
        });
        steps.collect::<String>()
    };
    let typed = "# TYPE shelf_read_bytes counter\n";
    for (kind, name) in [(typed, "shelf_read_bytes"), ("", "node_disk_bytes_read")] {
        let (reading, _) = read_text(snapshots(kind, name)).unwrap();
        assert_eq!(reading.bytes, [4096.0 + 7e3, 0.0], "{name}");
        assert_eq!(codes(&reading), ["counter-reset"], "{name}");
    }
    for kind in [
        "",
        "# TYPE shelf_read_bytes gauge\n",
        "# TYPE other counter\n",
    ] {
        let (reading, _) = read_text(snapshots(kind, "shelf_read_bytes")).unwrap();
        assert_eq!(codes(&reading), ["rate-assumed"], "{kind}");
    }
}

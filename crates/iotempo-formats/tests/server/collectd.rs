//! collectd's rates of disks of burst-buffer nodes, out of Elasticsearch.

use crate::kept::{codes, read_file, read_input, read_text};
use crate::log;
use iotempo_formats::Input;
use iotempo_formats::server::{Clock, Options};
use iotempo_model::{Op, Seconds};

/// Rates summed by Python's `json` and `math.fsum`, times the ten seconds between two documents.
pub(crate) const TOTALS: [f64; 2] = [16_595_150_113.151_9, 64_094_869_268.112_8];

#[test]
fn documents_in_any_order_are_put_in_order() {
    let test = "documents_in_any_order_are_put_in_order";
    let Some(path) = log(test, "pytokio/sample_collectdes-full.json.gz") else {
        return;
    };
    let (reading, kept) = read_file(&path);
    assert_eq!(reading.format, "collectd in Elasticsearch");
    assert_eq!(reading.clock, Clock::Epoch);
    assert_eq!(reading.interval.unwrap().get(), 10.0);
    assert_eq!((reading.targets, reading.samples), (64, 7038 * 2));
    for (found, expected) in reading.bytes.into_iter().zip(TOTALS) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    }
    assert_eq!(kept.targets[0].label(), "bb4/nvme2n1");
    // Most documents of the sample are not there.
    assert_eq!(codes(&reading), ["gaps"]);
}

fn document(host: &str, disk: &str, second: u32, write: &str) -> String {
    format!(
        "{{\"_id\": \"x\", \"_source\": {{\"plugin\": \"disk\", \"read\": 0.0, \"@timestamp\": \
         \"2017-12-13T08:26:{second:02}.500Z\", \"hostname\": \"{host}\", \"tags\": [1, {{\"a\": 2}}], \
         \"write\": {write}, \"collectd_type\": \"disk_octets\", \"plugin_instance\": \"{disk}\"}}}}"
    )
}

#[test]
fn an_answer_as_it_comes_is_read_and_partitions_are_left_out() {
    let hits = [
        document("a", "sda", 20, "7.0"),
        document("a", "sda1", 20, "7.0"),
        document("a", "sda", 10, "5.5"),
        document("a", "sda1", 10, "5.5"),
        document("a", "sda", 10, "5.5"),
        document("b", "sda1", 10, "2"),
        document("b", "sda1", 20, "null"),
    ]
    .join(",");
    let text = format!("{{\"took\": 1, \"hits\": {{\"total\": 7, \"hits\": [{hits}]}}}}");
    let (reading, kept) = read_text(text).unwrap();
    let written = kept.by_target(Op::Write);
    assert_eq!((written["a/sda"], written["b/sda1"]), (125.0, 20.0));
    assert_eq!(written.len(), 2);
    let end = 1_513_153_570.5;
    assert_eq!(kept.volumes(Op::Write)[0], (end - 10.0, end, 55.0));
    assert_eq!(codes(&reading), ["left-out", "doubled-rows"]);
}

#[test]
fn an_answer_that_is_cut_off_gives_what_comes_before() {
    let text = format!(
        "[[{}, {}, {}",
        document("a", "sda", 10, "1"),
        document("a", "sda", 20, "2"),
        &document("a", "sda", 30, "4")[..90]
    );
    let (reading, _) = read_text(text).unwrap();
    assert!(reading.damaged);
    assert_eq!(reading.bytes, [0.0, 30.0]);
    assert_eq!(codes(&reading), ["damaged"]);
}

#[test]
fn one_document_needs_an_interval() {
    let text = format!("[{}]", document("a", "sda", 10, "1.5"));
    let error = read_text(text.clone()).unwrap_err().to_string();
    assert!(error.contains("give the interval"), "{error}");
    let options = Options {
        interval: Seconds::new(10.0),
        ..Options::default()
    };
    let (reading, _) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.bytes, [0.0, 15.0]);
}

#[test]
fn documents_of_other_plugins_are_named() {
    let text = document("a", "sda", 10, "1.5").replace("disk_octets", "cpu");
    let error = read_text(text).unwrap_err().to_string();
    assert!(
        error.contains("without rates of disks (disk_octets): they are of cpu"),
        "{error}"
    );
}

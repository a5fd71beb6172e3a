//! A real trace, followed as it was flushed: the answer is that of an analysis after the run.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods
)]

mod common;

use common::data;
use iotempo_analysis::online::{Follower, Settings, Window};
use iotempo_analysis::period::Detector;
use iotempo_analysis::sampling;
use iotempo_formats::{Input, ReadOptions, read_trace};
use iotempo_model::{Op, Trace};

/// The lines up to the end of each flush.
fn prefixes(text: &str) -> Vec<&str> {
    let ends = text.match_indices("\"io_time\"").filter_map(|(at, _)| {
        let rest = text[at..].find('\n')?;
        Some(at + rest + 1)
    });
    ends.map(|end| &text[..end]).collect()
}

fn read(text: &str) -> Trace {
    let input = Input::bytes(text.as_bytes());
    let trace = read_trace(input, &ReadOptions::default()).unwrap().1;
    let written = trace.iter().filter(|request| request.op == Op::Write);
    Trace::new(written, trace.files.clone(), trace.origin.clone())
}

#[test]
fn every_prefix_of_a_real_trace_has_the_answer_of_an_analysis_after_the_run() {
    let Some(data) =
        data("every_prefix_of_a_real_trace_has_the_answer_of_an_analysis_after_the_run")
    else {
        return;
    };
    let text = std::fs::read_to_string(data.join("tmio/tmio__JSONL__8.jsonl")).unwrap();
    let prefixes = prefixes(&text);
    assert!(prefixes.len() >= 15, "{}", prefixes.len());
    let settings = Settings {
        window: Window::All,
        ..Settings::default()
    };
    let mut known = 0;
    let mut periodic = 0;
    let mut follower = None;
    for prefix in prefixes {
        let trace = read(prefix);
        let follower =
            follower.get_or_insert_with(|| Follower::new(settings, trace.origin.clone()));
        for request in trace.iter().skip(known) {
            follower.add(request.when, request.bytes);
        }
        known = trace.len();
        let end = trace.span().unwrap().end();
        let online = follower.predict(end);
        let bandwidth = trace.bandwidth();
        let window = sampling::window(&bandwidth, None, None).unwrap();
        let signal = sampling::as_recorded(&bandwidth, &trace.origin, window).unwrap();
        let offline = Detector::default().detect(&signal);
        assert_eq!(online.verdict, offline.verdict);
        let told = online.period.map(|period| period.value);
        let alive = offline.rhythms.iter().map(|rhythm| rhythm.period.value);
        assert_eq!(told, alive.clone().find(|period| Some(*period) == told));
        assert_eq!(told.is_some(), offline.is_periodic(), "{online:?}");
        periodic += u32::from(told.is_some());
    }
    assert!(periodic >= 5, "{periodic}");
}

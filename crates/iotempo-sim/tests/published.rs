//! What docs/experiments/period.json says of the detector keeps the promises made of it: `make
//! experiments` on a worse detector fails here, point by point.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use serde_json::Value;

fn published() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/experiments/period.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn number(value: &Value, at: &str) -> f64 {
    let found = value.pointer(at).and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("no number at {at} of {value}"))
}

/// One point of an experiment: where it lies, our mean error and that of FTIO's method.
struct Point {
    name: String,
    x: f64,
    ours: f64,
    ftio: f64,
}

impl Point {
    fn new(id: &str, point: &Value) -> Self {
        let error = |method| number(point, &format!("/methods/{method}/error_of_found/mean"));
        Self {
            name: format!("{id} {}", point["point"]),
            x: number(point, "/x"),
            ours: error("iotempo"),
            ftio: error("ftio"),
        }
    }

    fn assert_at_most(&self, share: f64) {
        let Self {
            name, ours, ftio, ..
        } = self;
        assert!(
            *ours <= share * ftio,
            "{name}: {ours} is more than {share} of {ftio}"
        );
    }
}

fn points(id: &str) -> Vec<Point> {
    let all = published();
    let experiments = all["experiments"].as_array().unwrap();
    let named = experiments.iter().find(|one| one["id"] == id).unwrap();
    let points = named["points"].as_array().unwrap();
    points.iter().map(|point| Point::new(id, point)).collect()
}

#[test]
fn no_point_is_worse_than_ftio_by_more_than_half_a_percent() {
    for point in ["A", "B", "C", "D", "hard"].into_iter().flat_map(points) {
        let Point {
            name, ours, ftio, ..
        } = &point;
        assert!(ours - ftio <= 0.005, "{name}: {ours} against {ftio}");
    }
}

#[test]
fn ranks_out_of_step_cost_at_most_half_of_what_they_cost_ftio() {
    let points = points("B");
    assert_eq!(points.len(), 6);
    for point in points.iter().filter(|point| point.ftio > 0.04) {
        point.assert_at_most(if point.ftio <= 0.1 { 0.5 } else { 2.0 / 3.0 });
    }
}

#[test]
fn compute_phases_that_vary_cost_at_most_a_fifth_of_what_they_cost_ftio() {
    let points = points("C");
    assert_eq!(points.len(), 34);
    for point in points.iter().filter(|point| point.x >= 0.5) {
        point.assert_at_most(if point.x >= 1.0 { 0.2 } else { 1.0 / 3.0 });
    }
}

#[test]
fn a_period_is_found_where_there_is_one_and_hardly_ever_where_there_is_none() {
    let all = published();
    let found = |point: &Value| number(point, "/methods/iotempo/found_fraction");
    for point in all["experiments"][0]["points"].as_array().unwrap() {
        assert!(found(point) >= 0.95, "{point}");
    }
    let trials = all["false_periods"].as_array().unwrap();
    assert_eq!(trials.len(), 28);
    for trial in trials {
        assert!(found(trial) <= 0.05, "{trial}");
    }
}

#[test]
fn a_confidence_is_how_often_the_answer_is_right() {
    let all = published();
    let bins = all["calibration"]["iotempo"]["bins"].as_array().unwrap();
    let many = bins.iter().filter(|bin| number(bin, "/answers") >= 50.0);
    let mut checked = 0;
    for bin in many {
        let off = number(bin, "/mean_confidence") - number(bin, "/right_fraction");
        assert!(off.abs() <= 0.1, "{bin}");
        checked += 1;
    }
    assert!(checked >= 5, "only {checked} bins have 50 answers");
}

//! Peaks.

use crate::python::{Reference, assert_close, indices, numbers};
use crate::random::{noise, stairs};
use iotempo_analysis::peaks::{Peak, PeakFinder};
use serde_json::{Value, json};

/// Combinations of conditions on values from −1 to 3.
fn finders() -> Vec<PeakFinder> {
    let mut finders = Vec::new();
    for height in [None, Some(0.5)] {
        for distance in [None, Some(1), Some(4)] {
            for prominence in [None, Some(0.9)] {
                for width in [None, Some(1.5)] {
                    finders.push(PeakFinder {
                        height,
                        distance,
                        prominence,
                        width,
                    });
                }
            }
        }
    }
    finders
}

fn conditions(finder: &PeakFinder) -> Value {
    let mut conditions = json!({
        "height": finder.height,
        "distance": finder.distance,
        "prominence": finder.prominence,
        "width": finder.width,
    });
    conditions
        .as_object_mut()
        .unwrap()
        .retain(|_, value| !value.is_null());
    conditions
}

#[test]
fn peaks_are_those_of_scipy() {
    let Some(mut scipy) = Reference::start("peaks_are_those_of_scipy") else {
        return;
    };
    for (length, seed) in [0, 1, 2, 3, 10, 200, 1000].into_iter().zip(0..) {
        // Of equally high peaks SciPy's sort may leave any: few enough for its stable sort.
        let ties = stairs(seed, length.min(30));
        for values in [noise(seed, length), ties] {
            for finder in finders() {
                let question =
                    json!({"of": "peaks", "values": values, "conditions": conditions(&finder)});
                let answer = scipy.ask(&question);
                let peaks = finder.find(&values);
                let what = format!("{finder:?} of {length}");
                let place = |of: fn(&Peak) -> usize| peaks.iter().map(of).collect::<Vec<usize>>();
                assert_eq!(
                    place(|peak| peak.index),
                    indices(&answer["index"]),
                    "{what}"
                );
                assert_eq!(
                    place(|peak| peak.left_base),
                    indices(&answer["left"]),
                    "{what}"
                );
                assert_eq!(
                    place(|peak| peak.right_base),
                    indices(&answer["right"]),
                    "{what}"
                );
                let prominences: Vec<f64> = peaks.iter().map(|peak| peak.prominence).collect();
                assert_close(&prominences, &numbers(&answer["prominence"]), 1e-12, &what);
                let widths: Vec<f64> = peaks.iter().map(|peak| peak.width(&values, 0.5)).collect();
                assert_close(&widths, &numbers(&answer["width"]), 1e-9, &what);
            }
        }
    }
}

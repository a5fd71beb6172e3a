//! Signatures of generated runs, by the text of IOSI.

use crate::python::{Reference, assert_close, indices, numbers};
use iotempo_analysis::signature::{Method, Settings, SignatureMiner};
use iotempo_sim::server::{Application, Runs};
use serde_json::{Value, json};

fn applications() -> [Application; 4] {
    [
        Application::ior_a(),
        Application::ior_b(),
        Application::ior_c(),
        Application::s3d(),
    ]
}

#[test]
fn signatures_by_the_text_of_iosi_are_those_of_numpy() {
    let Some(mut numpy) = Reference::start("signatures_by_the_text_of_iosi_are_those_of_numpy")
    else {
        return;
    };
    for application in applications() {
        for (seed, runs, load) in [(1, 10, 1.0), (2, 4, 0.5), (3, 12, 2.0)] {
            let what = format!("{}, seed {seed}", application.name);
            let runs = Runs {
                seed,
                runs,
                load,
                ..Runs::new(application.clone())
            };
            assert_same(&mut numpy, &runs, &what);
        }
    }
}

fn assert_same(numpy: &mut Reference, runs: &Runs, what: &str) {
    let set = runs.generate().unwrap();
    let samples = set.samples();
    let rates: Vec<&[f64]> = samples.iter().map(|sample| sample.rates).collect();
    let theirs = numpy.ask(&json!({"of": "iosi", "runs": rates}));
    let settings = Settings {
        method: Method::Iosi,
        ..Settings::default()
    };
    let ours = SignatureMiner::new(settings).mine(&samples);
    let used: Vec<&str> = indices(&theirs["used"])
        .into_iter()
        .map(|i| samples[i].id)
        .collect();
    assert_eq!(ours.used, used, "{what}");
    let close = |ours: f64, theirs: &Value, name: &str| {
        let theirs = theirs.as_f64().unwrap();
        let tolerance = 1e-9 * theirs.abs().max(1.0);
        assert_close(&[ours], &[theirs], tolerance, &format!("{what}: {name}"));
    };
    close(ours.background, &theirs["background"], "background");
    let times = numbers(&theirs["times"]);
    let Some(signature) = ours.signature() else {
        assert!(times.is_empty(), "{what}: {times:?}");
        return;
    };
    let grid = ours.grid.unwrap();
    let step = signature.step_s;
    close(grid.width_s / step, &theirs["cell"][0], "width of a cell");
    close(grid.height, &theirs["cell"][1], "height of a cell");
    assert_same_bursts(&ours.sample_bursts, &theirs["bursts"], what);
    // The middle of a point.
    let middle = |at_s: f64| (at_s - signature.start_s) / step - 0.5;
    let bursts = &signature.bursts;
    let ours: Vec<f64> = bursts.iter().map(|burst| middle(burst.time_s)).collect();
    assert_close(&ours, &times, 1e-6, &format!("{what}: times"));
    let support: Vec<usize> = bursts.iter().map(|burst| burst.support).collect();
    assert_eq!(support, indices(&theirs["support"]), "{what}");
    let rates = numbers(&theirs["rates"]);
    let highest = rates.iter().copied().fold(0.0, f64::max);
    let tolerance = 1e-12 * highest;
    assert_close(
        &signature.rates,
        &rates,
        tolerance,
        &format!("{what}: rates"),
    );
}

/// Bursts of all samples are as many, and move what those of NumPy do: their points are those of samples
/// that were made as long as the shortest, ours are told in the time of each.
fn assert_same_bursts(
    ours: &[Vec<iotempo_analysis::signature::SampleBurst>],
    theirs: &Value,
    what: &str,
) {
    let theirs = theirs.as_array().unwrap();
    let count: usize = ours.iter().map(Vec::len).sum();
    assert_eq!(count, theirs.len(), "{what}: bursts of samples");
    for (ours, theirs) in ours.iter().flatten().zip(theirs) {
        let points = numbers(theirs);
        let length = points[2] - points[0] + 1.0;
        // A few points were taken out of longer samples.
        let told = ours.end_s - ours.start_s;
        assert!(
            told >= length - 1e-9 && told <= 1.2 * length + 3.0,
            "{what}: {told} s, not {length} points"
        );
    }
}

//! How columns depend on each other, to SciPy, dcor and scikit-learn.

use crate::python::{Reference, assert_close, numbers};
use crate::random::{noise, stairs};
use iotempo_analysis::association::{
    Bootstrap, Coefficient, Conditional, Density, ForestSettings, Method, bca_interval,
    benjamini_hochberg, distance_correlation, distance_correlation_corrected,
    mutual_information_as_is, pearson, percentile_interval, spearman,
};
use serde_json::json;

const TOLERANCE: f64 = 1e-10;
/// Where columns far from 0 are.
const FAR: f64 = 1e6;

/// Two columns, of which the second leans on the first and on its square.
fn leaning(seed: u64, length: usize) -> (Vec<f64>, Vec<f64>) {
    let x = noise(2 * seed, length);
    let own = noise(2 * seed + 1, length);
    let y = x.iter().zip(own).map(|(x, own)| x + 2.0 * x * x + own);
    (x.clone(), y.collect())
}

/// Columns of all kinds: smooth, full of ties, with values far from all others, far from 0.
fn kinds(seed: u64, length: usize) -> Vec<(&'static str, Vec<f64>, Vec<f64>)> {
    let (x, y) = leaning(seed, length);
    let (a, b) = (stairs(seed, length), stairs(seed + 7, length));
    let summed: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    // Any heavier, and dcor's corrected estimate loses digits beside exact arithmetic, as ours does.
    let heavy = y.iter().map(|y| (2.0 * y).exp()).collect();
    let far = x.iter().map(|x| FAR + x).collect();
    vec![
        ("smooth", x.clone(), y.clone()),
        ("ties", a.clone(), summed),
        ("half tied", x.clone(), a.clone()),
        ("independent ties", a, b),
        ("heavy", x, heavy),
        ("far from 0", far, y),
    ]
}

#[test]
fn coefficients_are_those_of_scipy_and_dcor() {
    let Some(mut python) = Reference::start("coefficients_are_those_of_scipy_and_dcor") else {
        return;
    };
    for (length, seed) in [12, 13, 16, 33, 100, 1023, 5000].into_iter().zip(1..) {
        for (kind, x, y) in kinds(seed, length) {
            // No distance changes, and the difference is exact; dcor loses digits far from 0.
            let shift = if kind == "far from 0" { FAR } else { 0.0 };
            let shifted: Vec<f64> = x.iter().map(|x| x - shift).collect();
            let answer = python.ask(&json!({"of": "coefficients", "x": shifted, "y": y}));
            let theirs = ["pearson", "spearman", "distance", "corrected"]
                .map(|name| answer[name].as_f64().unwrap());
            let ours = [
                pearson(&x, &y).unwrap(),
                spearman(&x, &y).unwrap(),
                distance_correlation(&x, &y).unwrap(),
                distance_correlation_corrected(&x, &y).unwrap(),
            ];
            assert_close(&ours, &theirs, TOLERANCE, &format!("{length} {kind}"));
        }
    }
}

#[test]
fn coefficients_of_very_few_points_are_those_of_scipy_and_dcor() {
    let Some(mut python) = Reference::start("coefficients_of_very_few_points") else {
        return;
    };
    for length in 4..10 {
        let (x, y) = leaning(length as u64, length);
        let answer = python.ask(&json!({"of": "coefficients", "x": x, "y": y}));
        let ours = [
            ("pearson", pearson(&x, &y)),
            ("spearman", spearman(&x, &y)),
            ("distance", distance_correlation(&x, &y)),
            ("corrected", distance_correlation_corrected(&x, &y)),
        ];
        for (name, ours) in ours {
            let theirs = answer[name].as_f64().unwrap();
            assert_close(
                &[ours.unwrap()],
                &[theirs],
                TOLERANCE,
                &format!("{length} {name}"),
            );
        }
    }
}

#[test]
fn mutual_information_is_that_of_scikit_learn() {
    let Some(mut python) = Reference::start("mutual_information_is_that_of_scikit_learn") else {
        return;
    };
    for (length, seed) in [6, 9, 50, 173, 1000].into_iter().zip(20..) {
        for (kind, x, y) in kinds(seed, length) {
            for neighbours in [1, 3, 5, 10].into_iter().filter(|k| *k < length) {
                let question =
                    json!({"of": "information", "x": x, "y": y, "neighbours": neighbours});
                let theirs = python.ask(&question).as_f64().unwrap();
                let ours = mutual_information_as_is(&x, &y, neighbours).unwrap().nats;
                let what = format!("{length} {kind}, {neighbours} neighbours");
                assert_close(&[ours], &[theirs], TOLERANCE, &what);
            }
        }
    }
}

#[test]
fn intervals_are_those_of_scipy() {
    let Some(mut python) = Reference::start("intervals_are_those_of_scipy") else {
        return;
    };
    for (length, level) in [(12, 0.9), (60, 0.95), (150, 0.99)] {
        let (x, y) = leaning(length as u64, length);
        let observed = pearson(&x, &y).unwrap();
        let without = |left_out: usize| {
            let kept = |column: &[f64]| {
                let mut kept = column.to_vec();
                kept.remove(left_out);
                kept
            };
            pearson(&kept(&x), &kept(&y)).unwrap()
        };
        let jackknife: Vec<f64> = (0..length).map(without).collect();
        let mut replicates: Vec<f64> = noise(3, 500).iter().map(|z| observed + 0.1 * z).collect();
        replicates.sort_by(f64::total_cmp);
        let answer = python.ask(&json!({
            "of": "intervals", "x": x, "y": y, "replicates": replicates, "level": level,
        }));
        let (low, high) = bca_interval(observed, &replicates, &jackknife, level).unwrap();
        assert_close(&[low, high], &numbers(&answer["bca"]), TOLERANCE, "BCa");
        let (low, high) = percentile_interval(&replicates, level).unwrap();
        assert_close(
            &[low, high],
            &numbers(&answer["percentile"]),
            TOLERANCE,
            "percentile",
        );
        let settings = Bootstrap {
            count: 200,
            level,
            ..Bootstrap::default()
        };
        let whole = settings
            .interval(Coefficient::Pearson, &x, &y, None)
            .unwrap();
        assert_eq!(whole.method, Method::Bca);
        assert!(whole.low < observed && observed < whole.high);
    }
}

#[test]
fn false_discoveries_are_controlled_as_by_scipy() {
    let Some(mut python) = Reference::start("false_discoveries_are_controlled_as_by_scipy") else {
        return;
    };
    for (count, seed) in [1, 2, 5, 40].into_iter().zip(0..) {
        let mut p: Vec<f64> = noise(seed, count).iter().map(|z| z.powi(4)).collect();
        p.push(p[0]);
        let theirs = numbers(&python.ask(&json!({"of": "adjusted", "p_values": p})));
        let known: Vec<Option<f64>> = p.into_iter().map(Some).collect();
        let ours: Vec<f64> = benjamini_hochberg(&known).into_iter().flatten().collect();
        assert_close(&ours, &theirs, 1e-14, "adjusted");
    }
}

/// The mean and the square of its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, squares / (count - 1.0) / count)
}

#[test]
fn forests_are_as_good_as_those_of_scikit_learn() {
    let Some(mut python) = Reference::start("forests_are_as_good_as_those_of_scikit_learn") else {
        return;
    };
    const FORESTS: u64 = 8;
    const TREES: usize = 100;
    let (x, y) = leaning(5, 200);
    let other = noise(77, 200);
    for inputs in [vec![x.clone()], vec![other, x]] {
        let at = |value: f64| vec![value; inputs.len()];
        let points: Vec<Vec<f64>> = [-0.9, -0.5, 0.0, 0.3, 0.8].map(at).to_vec();
        let answer = python.ask(&json!({
            "of": "regression_forest", "inputs": inputs, "target": y, "seeds": FORESTS,
            "trees": TREES, "leaf": 5, "points": points,
        }));
        let columns: Vec<&[f64]> = inputs.iter().map(Vec::as_slice).collect();
        let grow = |seed| {
            let settings = ForestSettings {
                trees: TREES,
                seed,
                ..ForestSettings::default()
            };
            settings.grow(&columns, &y).unwrap()
        };
        let forests: Vec<_> = (0..FORESTS).map(grow).collect();
        let assert_alike = |ours: &[f64], theirs: &[f64], what: &str| {
            let ((a, va), (b, vb)) = (mean_and_error(ours), mean_and_error(theirs));
            let apart = (a - b) / (va + vb).sqrt();
            // Of a dozen comparisons, with few forests each.
            assert!(
                apart.abs() < 4.5,
                "{what}: {a} and {b}, {apart} errors apart"
            );
        };
        let ours: Vec<f64> = forests.iter().map(|f| f.oob_r2().unwrap()).collect();
        let what = format!("{} inputs, R²", inputs.len());
        assert_alike(&ours, &numbers(&answer["r2"]), &what);
        let curves: Vec<Vec<f64>> = answer["curves"]
            .as_array()
            .unwrap()
            .iter()
            .map(numbers)
            .collect();
        for (place, point) in points.iter().enumerate() {
            let ours: Vec<f64> = forests.iter().map(|f| f.predict(point).unwrap()).collect();
            let theirs: Vec<f64> = curves.iter().map(|curve| curve[place]).collect();
            assert_alike(
                &ours,
                &theirs,
                &format!("{} inputs at {point:?}", inputs.len()),
            );
        }
    }
}

#[test]
fn densities_are_those_of_scipy() {
    let Some(mut python) = Reference::start("densities_are_those_of_scipy") else {
        return;
    };
    for (length, seed) in [5, 9, 100, 1000].into_iter().zip(40..) {
        for (kind, x, y) in kinds(seed, length) {
            if kind == "independent ties" && length < 10 {
                continue;
            }
            let ends = |column: &[f64]| {
                let least = column.iter().copied().fold(f64::INFINITY, f64::min);
                let most = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                (0..7)
                    .map(|i| least + (most - least) * (f64::from(i) - 0.5) / 5.0)
                    .collect::<Vec<_>>()
            };
            let (xs, ys) = (ends(&x), ends(&y));
            let question = json!({"of": "density", "x": x, "y": y, "xs": xs, "ys": ys});
            let theirs = numbers(&python.ask(&question));
            let ours = Density::new(&x, &y).unwrap().grid(&xs, &ys, None).concat();
            let most = theirs.iter().copied().fold(0.0, f64::max);
            // Columns far from 0 lose as many digits as they are far.
            let tolerance = TOLERANCE * most * if kind == "far from 0" { 100.0 } else { 1.0 };
            assert_close(&ours, &theirs, tolerance, &format!("{length} {kind}"));
        }
    }
}

#[test]
fn bands_are_those_of_scipys_normal_distributions() {
    let Some(mut python) = Reference::start("bands_are_those_of_scipys_normal_distributions")
    else {
        return;
    };
    for (length, seed) in [30, 400].into_iter().zip(60..) {
        let (x, y) = leaning(seed, length);
        let at = [-0.8, -0.2, 0.0, 0.6];
        let answer = python.ask(&json!({"of": "conditional", "x": x, "y": y, "at": at}));
        let conditional = Conditional::new(&x, &y).unwrap();
        for (place, theirs) in at.into_iter().zip(answer.as_array().unwrap()) {
            let band = conditional.at(place);
            let theirs = numbers(theirs);
            let what = format!("{length} at {place}");
            assert_close(&[band.effective], &theirs[..1], 1e-9, &what);
            assert_eq!(band.quantiles.is_some(), theirs[0] >= 10.0);
            if let Some(quantiles) = band.quantiles {
                assert_close(&quantiles, &theirs[1..], TOLERANCE, &what);
            }
        }
    }
}

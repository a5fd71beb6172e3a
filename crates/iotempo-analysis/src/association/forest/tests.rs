use super::*;

fn few(trees: usize) -> ForestSettings {
    ForestSettings {
        trees,
        ..ForestSettings::default()
    }
}

fn steps(length: usize) -> (Vec<f64>, Vec<f64>) {
    let x: Vec<f64> = (0..length).map(|i| i as f64).collect();
    let y = x
        .iter()
        .map(|x| if *x < 50.0 { 2.0 } else { 6.0 })
        .collect();
    (x, y)
}

#[test]
fn a_step_is_found_where_it_is() {
    let (x, y) = steps(100);
    let forest = few(100).grow(&[&x], &y).unwrap();
    let curve = forest.curve(&[-10.0, 10.0, 40.0, 60.0, 200.0]).unwrap();
    for (got, expected) in curve.into_iter().zip([2.0, 2.0, 2.0, 6.0, 6.0]) {
        assert!((got - expected).abs() < 1e-9, "{got} is not {expected}");
    }
    assert!(forest.oob_r2().unwrap() > 0.95);
}

#[test]
fn noise_tells_nothing_of_what_was_not_seen() {
    let mut random = Random::new(1);
    let mut noise = || -> Vec<f64> { (0..300).map(|_| random.normal()).collect() };
    let (x, y) = (noise(), noise());
    let r2 = few(100).grow(&[&x], &y).unwrap().oob_r2().unwrap();
    assert!((-0.6..0.05).contains(&r2), "{r2}");
}

#[test]
fn the_input_that_matters_is_found_among_several() {
    let mut random = Random::new(4);
    let noise: Vec<f64> = (0..100).map(|_| random.normal()).collect();
    let (x, y) = steps(100);
    let forest = few(50).grow(&[&noise, &x], &y).unwrap();
    assert!((forest.predict(&[0.0, 20.0]).unwrap() - 2.0).abs() < 0.3);
    assert!((forest.predict(&[0.0, 80.0]).unwrap() - 6.0).abs() < 0.3);
    assert_eq!(forest.predict(&[0.0]), None);
    assert_eq!(forest.curve(&[0.0]), None);
}

#[test]
fn leaves_hold_no_fewer_points_than_asked_for() {
    // With leaves of half of all points there is one cut or none: at most two values.
    let (x, _) = steps(20);
    let settings = ForestSettings {
        leaf: 10,
        trees: 1,
        ..ForestSettings::default()
    };
    let forest = settings.grow(&[&x], &x).unwrap();
    let mut curve = forest.curve(&x).unwrap();
    curve.dedup();
    assert!(curve.len() <= 2, "{curve:?}");
}

#[test]
fn equal_inputs_are_never_cut_apart() {
    let x: Vec<f64> = (0..60).map(|i| f64::from(i / 30)).collect();
    let y: Vec<f64> = (0..60).map(f64::from).collect();
    let forest = few(20).grow(&[&x], &y).unwrap();
    let curve = forest.curve(&[0.0, 0.4, 0.6, 1.0]).unwrap();
    assert_eq!(curve[0], curve[1]);
    assert_eq!(curve[2], curve[3]);
}

#[test]
fn the_same_seed_grows_the_same_forest_on_any_number_of_threads() {
    let mut random = Random::new(2);
    let x: Vec<f64> = (0..80).map(|_| random.normal()).collect();
    let grow = |threads, seed| {
        let settings = ForestSettings {
            threads: NonZeroUsize::new(threads),
            seed,
            ..few(40)
        };
        settings.grow(&[&x], &x).unwrap()
    };
    assert_eq!(grow(1, 5), grow(3, 5));
    assert_ne!(grow(1, 5), grow(1, 6));
}

#[test]
fn large_and_small_targets_are_alike_and_nothing_to_learn_says_why() {
    let (x, y) = steps(100);
    for unit in [1e-300, 1e300] {
        let scaled: Vec<f64> = y.iter().map(|y| y * unit).collect();
        let forest = few(20).grow(&[&x], &scaled).unwrap();
        let got = forest.predict(&[10.0]).unwrap() / unit;
        assert!((got - 2.0).abs() < 1e-9, "{got}");
    }
    let of = |inputs: &[&[f64]], target: &[f64]| few(5).grow(inputs, target).unwrap_err();
    let constant = |column| Undetermined::Constant { column, value: 1.0 };
    assert_eq!(of(&[&[1.0; 100]], &y), constant(Column::X));
    assert_eq!(of(&[&x], &[1.0; 100]), constant(Column::Y));
    let too_few = Undetermined::TooFew {
        needed: 10,
        found: 9,
    };
    assert_eq!(of(&[&x[..9]], &y[..9]), too_few);
    assert!(matches!(of(&[], &y), Undetermined::Setting { .. }));
    assert!(matches!(of(&[&x], &y[..50]), Undetermined::Lengths { .. }));
    let mut nan = x.clone();
    nan[3] = f64::NAN;
    assert!(matches!(
        of(&[&nan], &y),
        Undetermined::NotFinite { index: 3, .. }
    ));
    assert!(few(0).grow(&[&x], &y).is_err());
}

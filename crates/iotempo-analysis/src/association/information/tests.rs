use super::*;
use crate::association::undetermined::Column;

/// The definition, with all distances.
fn by_tables(x: &[f64], y: &[f64], neighbours: usize) -> f64 {
    let n = x.len();
    let psi = |m: usize| digamma(m)[m - 1];
    let mut sum = 0.0;
    for i in 0..n {
        let others = (0..n).filter(|&j| j != i);
        let both = |j: usize| (x[i] - x[j]).abs().max((y[i] - y[j]).abs());
        let mut distances: Vec<f64> = others.clone().map(both).collect();
        distances.sort_by(f64::total_cmp);
        let farthest = distances[neighbours - 1];
        let nearer = |column: &[f64]| {
            let near = |j: &usize| {
                let distance = (column[i] - column[*j]).abs();
                distance < farthest || distance == 0.0
            };
            others.clone().filter(near).count()
        };
        sum += psi(nearer(x) + 1) + psi(nearer(y) + 1);
    }
    psi(neighbours) + psi(n) - sum / n as f64
}

fn normal_columns(seed: u64, length: usize, rho: f64) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random::new(seed);
    let pair = |_| {
        let (a, b) = (random.normal(), random.normal());
        (a, rho * a + (1.0 - rho * rho).sqrt() * b)
    };
    (0..length).map(pair).unzip()
}

#[test]
fn the_estimate_is_that_of_its_definition_with_and_without_ties() {
    for (length, neighbours) in [(5, 1), (9, 3), (40, 3), (200, 10)] {
        let (x, y) = normal_columns(length as u64, length, 0.8);
        let rounded = |column: &[f64]| column.iter().map(|v| (4.0 * v).round()).collect();
        for (x, y) in [(rounded(&x), rounded(&y)), (x, y)] {
            let got = mutual_information_as_is(&x, &y, neighbours).unwrap().nats;
            let expected = by_tables(&x, &y, neighbours).max(0.0);
            assert!((got - expected).abs() < 1e-12, "{length}: {got} {expected}");
        }
    }
}

#[test]
fn normal_columns_have_the_coefficient_they_were_made_with() {
    // −½ ln(1 − ρ²) nats; the estimate's standard error is about 0.02 here.
    for rho in [0.0, 0.55, 0.9] {
        let (x, y) = normal_columns(11, 2000, rho);
        let got = mutual_information(&x, &y, 10, 1).unwrap();
        let expected = -0.5 * (1.0 - rho * rho).ln();
        assert!((got.nats - expected).abs() < 0.06, "{rho}: {got:?}");
        assert!((got.normalised - (1.0 - (-2.0 * got.nats).exp()).sqrt()).abs() < 1e-12);
    }
}

#[test]
fn the_estimate_is_never_negative_and_the_seed_hardly_matters() {
    let (x, y) = normal_columns(3, 100, 0.0);
    let estimates: Vec<f64> = (0..5)
        .map(|seed| mutual_information(&x, &y, 3, seed).unwrap().nats)
        .collect();
    assert!(estimates.iter().all(|nats| *nats >= 0.0));
    assert!(
        estimates
            .iter()
            .all(|nats| (nats - estimates[0]).abs() < 1e-6)
    );
    let tied: Vec<f64> = x.iter().map(|x| x.round()).collect();
    assert!(
        mutual_information(&tied, &y, 3, 0)
            .unwrap()
            .nats
            .is_finite()
    );
}

#[test]
fn columns_without_an_estimate_say_why() {
    let steps = [1.0, 2.0, 3.0, 4.0];
    for of in [
        |x: &[f64], y: &[f64], k| mutual_information(x, y, k, 0),
        |x: &[f64], y: &[f64], k| mutual_information_as_is(x, y, k),
    ] {
        assert!(of(&steps, &steps, 3).is_ok());
        let few = Undetermined::TooFew {
            needed: 5,
            found: 4,
        };
        assert_eq!(of(&steps, &steps, 4), Err(few));
        assert!(matches!(
            of(&steps, &steps, 0),
            Err(Undetermined::Setting { .. })
        ));
        let constant = Undetermined::Constant {
            column: Column::Y,
            value: 7.0,
        };
        assert_eq!(of(&steps, &[7.0; 4], 2), Err(constant));
        let nan = [1.0, 2.0, f64::NAN, 0.0];
        assert!(matches!(
            of(&nan, &steps, 2),
            Err(Undetermined::NotFinite { index: 2, .. })
        ));
    }
}

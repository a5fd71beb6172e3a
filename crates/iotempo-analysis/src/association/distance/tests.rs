use super::*;
use crate::outliers::random::Random;

/// The definitions, with tables of all distances.
fn by_tables(x: &[f64], y: &[f64], estimate: Estimate) -> f64 {
    let n = x.len();
    let table = |values: &[f64]| -> Vec<Vec<f64>> {
        let row = |a: &f64| values.iter().map(|b| (a - b).abs()).collect();
        values.iter().map(row).collect()
    };
    let centred = |distances: Vec<Vec<f64>>| -> Vec<Vec<f64>> {
        let rows: Vec<f64> = distances.iter().map(|row| row.iter().sum()).collect();
        let total: f64 = rows.iter().sum();
        let count = n as f64;
        let (of_row, of_all) = match estimate {
            Estimate::Plain => (count, count * count),
            Estimate::Corrected => (count - 2.0, (count - 1.0) * (count - 2.0)),
        };
        let at = |j: usize, k: usize| match estimate {
            Estimate::Corrected if j == k => 0.0,
            _ => distances[j][k] - rows[j] / of_row - rows[k] / of_row + total / of_all,
        };
        (0..n).map(|j| (0..n).map(|k| at(j, k)).collect()).collect()
    };
    let (a, b) = (centred(table(x)), centred(table(y)));
    let product = |a: &[Vec<f64>], b: &[Vec<f64>]| -> f64 {
        let pairs = a.iter().flatten().zip(b.iter().flatten());
        pairs.map(|(a, b)| a * b).sum()
    };
    let square = product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt();
    match estimate {
        Estimate::Plain => square.max(0.0).sqrt(),
        Estimate::Corrected => square,
    }
}

/// Columns of which the second leans on the first; whole numbers are full of ties.
fn columns(seed: u64, length: usize, whole: bool) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random::new(seed);
    let mut value = || {
        let value = 8.0 * random.fraction();
        if whole { value.floor() } else { value }
    };
    let x: Vec<f64> = (0..length).map(|_| value()).collect();
    let y = x.iter().map(|x| value() + (x - 4.0).abs()).collect();
    (x, y)
}

#[test]
fn both_estimates_are_those_of_tables_at_many_lengths_with_and_without_ties() {
    for length in (5..70).chain([127, 128, 129, 300]) {
        // A few whole numbers may be all the same but one, which has no corrected estimate.
        for whole in [false, true]
            .into_iter()
            .filter(|whole| !whole || length > 12)
        {
            let (x, y) = columns(length as u64, length, whole);
            for (estimate, of) in [
                (
                    Estimate::Plain,
                    distance_correlation as fn(&[f64], &[f64]) -> _,
                ),
                (Estimate::Corrected, distance_correlation_corrected),
            ] {
                let got: Result<f64, Undetermined> = of(&x, &y);
                let (got, expected) = (got.unwrap(), by_tables(&x, &y, estimate));
                let apart = (got - expected).abs();
                assert!(
                    apart < 1e-12,
                    "{length} {whole} {estimate:?}: {got} {expected}"
                );
            }
        }
    }
}

#[test]
fn a_straight_line_has_a_coefficient_of_one_and_its_sign_does_not_matter() {
    let x = [3.0, 1.0, 4.0, 1.5, 9.0];
    let line = x.map(|x| 2.0 - 7.0 * x);
    assert!((distance_correlation(&x, &line).unwrap() - 1.0).abs() < 1e-12);
    assert!((distance_correlation_corrected(&x, &line).unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn a_full_table_of_combinations_is_independent() {
    let x: Vec<f64> = (0..20).map(|i| f64::from(i % 4)).collect();
    let y: Vec<f64> = (0..20).map(|i| f64::from((i / 4) * (i / 4))).collect();
    // The square is rounded, and its root is taken.
    assert!(distance_correlation(&x, &y).unwrap() < 1e-7);
    assert!(distance_correlation_corrected(&x, &y).unwrap() < 0.0);
}

#[test]
fn another_pairing_is_that_of_other_columns() {
    let (x, y) = columns(5, 60, true);
    let mut pairing: Vec<u32> = (0..60).collect();
    let mut random = Random::new(9);
    (1..60).for_each(|i| pairing.swap(i, random.below(i + 1)));
    let paired: Vec<f64> = pairing.iter().map(|&j| y[j as usize]).collect();
    for estimate in [Estimate::Plain, Estimate::Corrected] {
        let plan = Distance::new(&x, &y, estimate).unwrap();
        let got = plan.paired(&pairing, &mut Room::default());
        assert!((got - by_tables(&x, &paired, estimate)).abs() < 1e-12);
    }
}

#[test]
fn columns_without_a_coefficient_say_why() {
    let steps = [1.0, 2.0, 3.0, 4.0];
    let outweighed = |column| Err(Undetermined::Outweighed { column });
    let one_differs = [0.0, 0.0, 1.0, 0.0];
    let corrected = distance_correlation_corrected;
    assert_eq!(corrected(&one_differs, &steps), outweighed(Column::X));
    assert_eq!(corrected(&steps, &one_differs), outweighed(Column::Y));
    assert!(distance_correlation(&steps, &one_differs).is_ok());
    assert!(distance_correlation(&steps[..3], &steps[..3]).is_ok());
    for of in [distance_correlation, distance_correlation_corrected] {
        assert!(matches!(
            of(&[2.0; 4], &steps),
            Err(Undetermined::Constant { .. })
        ));
        assert!(matches!(
            of(&steps[..2], &steps[..2]),
            Err(Undetermined::TooFew { .. })
        ));
        let nan = [1.0, f64::NAN, 2.0, 3.0];
        assert!(matches!(
            of(&steps, &nan),
            Err(Undetermined::NotFinite { index: 1, .. })
        ));
    }
    let three = Undetermined::TooFew {
        needed: 4,
        found: 3,
    };
    assert_eq!(corrected(&steps[..3], &steps[..3]), Err(three));
}

//! Columns that can be spoken of: equally long, finite, not constant, and of harmless size.

use super::undetermined::{Column, Undetermined};

/// Two columns, each centred and scaled. No coefficient here depends on either.
pub(super) struct Columns {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
}

impl Columns {
    /// Checks the columns, of which at least `needed` values are needed.
    pub(super) fn new(x: &[f64], y: &[f64], needed: usize) -> Result<Self, Undetermined> {
        check(x, y, needed)?;
        Ok(Self {
            x: centred(x, Column::X)?,
            y: centred(y, Column::Y)?,
        })
    }
}

/// Asserts that columns are equally long, long enough and finite.
pub(super) fn check(x: &[f64], y: &[f64], needed: usize) -> Result<(), Undetermined> {
    if x.len() != y.len() {
        return Err(Undetermined::Lengths {
            x: x.len(),
            y: y.len(),
        });
    }
    check_finite(x, Column::X)?;
    check_finite(y, Column::Y)?;
    // Places are kept as 32 bits: as many points as that take days anyway.
    if x.len() < needed || u32::try_from(x.len()).is_err() {
        return Err(Undetermined::TooFew {
            needed,
            found: x.len(),
        });
    }
    Ok(())
}

pub(super) fn check_finite(values: &[f64], column: Column) -> Result<(), Undetermined> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => Err(Undetermined::NotFinite {
            column,
            index,
            value: values[index],
        }),
    }
}

/// The values around their mean, in units of a power of two that makes the largest about 1: so their
/// squares neither overflow nor vanish, and values that are equal remain so.
pub(super) fn centred(values: &[f64], column: Column) -> Result<Vec<f64>, Undetermined> {
    let (value, most) = range(values);
    if value >= most {
        return Err(Undetermined::Constant { column, value });
    }
    let mut scaled = values.to_vec();
    rescale(&mut scaled);
    let mean = mean(&scaled);
    scaled.iter_mut().for_each(|value| *value -= mean);
    // Again, because what differs may be small beside the mean.
    rescale(&mut scaled);
    Ok(scaled)
}

fn rescale(values: &mut [f64]) {
    let (least, most) = range(values);
    let largest = most.max(-least);
    // Twice, because the inverse of the least power of two is too large for a number.
    let half = -(exponent(largest) / 2);
    let rest = -exponent(largest) - half;
    let (first, second) = (2_f64.powi(half), 2_f64.powi(rest));
    values
        .iter_mut()
        .for_each(|value| *value = *value * first * second);
}

/// The power of two just below a positive number.
fn exponent(value: f64) -> i32 {
    match (value.to_bits() >> 52) as i32 {
        // Numbers this small are not normalised; the least power will do.
        0 => -1074,
        biased => biased - 1023,
    }
}

/// How many sums are kept side by side: a single one makes each addition wait for the last.
const LANES: usize = 8;

/// The sum of what `term` makes of the numbers from 0 up to `count`.
pub(super) fn sum_of(count: usize, term: impl Fn(usize) -> f64) -> f64 {
    let mut sums = [0.0; LANES];
    let whole = count - count % LANES;
    for first in (0..whole).step_by(LANES) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum += term(first + lane);
        }
    }
    (whole..count).for_each(|place| sums[place % LANES] += term(place));
    sums.iter().sum()
}

/// The least and the greatest value.
pub(super) fn range(values: &[f64]) -> (f64, f64) {
    let (rows, rest) = values.as_chunks::<LANES>();
    let (mut least, mut most) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    for row in rows {
        for lane in 0..LANES {
            let value = row[lane];
            least[lane] = if value < least[lane] {
                value
            } else {
                least[lane]
            };
            most[lane] = if value > most[lane] {
                value
            } else {
                most[lane]
            };
        }
    }
    let least = least.iter().chain(rest);
    let most = most.iter().chain(rest);
    (
        least.copied().fold(f64::INFINITY, f64::min),
        most.copied().fold(f64::NEG_INFINITY, f64::max),
    )
}

/// The sum of the products of two rows of the same length.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let count = a.len().min(b.len());
    let (a, a_rest) = a[..count].as_chunks::<LANES>();
    let (b, b_rest) = b[..count].as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// The mean; 0 of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    sum_of(values.len(), |place| values[place]) / values.len().max(1) as f64
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_too_short_or_constant_is_named() {
        let of = |x: &[f64], y: &[f64]| Columns::new(x, y, 3).map(|_| ()).unwrap_err();
        let steps = [1.0, 2.0, 3.0];
        assert_eq!(of(&[1.0], &steps), Undetermined::Lengths { x: 1, y: 3 });
        let few = Undetermined::TooFew {
            needed: 3,
            found: 2,
        };
        assert_eq!(of(&steps[..2], &steps[..2]), few);
        let constant = Undetermined::Constant {
            column: Column::Y,
            value: 0.1,
        };
        assert_eq!(of(&steps, &[0.1; 3]), constant);
        let infinite = Undetermined::NotFinite {
            column: Column::X,
            index: 1,
            value: f64::INFINITY,
        };
        assert_eq!(of(&[0.0, f64::INFINITY, 1.0], &steps), infinite);
        assert!(matches!(
            of(&steps, &[0.0, 1.0, f64::NAN]),
            Undetermined::NotFinite {
                column: Column::Y,
                index: 2,
                ..
            }
        ));
    }

    #[test]
    fn the_largest_and_the_smallest_numbers_are_scaled_alike() {
        let expected = centred(&[-1.0, 0.0, 1.0], Column::X).unwrap();
        for unit in [f64::MAX, 1.0, f64::MIN_POSITIVE, 5e-324] {
            let values = centred(&[-unit, 0.0, unit], Column::X).unwrap();
            let ratio = values[2] / expected[2];
            assert!((0.5..=2.0).contains(&ratio), "{unit:e}: {values:?}");
            assert_eq!(values[0], -values[2]);
        }
    }
}

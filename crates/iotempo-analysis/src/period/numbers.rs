//! Small sums over samples.

/// How many sums are kept side by side: a single one makes each addition wait for the last.
const LANES: usize = 8;

/// The sum of what `term` makes of each index and value.
pub(super) fn sum_of(values: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let (rows, rest) = values.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    let mut first = 0.0;
    for row in rows {
        for (lane, (sum, value)) in sums.iter_mut().zip(row).enumerate() {
            *sum += term(first + lane as f64, *value);
        }
        first += LANES as f64;
    }
    for (lane, (sum, value)) in sums.iter_mut().zip(rest).enumerate() {
        *sum += term(first + lane as f64, *value);
    }
    sums.iter().sum()
}

/// The sums of all beginnings: of nothing, of the first value, and so on to all of them.
pub(super) fn running_sums(values: &[f64]) -> Vec<f64> {
    let mut sums = Vec::with_capacity(values.len() + 1);
    let mut sum = 0.0;
    sums.push(sum);
    sums.extend(values.iter().map(|value| {
        sum += value;
        sum
    }));
    sums
}

/// The sum of the products of two rows, the longer one cut.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let both = a.len().min(b.len());
    let (a, a_rest) = a[..both].as_chunks::<LANES>();
    let (b, b_rest) = b[..both].as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    for (sum, (a, b)) in sums.iter_mut().zip(a_rest.iter().zip(b_rest)) {
        *sum += a * b;
    }
    sums.iter().sum()
}

/// The least and the greatest value, of numbers.
pub(super) fn range(values: &[f64]) -> (f64, f64) {
    let (rows, rest) = values.as_chunks::<LANES>();
    let mut low = [f64::INFINITY; LANES];
    let mut high = [f64::NEG_INFINITY; LANES];
    for row in rows {
        for lane in 0..LANES {
            low[lane] = if row[lane] < low[lane] {
                row[lane]
            } else {
                low[lane]
            };
            high[lane] = if row[lane] > high[lane] {
                row[lane]
            } else {
                high[lane]
            };
        }
    }
    let low = low
        .iter()
        .chain(rest)
        .copied()
        .fold(f64::INFINITY, f64::min);
    let high = high
        .iter()
        .chain(rest)
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    (low, high)
}

/// The mean; 0 of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    sum_of(values, |_, value| value) / values.len().max(1) as f64
}

/// The standard deviation of the values at hand.
pub(super) fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares = sum_of(values, |_, value| (value - mean) * (value - mean));
    (squares / values.len().max(1) as f64).sqrt()
}

/// The upper median; 0 of nothing.
pub(super) fn median(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let mut keys: Vec<i64> = values.iter().map(|value| key(*value)).collect();
    let middle = keys.len() / 2;
    let (_, median, _) = keys.select_nth_unstable(middle);
    of_key(*median)
}

/// Values in ascending order.
pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut keys: Vec<i64> = values.iter().map(|value| key(*value)).collect();
    keys.sort_unstable();
    keys.into_iter().map(of_key).collect()
}

/// A number in the order of [`f64::total_cmp`]: integers are sorted several times as fast.
pub(super) fn key(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    // The bits of negative numbers count down.
    bits ^ (bits >> 63 & i64::MAX)
}

/// The value that has this key.
pub(super) fn of_key(key: i64) -> f64 {
    f64::from_bits((key ^ (key >> 63 & i64::MAX)) as u64)
}

/// Values less their mean.
pub(super) fn centred(values: &[f64]) -> Vec<f64> {
    let mean = mean(values);
    values.iter().map(|value| value - mean).collect()
}

/// Values less the straight line of least squares through them.
pub(super) fn detrended(values: &[f64]) -> Vec<f64> {
    let n = values.len() as f64;
    let middle = 0.5 * (n - 1.0);
    let level = mean(values);
    // The squares of all places around the middle add up to n(n² − 1)/12.
    let squares = n * (n * n - 1.0) / 12.0;
    let rise = sum_of(values, |place, value| (place - middle) * value);
    let slope = rise / squares.max(f64::MIN_POSITIVE);
    let line = (0..values.len()).map(|place| level + slope * (place as f64 - middle));
    values.iter().zip(line).map(|(y, fit)| y - fit).collect()
}

/// How much of a value is still in the next: the first coefficient of correlation with itself, of
/// values around 0.
pub(super) fn memory(values: &[f64]) -> f64 {
    let all = dot(values, values);
    let next = dot(values, values.get(1..).unwrap_or(&[]));
    if all > 0.0 { next / all } else { 0.0 }
}

/// Where between bins the power around bin `k` is greatest: the vertex of a parabola through the
/// amplitudes.
pub(super) fn crest(power: &[f64], k: usize) -> f64 {
    if k == 0 || k + 1 >= power.len() {
        return k as f64;
    }
    let [left, middle, right] = [power[k - 1], power[k], power[k + 1]].map(f64::sqrt);
    let bend = left - 2.0 * middle + right;
    if bend >= 0.0 {
        return k as f64;
    }
    k as f64 + (0.5 * (left - right) / bend).clamp(-0.5, 0.5)
}

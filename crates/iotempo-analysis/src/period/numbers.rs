//! Small sums over samples.

/// The mean; 0 of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The standard deviation of the values at hand.
pub(super) fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / values.len().max(1) as f64).sqrt()
}

/// The upper median; 0 of nothing.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    let middle = values.len() / 2;
    if values.is_empty() {
        return 0.0;
    }
    let (_, median, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    *median
}

/// Values less their mean.
pub(super) fn centred(values: &[f64]) -> Vec<f64> {
    let mean = mean(values);
    values.iter().map(|value| value - mean).collect()
}

/// Values less the straight line of least squares through them.
pub(super) fn detrended(values: &[f64]) -> Vec<f64> {
    let middle = 0.5 * (values.len() as f64 - 1.0);
    let level = mean(values);
    let offsets = (0..values.len()).map(|index| index as f64 - middle);
    let squares: f64 = offsets.clone().map(|x| x * x).sum();
    let rise: f64 = offsets.clone().zip(values).map(|(x, y)| x * y).sum();
    let slope = rise / squares.max(f64::MIN_POSITIVE);
    let line = offsets.map(|x| level + slope * x);
    values.iter().zip(line).map(|(y, fit)| y - fit).collect()
}

/// How much of a value is still in the next: the first coefficient of correlation with itself, of
/// values around 0.
pub(super) fn memory(values: &[f64]) -> f64 {
    let all: f64 = values.iter().map(|x| x * x).sum();
    let next: f64 = values.windows(2).map(|pair| pair[0] * pair[1]).sum();
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

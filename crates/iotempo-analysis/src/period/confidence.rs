//! From evidence to a probability.

use super::train::Train;

/// How sure the period of a train is: the weaker the case for chance, the surer.
pub(super) fn of_train(train: &Train) -> f64 {
    let surprise = -train.p_value().max(1e-12).log10();
    let sure = if train.certain { 1.0 } else { 0.0 };
    logistic(-2.0 + 1.5 * surprise + 2.0 * sure - train.jitter())
}

/// How sure a period is that only lines in the spectrum show.
pub(super) fn of_line(ln_p: f64, resembles: bool) -> f64 {
    let surprise = (-ln_p / std::f64::consts::LN_10).min(12.0);
    let resembling = if resembles { 0.0 } else { -8.0 };
    logistic(-4.0 + surprise + resembling)
}

/// How sure a guess is that nothing but the strongest wave supports.
pub(super) fn of_guess(resembles: bool) -> f64 {
    if resembles { 0.3 } else { 0.1 }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

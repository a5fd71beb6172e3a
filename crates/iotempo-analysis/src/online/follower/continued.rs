//! A rhythm that goes on, seen by its bursts alone.
//!
//! Where phases differ in size, every second or third of them is a rhythm as well, and which of these stands out
//! changes from look to look. But what was told is true as long as a burst comes where it makes one come.

use super::Follower;
use crate::online::known::{Known, SOME, is_alive, is_same};
use crate::period::{Estimate, Phase, Rhythm};
use iotempo_model::{Bytes, Seconds};

/// So many bursts must have come in time.
const FEWEST: usize = 5;

/// So many of them are looked at.
const MOST: usize = 16;

/// How much later or earlier than a period after the one before it a burst may come, as a share of it.
const IN_TIME: f64 = 0.15;

impl Follower {
    /// The rhythm that is known, where it goes on by its bursts and was not seen otherwise. One that is slower and
    /// moves more is worth more.
    pub(super) fn continued(&self, rhythms: &[Rhythm], now: Seconds) -> Option<Rhythm> {
        let known = self.known?;
        let mut alive = rhythms.iter().filter(|rhythm| is_alive(rhythm, now));
        let first = alive.next()?;
        if is_same(first, known.period) || known.gives_way_to(first) {
            return None;
        }
        let finest = self.origin.resolution.map_or(0.0, Seconds::get);
        let back = Seconds::new((MOST as f64 + 0.5) * known.period.get())?;
        let pause = known.between_bursts().max(finest);
        let bursts = self.history.bursts_after(now - back, pause);
        rhythm_of(&known, bursts).filter(|rhythm| is_alive(rhythm, now))
    }
}

/// The rhythm of the last bursts, as far back as one came in time after the other.
fn rhythm_of(known: &Known, mut bursts: Vec<Phase>) -> Option<Rhythm> {
    let period = known.period.get();
    let enough = SOME * known.usual.get();
    bursts.retain(|burst| burst.bytes.get() >= enough);
    let apart = |pair: &[Phase]| (pair[1].start - pair[0].start).get();
    let in_time = |pair: &&[Phase]| (apart(pair) / period - 1.0).abs() < IN_TIME;
    let kept = bursts.windows(2).rev().take_while(in_time).count() + 1;
    let phases = bursts.split_off(bursts.len().checked_sub(kept)?);
    if phases.len() < FEWEST {
        return None;
    }
    let times: Vec<f64> = phases.windows(2).map(apart).collect();
    let count = times.len() as f64;
    let mean = times.iter().sum::<f64>() / count;
    let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    let error = 2.0 * deviation / count.sqrt();
    let bytes = phases.iter().map(|phase| phase.bytes.get()).sum();
    Some(Rhythm {
        period: Estimate {
            value: Seconds::new(mean)?,
            low: Seconds::new(mean - error)?,
            high: Seconds::new(mean + error)?,
        },
        confidence: known.confidence,
        jitter: Some(deviation / mean),
        next_start: None,
        bytes: Bytes::new(bytes)?,
        phases,
    })
}

//! From common bursts to a signature.

use super::bursts::Burst;
use super::clusters::Cluster;
use super::numbers::{mean, spread};
use super::points::Point;
use super::template::{Common, Template};

/// The mean of each cluster's bursts, brought to their mean time. Outside of its bursts the signature
/// is 0, and where two overlap it is the higher one.
pub(super) fn average(
    rates: &[&[f64]],
    bursts: &[Vec<Burst>],
    clusters: &[Cluster],
    length: usize,
) -> Template {
    let mut template = Template {
        rates: vec![0.0; length],
        timing: None,
        doubtful: 0,
        bursts: Vec::with_capacity(clusters.len()),
    };
    for cluster in clusters {
        let times: Vec<f64> = cluster.iter().map(|point| point.time).collect();
        let time = mean(&times);
        let of = |point: &Point| bursts[point.sample][point.burst];
        let moved = |point: &Point| (time - point.time).round() as isize;
        let shift = |place: usize, by: isize| place as isize + by;
        let starts = cluster.iter().map(|p| shift(of(p).start, moved(p)));
        let ends = cluster.iter().map(|p| shift(of(p).end, moved(p)));
        let inside = |place: isize| place.clamp(0, length as isize - 1) as usize;
        let (Some(start), Some(end)) = (starts.clone().min(), ends.clone().max()) else {
            continue;
        };
        let (start, end) = (inside(start), inside(end));
        let mut sums = vec![0.0; end - start + 1];
        for point in cluster {
            let burst = of(point);
            for (place, rate) in (burst.start..).zip(burst.of(rates[point.sample])) {
                let place = shift(place, moved(point)) - start as isize;
                if let Some(sum) = usize::try_from(place).ok().and_then(|i| sums.get_mut(i)) {
                    *sum += rate;
                }
            }
        }
        for (rate, sum) in template.rates[start..=end].iter_mut().zip(&sums) {
            *rate = rate.max(sum / cluster.len() as f64);
        }
        // Some of its bursts begin earlier, and some end later.
        let middling = |sum: isize| inside(sum / cluster.len() as isize);
        let moved = |point: &Point| of(point).of(rates[point.sample]).iter().sum();
        template.bursts.push(Common {
            start: middling(starts.sum()),
            end: middling(ends.sum()),
            support: cluster.len(),
            time,
            extent: (start, end),
            spread: spread(cluster.iter().map(moved).collect()),
        });
    }
    divide(&mut template);
    template
}

/// Divides points between bursts that overlap where the rate is least: no byte is of two.
fn divide(template: &mut Template) {
    for k in 1..template.bursts.len() {
        let (before, own) = (template.bursts[k - 1], template.bursts[k]);
        if own.extent.0 > before.extent.1 {
            continue;
        }
        // Between the middles of both, in order: a burst keeps a point at least.
        let end = before.extent.1.max(own.extent.1);
        let last = (own.time as usize).min(end.saturating_sub(1));
        let from = (before.time as usize).max(before.extent.0).min(last);
        let least = (from..=last).min_by(|&a, &b| {
            let (a, b) = (template.rates[a], template.rates[b]);
            a.total_cmp(&b)
        });
        let cut = least.unwrap_or(from).max(before.extent.0);
        template.bursts[k - 1].extent.1 = cut;
        template.bursts[k].extent = ((cut + 1).min(end), end);
    }
}

//! Jobs that are slowed down by others, for tests of pages.
#![allow(dead_code, unreachable_pub, reason = "every test uses a part of it")]

use iotempo_analysis::association::Coefficient;
use iotempo_analysis::correlate::study::{
    Curves, Grain, GrainPoint, Lag, Points, Study, StudySettings,
};
use iotempo_model::Warning;
use iotempo_report::correlate::{CorrelatePage, Quantity, ShownGroup, ShownPair, Unit, Verdict};
use iotempo_report::{Fact, Table, Units};

pub const HOSTILE: &str = "</script><img src=x onerror=\"hacked = 1\">\u{202e}";

/// A number in 0..1 that looks random, and is the same every time.
pub fn noise(number: u64) -> f64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A job after the other: at up to 20 GB/s of others it takes up to twice as long.
pub fn points(jobs: u64, slope: f64) -> Points {
    let load = |job: u64| 2e10 * noise(3 * job);
    let time =
        |job: u64| 100.0 * (1.0 + slope * load(job) / 2e10) * (0.9 + 0.2 * noise(3 * job + 1));
    Points {
        load: (0..jobs).map(load).collect(),
        time: (0..jobs).map(time).collect(),
        day: (0..jobs as i64).collect(),
        dated: false,
    }
}

/// All that is known of jobs.
pub struct Known {
    pub points: Points,
    pub study: Study,
    pub curves: Curves,
    pub grains: Vec<Grain>,
    pub lags: Vec<Lag>,
}

pub fn settings() -> StudySettings {
    StudySettings {
        permutations: 199,
        information_permutations: 19,
        resamples: 199,
        trees: 20,
        ..StudySettings::default()
    }
}

impl Known {
    /// Jobs of a table: no other days, no coarser logs.
    pub fn of_table(points: Points) -> Self {
        let settings = settings();
        Self {
            study: settings.study(&points, &[], None),
            curves: settings.curves(&points),
            points,
            grains: Vec::new(),
            lags: Vec::new(),
        }
    }

    /// Jobs of logs, with all that these allow.
    pub fn of_logs(points: Points) -> Self {
        let settings = settings();
        let jobs = points.load.len() as u64;
        let other_day = |day: u64| {
            let load = |job: u64| Some(2e10 * noise(1_000_000 + 1000 * day + job));
            (0..jobs).map(load).collect()
        };
        let shifted: Vec<_> = (0..60).map(other_day).collect();
        let grain = |factor: u32| {
            let point = |(coefficient, value): (Coefficient, f64)| GrainPoint {
                coefficient,
                // One length of intervals is too long for one coefficient.
                value: (factor != 7 || value < 0.7).then_some(value / f64::from(factor).sqrt()),
                range: (factor != 7 || value < 0.7).then_some((0.2 * value, value)),
            };
            let coefficients = [
                (Coefficient::Pearson, 0.72),
                (Coefficient::Spearman, 0.69),
                (Coefficient::Distance, 0.6),
            ];
            Grain {
                step_s: 60.0 * f64::from(factor),
                points: coefficients.map(point).to_vec(),
            }
        };
        let lag = |step: i32| Lag {
            ahead_s: 30.0 * f64::from(step),
            value: (step != 4).then_some(0.7 - 0.05 * f64::from(step).abs()),
        };
        Self {
            study: settings.study(&points, &shifted, None),
            curves: settings.curves(&points),
            points,
            grains: (1..=20).map(grain).collect(),
            lags: (-4..=4).map(lag).collect(),
        }
    }

    /// A group of them.
    pub fn group(&self, name: &str, unit: Unit) -> ShownGroup<'_> {
        let of_logs = !self.grains.is_empty();
        let pair = ShownPair {
            title: format!("time beside {name}"),
            study: &self.study,
        };
        ShownGroup {
            name: name.to_owned(),
            facts: vec![Fact::new("user", name)],
            verdict: match self.study.rank() {
                Some(rank) if rank.value > 0.4 => Verdict::SlowsDown,
                Some(_) => Verdict::NoSign,
                None => Verdict::Undetermined,
            },
            sentence: format!("What is said of {name}."),
            adjusted: self.study.rank().and_then(|rank| rank.chance()),
            load: Quantity {
                name: format!("load of {name}"),
                unit,
            },
            time: format!("time of {name}"),
            points: &self.points,
            study: &self.study,
            curves: &self.curves,
            grains: &self.grains,
            lags: &self.lags,
            pairs: if of_logs { vec![pair] } else { Vec::new() },
            also: vec![format!("Expected of {name}: 2 min.")],
            left_out: vec![format!("1 job left out: {name}")],
        }
    }
}

pub fn page(groups: Vec<ShownGroup<'_>>) -> CorrelatePage<'_> {
    CorrelatePage {
        title: format!("Jobs {HOSTILE}"),
        jobs: 1234,
        too_few: 2,
        too_few_jobs: 7,
        left_out: vec![format!("3 jobs left out: {HOSTILE}")],
        groups,
        inputs: vec![Table {
            title: "Logs of jobs".to_owned(),
            columns: vec!["file".to_owned(), "SHA-256".to_owned()],
            rows: vec![vec![HOSTILE.to_owned(), "ab".repeat(32)]],
            notes: vec!["5 more were read.".to_owned()],
        }],
        warnings: vec![Warning::new("logs", HOSTILE)],
        settings: vec![Fact::new("permutations", "199")],
        tool: "iotempo 0.1.0".to_owned(),
        units: Units::Si,
    }
}

pub fn html(page: &CorrelatePage<'_>) -> String {
    let mut bytes = Vec::new();
    page.write_into(&mut bytes).expect("memory");
    String::from_utf8(bytes).expect("text")
}

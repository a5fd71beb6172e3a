//! How much of what the counters count a kind of evidence shows.

use super::dxt::{DxtVisitor, Segment};
use super::log::DxtRecord;
use super::module::Module;
use super::opened::Opened;
use super::totals::{self, COUNTING, Totals};
use iotempo_model::{Api, Op, Source, Warning};

/// What the counters of each layer add up to.
pub(crate) struct Counted(Vec<(Api, Totals)>);

impl Counted {
    pub(crate) fn of(log: &mut Opened) -> Self {
        let held = COUNTING
            .iter()
            .filter(|(module, _)| log.has(*module))
            .copied();
        let held: Vec<_> = held.collect();
        Self(
            held.into_iter()
                .map(|(module, api)| (api, totals::of(log, module)))
                .collect(),
        )
    }

    fn layer(&self, api: Api) -> f64 {
        self.0
            .iter()
            .filter(|(a, _)| *a == api)
            .map(|(_, totals)| totals.bytes())
            .fold(0.0, |sum, bytes| sum + bytes)
    }

    /// The bytes that a source can show: all of them, or those that DXT traces.
    pub(crate) fn bytes(&self, source: Source) -> f64 {
        // A file seen by both layers counts once; which one sees more differs by a little.
        let files = self.layer(Api::Posix).max(self.layer(Api::MpiIo));
        match source {
            Source::Dxt => files,
            _ => files + self.layer(Api::Stdio) + self.layer(Api::Dfs).max(self.layer(Api::Daos)),
        }
    }

    /// A warning where a source shows clearly less than the counters count.
    pub(crate) fn missing(&self, source: Source, shown: f64) -> Option<Warning> {
        let all = self.bytes(Source::Counters);
        let share = shown / all;
        (source != Source::Counters && all > 0.0 && share < 0.99).then(|| {
            Warning::new(
                "bytes-missing",
                format!(
                    "{source} shows {:.1} % of the {all} bytes that the counters count ({})",
                    100.0 * share,
                    source.cannot_show()
                ),
            )
        })
    }
}

/// How many bytes DXT shows. It is only looked through where it dropped requests; else it shows
/// what POSIX and MPI-IO count.
pub(crate) fn shown_by_dxt(log: &mut Opened, counted: &Counted) -> f64 {
    struct Sum(f64);
    impl DxtVisitor for Sum {
        fn record(&mut self, _: &DxtRecord) -> bool {
            true
        }
        fn segments(&mut self, _: Op, segments: impl Iterator<Item = Segment>) -> bool {
            self.0 += segments
                .map(|segment| segment.length.max(0) as f64)
                .sum::<f64>();
            true
        }
    }
    let modules = [Module::DxtPosix, Module::DxtMpiio];
    if !modules.iter().any(|&module| log.is_partial(module)) {
        return counted.bytes(Source::Dxt);
    }
    modules
        .iter()
        .map(|&module| {
            let mut sum = Sum(0.0);
            log.each_dxt(module, &mut sum);
            sum.0
        })
        .fold(0.0, f64::max)
}

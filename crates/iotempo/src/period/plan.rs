//! From words to what is to be done.

use super::args::{FtioArgs, Method, PeriodArgs, Rate, ShownArgs};
use crate::cli::{CommonArgs, Direction};
use crate::convert;
use crate::inputs::Inputs;
use crate::settings::{Settings, Stated, usage_error};
use iotempo_analysis::ftio;
use iotempo_analysis::period::Detector;
use iotempo_analysis::spectrum::Measure;
use iotempo_model::{Bytes, Hertz, MAX_SAMPLES};
use iotempo_report::chart::Glyphs;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What is to be done with every input.
pub(super) struct Plan {
    pub(super) method: Method,
    pub(super) detector: Detector,
    pub(super) ftio: ftio::Settings,
    pub(super) rate: Option<Rate>,
    pub(super) memory_limit_gb: f64,
    pub(super) skip_first: bool,
    pub(super) shown: Shown,
    /// What a person should know about how their words were understood.
    pub(super) notes: Vec<String>,
}

/// What an analysis holds of a sample at its peak, transforms included: 58 bytes of each of 9.5
/// million, measured with `/usr/bin/time iotempo period testdata/checkpoint.darshan -f 20000
/// --memory-limit 2`.
const BYTES_A_SAMPLE: f64 = 64.0;

/// Why there is no report of many inputs.
pub(super) const ONE_INPUT: &str =
    "-o: a report is about one input; iotempo report --out-dir writes many";

/// How results are shown.
pub(super) struct Shown {
    pub(super) form: Form,
    pub(super) parquet: Option<PathBuf>,
    pub(super) report: Option<PathBuf>,
    pub(super) exit_code: bool,
    /// What the chart is drawn with; `None` for no chart.
    pub(super) chart: Option<Glyphs>,
}

impl Shown {
    /// Refuses outputs that are inputs, and one report of many inputs.
    pub(super) fn check(&self, inputs: &mut Inputs) -> anyhow::Result<()> {
        if self.report.is_some() && inputs.several() {
            return Err(usage_error(ONE_INPUT).into());
        }
        for path in self.report.iter().chain(&self.parquet) {
            convert::check_output(path, inputs)?;
            convert::check_folder(path)?;
            inputs.leave_out(path);
        }
        Ok(())
    }
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Human,
    Json,
    Csv,
}

/// All settings in force, as results state them.
#[derive(Serialize)]
pub(super) struct StatedPlan<'a> {
    #[serde(flatten)]
    stated: &'a Stated,
    method: Method,
    /// `None`: what the source resolves.
    rate_hz: Option<f64>,
    automatic_rate: bool,
    memory_limit_gb: f64,
    skip_first: bool,
    threshold: Option<f64>,
    tolerance: Option<f64>,
    outlier: Option<ftio::Outlier>,
    autocorrelation: Option<bool>,
    amplitude: Option<bool>,
    top: Option<usize>,
}

impl StatedPlan<'_> {
    /// The direction: `read`, `write` or `both`.
    pub(super) fn op(&self) -> &'static str {
        self.stated.op()
    }
}

impl Plan {
    /// # Errors
    /// Where the words contradict each other.
    pub(super) fn new(words: &mut PeriodArgs, common: &CommonArgs) -> Result<Self, clap::Error> {
        if let Some(named) = outlier(words.shown.output.as_deref()) {
            words.shown.output = None;
            words.ftio.outlier.get_or_insert(named.name().to_owned());
        }
        let mut notes = Vec::new();
        let given = given(&words.ftio);
        let method = words.method.unwrap_or_else(|| {
            if given.is_empty() {
                return Method::Iotempo;
            }
            let options = given.join(", ");
            notes.push(format!("{options}: answered as FTIO does (--method ftio)"));
            Method::Ftio
        });
        if method == Method::Iotempo && !given.is_empty() {
            let options = given.join(", ");
            let message = format!("{options}: only --method ftio and --method paper know that");
            return Err(usage_error(message));
        }
        if method != Method::Iotempo && words.threshold.is_some() {
            return Err(usage_error("--threshold: FTIO does not know that"));
        }
        check_transform(words.ftio.transform.as_deref())?;
        notes.extend(words.ftio.engine.as_deref().and_then(engine));
        choose_direction(words, method);
        if let Some(layer) = words.ftio.module {
            words.select.api = layer;
        }
        Ok(Self {
            method,
            detector: detector(words.threshold),
            ftio: ftio_settings(words, method)?,
            rate: words.freq,
            memory_limit_gb: words.memory_limit,
            skip_first: words.skip_first,
            shown: shown(&words.shown, common)?,
            notes,
        })
    }

    /// FTIO looks at events inside a window, not at parts of requests.
    pub(super) fn adapt(&self, settings: &mut Settings) {
        if self.method != Method::Iotempo {
            settings.selection.window = None;
        }
    }

    /// The most samples that may be taken. FTIO's limit is that of the samples alone.
    pub(super) fn most_samples(&self) -> usize {
        let each = match self.method {
            Method::Iotempo => BYTES_A_SAMPLE,
            Method::Ftio | Method::Paper => size_of::<f64>() as f64,
        };
        ((self.memory_limit_gb * 1e9 / each) as usize).clamp(1, MAX_SAMPLES)
    }

    /// The rate that was asked for, or that FTIO takes unasked.
    pub(super) fn fixed_rate(&self) -> Option<Hertz> {
        match (self.rate, self.method, self.ftio.freq) {
            (Some(Rate::Fixed(rate)), ..) => Some(rate),
            (None, Method::Ftio | Method::Paper, ftio::Rate::Fixed(rate)) => Some(rate),
            _ => None,
        }
    }

    pub(super) fn stated<'a>(&self, stated: &'a Stated) -> StatedPlan<'a> {
        let ours = self.method == Method::Iotempo;
        let theirs = (!ours).then_some(&self.ftio);
        StatedPlan {
            stated,
            method: self.method,
            rate_hz: self.fixed_rate().map(Hertz::get),
            automatic_rate: self.rate == Some(Rate::Auto),
            memory_limit_gb: self.memory_limit_gb,
            skip_first: self.skip_first,
            threshold: ours.then_some(self.detector.threshold),
            tolerance: theirs.map(|ftio| ftio.tolerance),
            outlier: theirs.map(|ftio| ftio.outlier),
            autocorrelation: theirs.map(|ftio| ftio.autocorrelation),
            amplitude: theirs.map(|ftio| ftio.spectrum == Measure::Amplitude),
            top: theirs.map(|ftio| ftio.top_bins),
        }
    }
}

/// FTIO's `-o` names a way to find outliers, where ours names a report.
fn outlier(output: Option<&Path>) -> Option<ftio::Outlier> {
    output?.to_str()?.parse().ok()
}

/// The options that only FTIO's method knows.
fn given(words: &FtioArgs) -> Vec<&'static str> {
    let options = [
        ("--tolerance", words.tolerance.is_some()),
        ("--outlier", words.outlier.is_some()),
        ("--autocorrelation", words.autocorrelation),
        ("--amplitude", words.amplitude),
        ("--top", words.top.is_some()),
    ];
    let given = options.into_iter().filter(|(_, given)| *given);
    given.map(|(name, _)| name).collect()
}

fn check_transform(transform: Option<&str>) -> Result<(), clap::Error> {
    match transform {
        None | Some("dft") => Ok(()),
        Some(other) => Err(usage_error(format!(
            "-tr {other}: dft is the only transform; segments in the result say when behaviour \
             changes"
        ))),
    }
}

fn engine(name: &str) -> Option<String> {
    let drawn = name != "no";
    drawn.then(|| format!("-e {name}: figures are part of the report (-o report.html)"))
}

/// `-m write_sync` is `--op write`; FTIO looks at writes unless told otherwise.
fn choose_direction(words: &mut PeriodArgs, method: Method) {
    let unasked = (method != Method::Iotempo).then_some(Direction::Write);
    words.select.op = words.select.op.or(words.ftio.mode).or(unasked);
}

fn detector(threshold: Option<f64>) -> Detector {
    let mut detector = Detector::default();
    if let Some(threshold) = threshold {
        detector.threshold = threshold;
    }
    detector
}

fn ftio_settings(words: &PeriodArgs, method: Method) -> Result<ftio::Settings, clap::Error> {
    let default = ftio::Settings::default();
    let limit = words.memory_limit * 1e9;
    let limit = Bytes::new(limit).ok_or_else(|| usage_error("--memory-limit: not a limit"))?;
    let outlier = words.ftio.outlier.as_deref().map(str::parse).transpose();
    Ok(ftio::Settings {
        method: match method {
            Method::Paper => ftio::Method::Paper,
            Method::Ftio | Method::Iotempo => ftio::Method::Ftio,
        },
        freq: match words.freq {
            Some(Rate::Fixed(rate)) => ftio::Rate::Fixed(rate),
            Some(Rate::Auto) => ftio::Rate::Auto(limit),
            None => default.freq,
        },
        tolerance: words.ftio.tolerance.unwrap_or(default.tolerance),
        outlier: outlier.map_err(usage_error)?.unwrap_or(default.outlier),
        spectrum: if words.ftio.amplitude {
            Measure::Amplitude
        } else {
            Measure::Power
        },
        autocorrelation: words.ftio.autocorrelation,
        top_bins: words.ftio.top.unwrap_or(default.top_bins),
        ts: words.select.start,
        te: words.select.end,
        ..default
    })
}

fn shown(words: &ShownArgs, common: &CommonArgs) -> Result<Shown, clap::Error> {
    let form = match (common.json, words.csv) {
        (true, true) => return Err(usage_error("--json and --csv: one of both")),
        (true, false) => Form::Json,
        (false, true) => Form::Csv,
        (false, false) => Form::Human,
    };
    if let Some(output) = &words.output {
        check_report(output)?;
    }
    let glyphs = if words.ascii {
        Glyphs::Ascii
    } else {
        Glyphs::Braille
    };
    Ok(Shown {
        form,
        #[cfg(feature = "tables")]
        parquet: words.parquet.clone(),
        #[cfg(not(feature = "tables"))]
        parquet: None,
        report: words.output.clone(),
        exit_code: words.exit_code,
        chart: (!words.no_chart).then_some(glyphs),
    })
}

/// A slip in the name of a way to find outliers must not become a file.
fn check_report(output: &Path) -> Result<(), clap::Error> {
    let extension = output.extension().unwrap_or_default();
    if ["html", "htm"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
    {
        return Ok(());
    }
    let known = ftio::Outlier::ALL.map(ftio::Outlier::name).join(", ");
    Err(usage_error(format!(
        "-o {}: neither a report (its name ends in .html) nor one of FTIO's ways to find outliers \
         ({known})",
        output.display()
    )))
}

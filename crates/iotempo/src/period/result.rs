//! One result as JSON states it.

use super::analysed::{Analysed, Answer};
use super::args::Method;
use super::view::{AliasView, PhaseView, RhythmView, SegmentView, WitnessView};
use iotempo_analysis::character::Character;
use iotempo_analysis::ftio;
use iotempo_analysis::period::{PeriodFinding, Verdict};
use iotempo_model::{Job, Seconds, Source, Warning};
use serde::Serialize;

/// One result. Tables have its scalars.
#[derive(Serialize)]
pub(super) struct ResultView<'a> {
    pub(super) input: &'a str,
    pub(super) sha256: Option<&'a str>,
    pub(super) format: &'a str,
    pub(super) source: Source,
    pub(super) resolution_s: Option<f64>,
    job: &'a Job,
    pub(super) warnings: &'a [Warning],
    pub(super) damaged: bool,
    pub(super) method: Method,
    pub(super) start_s: Option<f64>,
    pub(super) end_s: Option<f64>,
    pub(super) step_s: Option<f64>,
    pub(super) n_samples: usize,
    pub(super) bytes: f64,
    pub(super) verdict: String,
    reason: &'static str,
    pub(super) periodic: bool,
    pub(super) period_s: Option<f64>,
    pub(super) period_low_s: Option<f64>,
    pub(super) period_high_s: Option<f64>,
    pub(super) confidence: Option<f64>,
    pub(super) jitter_fraction: Option<f64>,
    pub(super) phase_length_s: Option<f64>,
    pub(super) bytes_per_phase: Option<f64>,
    pub(super) next_start_s: Option<f64>,
    pub(super) next_start_low_s: Option<f64>,
    pub(super) next_start_high_s: Option<f64>,
    pub(super) phases: Vec<PhaseView>,
    pub(super) other_periods: Vec<RhythmView>,
    pub(super) candidate: Option<RhythmView>,
    pub(super) segments: Vec<SegmentView>,
    pub(super) alias: Option<AliasView>,
    pub(super) witnesses: Vec<WitnessView>,
    pub(super) character: Option<Character>,
    #[serde(flatten)]
    pub(super) ftio: Option<FtioView<'a>>,
}

/// What only FTIO's method answers.
#[derive(Serialize)]
pub(super) struct FtioView<'a> {
    pub(super) dominant_frequency_hz: Option<f64>,
    candidates: &'a [ftio::Bin],
    top_bins: &'a [ftio::Bin],
    pub(super) abstraction_error: Option<f64>,
    autocorrelation: Option<&'a ftio::Autocorrelation>,
    similarity: Option<f64>,
    refined_confidence: Option<f64>,
}

impl<'a> ResultView<'a> {
    pub(super) fn new(analysed: &'a Analysed, method: Method) -> Self {
        let mut outcome = Self::unanswered(analysed, method);
        match &analysed.answer {
            Answer::Ours(finding) => outcome.answer(finding),
            Answer::Ftio(finding) => outcome.answer_ftio(finding),
        }
        outcome
    }

    fn unanswered(analysed: &'a Analysed, method: Method) -> Self {
        let signal = analysed.signal.as_ref();
        let len = signal.map_or(0, |signal| signal.samples().len());
        Self {
            input: &analysed.input,
            sha256: analysed.sha256.as_deref(),
            format: &analysed.format,
            source: analysed.origin.source,
            resolution_s: analysed.origin.resolution.map(Seconds::get),
            job: &analysed.origin.job,
            warnings: &analysed.warnings,
            damaged: analysed.damaged,
            method,
            start_s: signal.map(|signal| signal.start().get()),
            end_s: signal.map(|signal| signal.time(len).get()),
            step_s: signal.map(|signal| signal.step().get()),
            n_samples: len,
            bytes: analysed.bytes,
            verdict: String::new(),
            reason: "",
            periodic: analysed.answer.is_periodic(),
            period_s: None,
            period_low_s: None,
            period_high_s: None,
            confidence: None,
            jitter_fraction: None,
            phase_length_s: None,
            bytes_per_phase: None,
            next_start_s: None,
            next_start_low_s: None,
            next_start_high_s: None,
            phases: Vec::new(),
            other_periods: Vec::new(),
            candidate: None,
            segments: Vec::new(),
            alias: None,
            witnesses: Vec::new(),
            character: analysed.character,
            ftio: None,
        }
    }

    fn answer(&mut self, finding: &'a PeriodFinding) {
        self.verdict = word(&finding.verdict);
        self.reason = finding.verdict.sentence();
        self.candidate = finding.candidate.as_ref().map(RhythmView::from);
        self.segments = finding.segments.iter().map(SegmentView::from).collect();
        self.alias = finding.alias.as_ref().map(AliasView::from);
        self.witnesses = finding.witnesses.iter().map(WitnessView::from).collect();
        // What is too fast repeats for sure, but nobody knows how fast.
        let best = finding
            .best()
            .filter(|_| finding.verdict != Verdict::TooFast);
        self.confidence = best.map(|rhythm| rhythm.confidence);
        let mut rhythms = finding.rhythms.iter().map(RhythmView::from);
        if let Some(main) = rhythms.next() {
            self.period_s = Some(main.period_s);
            self.period_low_s = Some(main.period_low_s);
            self.period_high_s = Some(main.period_high_s);
            self.jitter_fraction = main.jitter_fraction;
            self.phase_length_s = Some(main.phase_length_s);
            self.bytes_per_phase = Some(main.bytes_per_phase);
            self.next_start_s = main.next_start_s;
            self.next_start_low_s = main.next_start_low_s;
            self.next_start_high_s = main.next_start_high_s;
            self.phases = main.phases;
        }
        self.other_periods = rhythms.collect();
    }

    fn answer_ftio(&mut self, finding: &'a ftio::Finding) {
        self.verdict = word(&finding.verdict);
        self.reason = finding.verdict.sentence();
        self.period_s = finding.period_s;
        self.confidence = finding.confidence;
        if let Some(sampling) = &finding.sampling {
            self.start_s = Some(sampling.t_start_s);
            self.end_s = Some(sampling.t_end_s);
            self.step_s = Some(1.0 / sampling.rate_hz);
            self.n_samples = sampling.n_samples;
        }
        self.ftio = Some(FtioView {
            dominant_frequency_hz: finding.dominant_frequency_hz,
            candidates: &finding.candidates,
            top_bins: &finding.top_bins,
            abstraction_error: finding.sampling.map(|sampling| sampling.abstraction_error),
            autocorrelation: finding.autocorrelation.as_ref(),
            similarity: finding.similarity,
            refined_confidence: finding.refined_confidence,
        });
    }
}

/// The name of a variant as JSON has it.
pub(super) fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

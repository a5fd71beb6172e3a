//! Logs of servers that a signature is laid beside.

use super::args::SignatureArgs;
use super::logs::{Counting, opened};
use super::mined::Mined;
use super::one;
use super::select::Question;
use crate::failure::Failure;
use crate::talk::Talk;
use iotempo_analysis::signature::Clash;
use iotempo_formats::server;
use iotempo_model::Binned;
use serde::Serialize;

/// What a signature would meet in one log.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Compared {
    pub(super) input: String,
    /// `None` where the log is nowhere whole for as long as the signature.
    pub(super) clash: Option<Clash>,
}

/// Lays the signature beside each log that is to be compared, that with which it collides least first.
///
/// # Errors
/// Where there are several signatures, or a log cannot be read.
pub(super) fn clashes(
    words: &SignatureArgs,
    question: &Question,
    mined: &[Mined],
    talk: &Talk,
) -> anyhow::Result<Vec<Compared>> {
    if words.compare.is_empty() {
        return Ok(Vec::new());
    }
    let Some(signature) = one(mined, "--compare")?.finding.signature() else {
        talk.warn("--compare: there is no signature to compare");
        return Ok(Vec::new());
    };
    let mut compared = Vec::new();
    for opened in opened(&words.compare)? {
        let (input, bytes, _) = opened.map_err(|failure| anyhow::anyhow!("{failure}"))?;
        let mut log = Binned::new();
        let mut sink = Counting::new(&mut log, talk);
        let reading = server::read(bytes, &question.log_options, &mut sink);
        let reading =
            reading.map_err(|error| anyhow::anyhow!("{}", Failure::of(&input, &error)))?;
        for warning in reading.warnings {
            talk.warn(format!("{input}: {}", warning.message));
        }
        log.finish();
        let clash = Clash::of(&signature.rates, signature.step_s, &log, &question.ops);
        compared.push(Compared { input, clash });
    }
    let met = |one: &Compared| {
        one.clash
            .as_ref()
            .map_or(f64::INFINITY, |clash| clash.met_bytes_per_s)
    };
    compared.sort_by(|a, b| met(a).total_cmp(&met(b)));
    Ok(compared)
}

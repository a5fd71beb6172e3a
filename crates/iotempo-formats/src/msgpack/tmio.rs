//! The items of TMIO: per flush four modes and the times, each a list that begins with its name.

use crate::error::{Error, Place};
use crate::series::{Dialect, Gathering, Token, Tokens};
use iotempo_model::{Api, Op, Source};

/// Numbers between a mode's flags and its phases.
const HEADING: usize = 10;
/// Numbers of a phase: bytes, start, actual end, required end, four rates, requests.
const PHASE: usize = 9;
/// How far two sums of the same whole numbers may differ in floating point.
const EXACT: f64 = 1e-12;
/// Where the times have that of rank 0 since the last flush, after their name.
const RUN_TIME: usize = 10;

/// Whether a list that begins with `name` is one of TMIO's.
pub(super) fn is_item(name: &str) -> bool {
    name == "io_time" || ["read", "write"].iter().any(|op| name.starts_with(op))
}

/// Reads an item up to its phases' end; its name was taken.
pub(super) fn read_item<T: Tokens>(
    name: &str,
    tokens: &mut T,
    gathering: &mut Gathering<'_>,
) -> Result<(), Error> {
    if name == "io_time" {
        return read_times(tokens, gathering);
    }
    if !is_item(name) {
        gathering.repairs.unknown_items.push(name.to_owned());
        return Ok(());
    }
    gathering.dialect = gathering.dialect.max(Dialect::Tmio);
    gathering.evidence(Source::Phases);
    let stat = read_heading(name, tokens)?;
    gathering.ranks = gathering
        .ranks
        .into_iter()
        .chain([stat.ranks])
        .reduce(f64::max);
    let mode = gathering.mode(name, Some(stat.op), Api::MpiIo);
    let read = read_phases(name, mode, tokens, gathering);
    let known = &mut gathering.modes[mode];
    match &read {
        Ok(()) => {
            known.add_requests(0);
            known.state_bytes(stat.total_bytes, stat.total_bytes * EXACT);
            known.state_records(stat.phases);
        }
        Err(error) => known.damage = Some(error.to_string()),
    }
    read
}

/// What an item says before its phases.
struct Heading {
    op: Op,
    total_bytes: f64,
    phases: f64,
    ranks: f64,
}

fn read_heading<T: Tokens>(name: &str, tokens: &mut T) -> Result<Heading, Error> {
    let _is_async = flag(name, tokens)?;
    let is_write = flag(name, tokens)?;
    let mut numbers = [0.0; HEADING];
    for number in &mut numbers {
        *number = read_number(name, tokens, "not a number in the heading")?;
    }
    match tokens.next()? {
        Token::List => {}
        other => {
            return Err(wrong(
                name,
                other.to_string(),
                tokens,
                "not the list of phases",
            ));
        }
    }
    let [total_bytes, .., ranks] = numbers;
    Ok(Heading {
        op: if is_write { Op::Write } else { Op::Read },
        total_bytes,
        phases: numbers[4],
        ranks,
    })
}

fn flag<T: Tokens>(name: &str, tokens: &mut T) -> Result<bool, Error> {
    match tokens.next()? {
        Token::Bool(flag) => Ok(flag),
        other => Err(wrong(
            name,
            other.to_string(),
            tokens,
            "not a flag in the heading",
        )),
    }
}

fn wrong<T: Tokens>(name: &str, found: String, tokens: &T, what: &'static str) -> Error {
    Error::invalid(name.to_owned(), Place::Byte(tokens.at()), what, found)
}

fn read_phases<T: Tokens>(
    name: &str,
    mode: usize,
    tokens: &mut T,
    gathering: &mut Gathering<'_>,
) -> Result<(), Error> {
    while let Some(phase) = next_phase(name, tokens)? {
        let [bytes, start, end, .., requests] = phase;
        gathering.modes[mode].records += 1;
        gathering.modes[mode].add_requests(requests as u64);
        gathering.transfer(mode, start, end, bytes)?;
    }
    Ok(())
}

/// The numbers of the next phase; `None` where none follows.
fn next_phase<T: Tokens>(name: &str, tokens: &mut T) -> Result<Option<[f64; PHASE]>, Error> {
    if let Some(phase) = tokens.plain_list() {
        return Ok(Some(phase));
    }
    match tokens.next()? {
        Token::End => Ok(None),
        Token::List => read_phase(name, tokens).map(Some),
        other => Err(wrong(name, other.to_string(), tokens, "not a phase")),
    }
}

fn read_number<T: Tokens>(name: &str, tokens: &mut T, what: &'static str) -> Result<f64, Error> {
    match tokens.next()? {
        Token::Number(number) => Ok(number),
        other => Err(wrong(name, other.to_string(), tokens, what)),
    }
}

fn read_phase<T: Tokens>(name: &str, tokens: &mut T) -> Result<[f64; PHASE], Error> {
    let depth = tokens.depth();
    let mut phase = [0.0; PHASE];
    for number in &mut phase {
        *number = read_number(name, tokens, "not a number of a phase")?;
    }
    tokens.leave(depth)?;
    Ok(phase)
}

/// Sums up how long rank 0 ran. The times may hold NaN, which means nothing here.
fn read_times<T: Tokens>(tokens: &mut T, gathering: &mut Gathering<'_>) -> Result<(), Error> {
    for place in 0..=RUN_TIME {
        match tokens.next()? {
            Token::End => return Ok(()),
            Token::Number(seconds) if place == RUN_TIME && seconds.is_finite() => {
                *gathering.run_time_s.get_or_insert_default() += seconds;
            }
            _ => {}
        }
    }
    Ok(())
}

//! Many logs, one answer each: what every verb that takes several does with them.

use crate::failure::{Failure, Unread};
use crate::inputs::{Inputs, Log, Opener};
use crate::pool::{self, Done};
use crate::talk::Talk;
use crate::tally::Tally;

/// What became of a log.
pub(crate) enum Told<T> {
    /// The answer.
    Answer(T),
    /// It could not be read, or what was asked for not be written.
    Failure(Failure),
}

/// Works on logs on several threads, and tells of them in their order. Where an answer was told but not all that
/// was asked for could be written, `tell` returns why, and is told of that in turn.
///
/// # Errors
/// Where `tell` fails: nobody listens any more.
pub(crate) fn each<'a, T: Send>(
    inputs: Inputs,
    opener: &Opener,
    threads: usize,
    talk: &'a Talk,
    work: impl Fn(Log) -> Result<T, Unread> + Sync,
    mut tell: impl FnMut(Told<T>) -> anyhow::Result<Option<Failure>>,
) -> anyhow::Result<Tally<'a>> {
    let mut tally = Tally::new(talk);
    pool::in_order(inputs, opener, threads, work, |done| match done {
        Done::Read(Ok(answer)) => {
            talk.done(1);
            match tell(Told::Answer(answer))? {
                None => tally.read(),
                Some(failure) => {
                    tally.refused(&failure);
                    tell(Told::Failure(failure))?;
                }
            }
            anyhow::Ok(())
        }
        Done::Read(Err(Unread::Failed(failure))) | Done::Failed(failure) => {
            tally.failed(&failure);
            tell(Told::Failure(failure))?;
            Ok(())
        }
        Done::Read(Err(Unread::NoLog(why))) | Done::NoLog(why) => {
            tally.no_log(&why);
            Ok(())
        }
    })?;
    talk.finish();
    Ok(tally)
}

//! The variables by which the library is told what to do.

use super::args::TraceArgs;
use super::job;
use anyhow::Context;
use iotempo_model::pattern::Pattern;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What a traced program finds in its environment.
pub(super) struct Environment {
    pub(super) variables: Vec<(&'static str, OsString)>,
    /// Where the logs of this run will be.
    pub(super) folder: PathBuf,
}

impl Environment {
    /// # Errors
    /// Where the folder's path cannot be known, or where patterns are too large together.
    pub(super) fn new(arguments: &TraceArgs, library: &Path) -> anyhow::Result<Self> {
        let output = std::path::absolute(&arguments.output)?;
        let program = arguments.command.first();
        let job = job::name(program.map_or(OsStr::new("run"), |word| word), &output);
        let mut variables = vec![
            ("LD_PRELOAD", preload(library)),
            ("IOTEMPO_DIR", output.into()),
            ("IOTEMPO_JOB", job.clone().into()),
        ];
        let text = |text: &str| Some(OsString::from(text));
        let number = |number: Option<u64>| number.map(|number| number.to_string().into());
        let asked = [
            ("IOTEMPO_LAYERS", text(arguments.layers())),
            ("IOTEMPO_INCLUDE", any_of(&arguments.include)?),
            ("IOTEMPO_EXCLUDE", any_of(&arguments.exclude)?),
            ("IOTEMPO_ALL", text("1").filter(|_| arguments.pipes)),
            ("IOTEMPO_MAX_SIZE", number(arguments.max_size)),
            ("IOTEMPO_COALESCE_NS", number(arguments.coalesce)),
        ];
        let asked = asked.into_iter();
        variables.extend(asked.filter_map(|(name, value)| Some((name, value?))));
        let folder = arguments.output.join(job);
        Ok(Self { variables, folder })
    }

    /// The variables as words for `env`, a line each.
    ///
    /// # Errors
    /// A shell would take a value with a blank for two words, and one with a star for names of files.
    pub(super) fn lines(&self) -> anyhow::Result<String> {
        let mut lines = String::new();
        for (name, value) in &self.variables {
            let value = value.to_string_lossy();
            if value.contains(char::is_whitespace) {
                anyhow::bail!(
                    "{name}={value}: a blank cannot be handed on by env (\\s stands for it in a pattern)"
                );
            }
            if value.contains(['*', '?', '[']) {
                anyhow::bail!(
                    "{name}={value}: a shell would look for files by it ({{0,}} stands for *, {{0,1}} \
                     for ?); or write {name}='{value}' behind the words of --env"
                );
            }
            lines.push_str(&format!("{name}={value}\n"));
        }
        Ok(lines)
    }
}

/// One pattern for all of them.
fn any_of(patterns: &[String]) -> anyhow::Result<Option<OsString>> {
    let all = match patterns {
        [] => return Ok(None),
        [one] => one.clone(),
        several => format!("({})", several.join(")|(")),
    };
    Pattern::new(&all).with_context(|| format!("all patterns together, {all}"))?;
    Ok(Some(all.into()))
}

/// Ours first, and what is preloaded already.
fn preload(library: &Path) -> OsString {
    let mut value = library.as_os_str().to_owned();
    if let Some(others) = std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
        value.push(":");
        value.push(others);
    }
    value
}

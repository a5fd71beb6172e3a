//! Words that mean nothing beside others are refused: who gave them expects something of them.

use super::args::{Method, PredictArgs};
use crate::human::printable;
use crate::settings::usage_error;
use iotempo_formats::live::jobs_in;
use std::path::Path;

/// Names of jobs that are told at the most.
const NAMED: usize = 5;

/// Refuses what goes with something else only.
///
/// # Errors
/// Where a word was given that would be passed over.
pub(super) fn words(arguments: &PredictArgs) -> Result<(), clap::Error> {
    let PredictArgs { select, .. } = arguments;
    let asked = arguments.prometheus.is_asked();
    let folder = arguments.followed.as_deref().is_some_and(Path::is_dir);
    let ftio = arguments.method != Method::Iotempo;
    let columns = !select.columns.is_empty();
    let address = arguments.followed.as_deref().and_then(Path::to_str);
    let web = |address: &str| {
        ["http://", "https://"]
            .iter()
            .any(|web| address.starts_with(web))
    };
    let needless = [
        (
            address.is_some_and(web),
            "an address of the web is what --follow URL (iotempo serve) or --prometheus URL --query EXPR takes",
        ),
        (
            arguments.prometheus.has_query() && !asked,
            "--query is what --prometheus URL is asked",
        ),
        (
            arguments.token_file.is_some() && arguments.follow.is_none(),
            "--token-file is for the server of --follow URL",
        ),
        (
            arguments.connect_timeout.is_some() && arguments.follow.is_none(),
            "--connect-timeout is for the server of --follow URL",
        ),
        (
            arguments.follow.is_some() && arguments.every.is_some(),
            "--every does not go with --follow: the server looks for new data (iotempo serve --every)",
        ),
        (
            arguments.window.is_some() && ftio,
            "--window is for --method iotempo: that of FTIO's predictor is moved by --window-adaptation",
        ),
        (
            select.step.is_some() && folder,
            "--step is for tables of samples and for --prometheus: the logs in a folder have times of their own",
        ),
        (
            columns && (folder || asked),
            "--columns is for tables: neither logs nor Prometheus have columns",
        ),
        (
            select.source.is_some(),
            "--source chooses among what a Darshan log holds, which is written when the job has ended",
        ),
    ];
    let needless = needless.into_iter().find(|(given, _)| *given);
    needless.map_or(Ok(()), |(_, hint)| Err(usage_error(hint)))
}

/// Refuses a folder of several jobs: what would be said is true of none of them.
///
/// # Errors
/// Where the logs in the folder are of several jobs.
pub(super) fn is_one_job(folder: &Path) -> Result<(), clap::Error> {
    let jobs = jobs_in(folder);
    if jobs.len() < 2 {
        return Ok(());
    }
    let Some(first) = jobs.values().next() else {
        return Ok(());
    };
    let named: Vec<_> = jobs
        .keys()
        .take(NAMED)
        .map(|name| printable(name))
        .collect();
    let more = match jobs.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let [name, first] = [folder, first].map(|path| path.display().to_string());
    let [name, first] = [&name, &first].map(|path| printable(path));
    // The logs of both may lie side by side.
    let one = match first == name {
        true => String::new(),
        false => format!("name the folder of one of them, such as {first}, or "),
    };
    let hint = format!(
        "{name} holds {} jobs: {}{more}; {one}use iotempo serve {name}",
        jobs.len(),
        named.join(", "),
    );
    Err(usage_error(hint))
}

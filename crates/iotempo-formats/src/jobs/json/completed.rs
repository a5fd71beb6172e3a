//! Jobs as Slurm hands them to Elasticsearch and Kafka (`jobcomp/elasticsearch`, `jobcomp/kafka`) when they complete:
//! without lists and objects, and with names of their own.

use super::super::draft::Draft;
use super::super::role::Role;

/// Whether a key is one of theirs, and what it says is in the draft.
pub(super) fn add(draft: &mut Draft, key: &str, text: &str) -> bool {
    let role = match key {
        "jobid" => Role::RawId,
        "username" => Role::User,
        "groupname" => Role::Group,
        "job_name" => Role::Name,
        "state" => Role::State,
        // Others write what the system says of an end, which is no code.
        "exit_code" if text.contains(':') => Role::ExitCode,
        "total_nodes" => Role::Nodes,
        "total_cpus" => Role::Processes,
        "@submit" => Role::Submit,
        "@start" => Role::Start,
        "@end" => Role::End,
        _ => return false,
    };
    // Their times are of UTC, and do not say so.
    let is_time = matches!(role, Role::Submit | Role::Start | Role::End);
    match text.split_once('T') {
        Some((_, of_day)) if is_time && !of_day.contains(['Z', '+', '-']) => {
            draft.set(role, &format!("{text}Z"));
        }
        _ => draft.set(role, text),
    }
    true
}

/// Their time limits are seconds, where those of others with the same name are minutes; which of both is known when
/// all is said.
pub(super) fn finish(draft: &mut Draft, is_completed: bool) {
    if let Some(limit) = draft.text(Role::TimeLimitMinutes).map(str::to_owned)
        && is_completed
    {
        draft.set(Role::TimeLimit, &limit);
        draft.set(Role::TimeLimitMinutes, "");
    }
}

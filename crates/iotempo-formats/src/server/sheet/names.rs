//! Which targets of a table count the bytes of others again.

use super::super::devices::is_counted_elsewhere;
use super::layout::Heading;
use super::text;
use crate::input::Input;
use crate::table::rows::Row;
use iotempo_model::TargetKind;
use std::collections::{HashMap, HashSet};

/// Whether a target is all others together.
fn is_sum(name: &str) -> bool {
    ["total", "sum", "all", "overall"]
        .iter()
        .any(|one| name.eq_ignore_ascii_case(one))
}

/// The targets that the beginning of a table names, by their server.
#[derive(Default)]
pub(super) struct Names(HashMap<String, HashSet<String>>);

impl Names {
    pub(super) fn of(input: &Input, heading: &Heading) -> Self {
        let mut names = Self::default();
        for column in &heading.layout.columns {
            names.add("", &column.target);
        }
        let Some(target) = heading.layout.target else {
            return names;
        };
        let mut row = Row::default();
        for line in input.head().split(|&byte| byte == b'\n').skip(1) {
            row.split(line, heading.delimiter);
            if row.len() == heading.width {
                let server = heading.layout.server.map(|server| text(&row, server));
                names.add(&server.unwrap_or_default(), &text(&row, target));
            }
        }
        names
    }

    fn add(&mut self, server: &str, name: &str) {
        if !name.is_empty() {
            self.0
                .entry(server.to_owned())
                .or_default()
                .insert(name.to_owned());
        }
    }

    /// Whether what a target moves is counted for another one, too.
    pub(super) fn count_elsewhere(&self, server: &str, name: &str, kind: TargetKind) -> bool {
        let Some(names) = self.0.get(server) else {
            return false;
        };
        let summed = (name.is_empty() || is_sum(name)) && names.iter().any(|one| !is_sum(one));
        summed || (kind == TargetKind::Device && is_counted_elsewhere(name, names))
    }
}

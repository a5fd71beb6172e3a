//! What a person says about the names of a database, as `our name=their name`.

use super::super::names::{Nature, words};
use super::identity::Meaning;
use crate::error::{Error, Place};
use crate::table::units::Scale;
use iotempo_model::Op;

/// Which field is which, where somebody said so.
#[derive(Debug, Default)]
pub(in crate::server) struct Wishes {
    /// Their name, and what it means.
    fields: Vec<(String, Op, Option<Nature>, Option<Scale>)>,
    pub(super) measurement: Option<String>,
    pub(super) target: Option<String>,
    pub(super) server: Option<String>,
}

impl Wishes {
    /// # Errors
    /// Where a name of ours is none.
    pub(in crate::server) fn new(columns: &[(String, String)]) -> Result<Self, Error> {
        let mut wishes = Self::default();
        for (ours, theirs) in columns {
            let theirs = theirs.trim().to_owned();
            let lower = ours.trim().to_ascii_lowercase();
            match lower.as_str() {
                "measurement" => wishes.measurement = Some(theirs),
                "target" => wishes.target = Some(theirs),
                "server" | "host" => wishes.server = Some(theirs),
                _ => {
                    let told = words(ours);
                    let (Some(op), true) = (told.op, told.rest.is_empty()) else {
                        let what = "columns (--columns, or --log-columns of signature): not a name of a series (read, write, target, \
                                    server, measurement)";
                        return Err(Error::invalid("", Place::Whole, what, ours));
                    };
                    let nature = match (told.nature, told.scale) {
                        (Nature::Unstated, Some(_)) => Some(Nature::Volume),
                        (Nature::Unstated, None) => None,
                        (nature, _) => Some(nature),
                    };
                    wishes.fields.push((theirs, op, nature, told.scale));
                }
            }
        }
        Ok(wishes)
    }

    /// Whether fields are chosen by name: then no other one counts.
    pub(super) fn name_fields(&self) -> bool {
        !self.fields.is_empty()
    }

    /// What a person says that a field means; what they leave open, its own name tells.
    pub(super) fn of(&self, name: &str) -> Option<Meaning> {
        let (_, op, nature, scale) = self.fields.iter().find(|(theirs, ..)| theirs == name)?;
        let told = words(name);
        Some(Meaning {
            op: Some(*op),
            nature: nature.unwrap_or(told.nature),
            scale: scale.or(told.scale).unwrap_or(Scale::ONE),
        })
    }
}

//! What a person says about the names of a database, as `our name=their name`.

use super::super::names::{Nature, Words, words, words_of};
use super::super::options::Options;
use super::super::quantity::Quantity;
use super::identity::Meaning;
use crate::error::{Error, Place};
use crate::table::units::Scale;
use iotempo_model::Op;

/// Which field is which, where somebody said so.
#[derive(Debug, Default)]
pub(in crate::server) struct Wishes {
    pub(super) quantity: Quantity,
    /// Their name, and what it means.
    fields: Vec<(String, Op, Option<Nature>, Words)>,
    pub(super) measurement: Option<String>,
    pub(super) target: Option<String>,
    pub(super) server: Option<String>,
}

impl Wishes {
    /// # Errors
    /// Where a name of ours is none.
    pub(in crate::server) fn new(options: &Options) -> Result<Self, Error> {
        let mut wishes = Self {
            quantity: options.quantity,
            ..Self::default()
        };
        for (ours, theirs) in &options.columns {
            let theirs = theirs.trim().to_owned();
            let lower = ours.trim().to_ascii_lowercase();
            match lower.as_str() {
                "measurement" => wishes.measurement = Some(theirs),
                "target" => wishes.target = Some(theirs),
                "server" | "host" => wishes.server = Some(theirs),
                _ => {
                    let told = words_of(ours, wishes.quantity);
                    let (Some(op), true) = (told.op, told.rest.is_empty()) else {
                        let what = "columns (--columns, or --log-columns of signature): not a name of a series (read, write, target, \
                                    server, measurement)";
                        return Err(Error::invalid("", Place::Whole, what, ours));
                    };
                    let counts = wishes.quantity == Quantity::Operations;
                    if counts && words(ours).scale.is_some() {
                        let what =
                            "columns: of bytes, where operations are asked for (read, write)";
                        return Err(Error::invalid("", Place::Whole, what, ours));
                    }
                    told.clear(ours)?;
                    told.or(words_of(&theirs, wishes.quantity)).clear(&theirs)?;
                    let nature = match (told.nature, told.scale) {
                        (Nature::Unstated, Some(_)) if !counts => Some(Nature::Volume),
                        (Nature::Unstated, _) => None,
                        (nature, _) => Some(nature),
                    };
                    wishes.fields.push((theirs, op, nature, told));
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
        let (_, op, nature, ours) = self.fields.iter().find(|(theirs, ..)| theirs == name)?;
        let ours = Words {
            nature: nature.unwrap_or(Nature::Unstated),
            ..ours.clone()
        };
        let both = ours.or(words_of(name, self.quantity));
        Some(Meaning {
            op: Some(*op),
            nature: both.nature,
            scale: both.scale.unwrap_or(Scale::ONE).per(both.per),
        })
    }
}

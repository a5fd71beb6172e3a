//! One line of JSON, reduced to what a request needs.

use super::field;
use super::heading::{Role, fit};
use super::units::Scale;
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::fmt;

/// The roles that a key can have, in the order of an object's slots.
const ROLES: [Role; 8] = [
    Role::Rank,
    Role::Op,
    Role::Start,
    Role::End,
    Role::Duration,
    Role::Bytes,
    Role::File,
    Role::Api,
];

/// Keys seen so far, with their meaning: lines of one file have the same keys.
pub(super) struct Keys {
    known: Vec<(String, Option<Meaning>)>,
}

/// What a key holds.
#[derive(Debug, Clone, Copy)]
struct Meaning {
    slot: usize,
    priority: usize,
    scale: Scale,
}

/// More keys than this are looked up every time: nobody has so many but to exhaust memory.
const REMEMBERED: usize = 64;

impl Keys {
    /// Keys as a person named them (`our name=their name`), before all others.
    pub(super) fn new(columns: &[(String, String)]) -> Self {
        let chosen = |(ours, theirs): &(String, String)| {
            let meaning = meaning(ours)?;
            Some((
                theirs.clone(),
                Some(Meaning {
                    priority: 0,
                    ..meaning
                }),
            ))
        };
        Self {
            known: columns.iter().filter_map(chosen).collect(),
        }
    }

    fn meaning(&mut self, key: &str) -> Option<Meaning> {
        if let Some((_, meaning)) = self.known.iter().find(|(known, _)| known == key) {
            return *meaning;
        }
        let meaning = meaning(key);
        if self.known.len() < REMEMBERED {
            self.known.push((key.to_owned(), meaning));
        }
        meaning
    }

    pub(super) fn object<'a>(&mut self, line: &'a [u8]) -> Result<Object<'a>, serde_json::Error> {
        let mut deserializer = serde_json::Deserializer::from_slice(line);
        let object = deserializer.deserialize_map(ObjectVisitor(self))?;
        deserializer.end()?;
        Ok(object)
    }
}

fn meaning(key: &str) -> Option<Meaning> {
    ROLES.iter().enumerate().find_map(|(slot, &role)| {
        let fit = fit(key, role)?;
        Some(Meaning {
            slot,
            // Behind what a person chose.
            priority: fit.priority + 1,
            scale: fit.scale.unwrap_or(Scale::ONE),
        })
    })
}

/// The values of a line, by role.
#[derive(Default)]
pub(super) struct Object<'a> {
    slots: [Option<Slot<'a>>; ROLES.len()],
}

pub(super) struct Slot<'a> {
    priority: usize,
    scale: Scale,
    value: Value<'a>,
}

impl<'a> Object<'a> {
    pub(super) fn get(&self, role: Role) -> Option<&Slot<'a>> {
        let slot = ROLES.iter().position(|known| *known == role)?;
        self.slots[slot].as_ref()
    }

    pub(super) fn text(&self, role: Role) -> Option<&str> {
        match &self.get(role)?.value {
            Value::Text(text) => Some(text),
            Value::Number(_) | Value::Other => None,
        }
    }
}

impl Slot<'_> {
    pub(super) fn is_scalar(&self) -> bool {
        !matches!(self.value, Value::Other)
    }

    /// The value as an error shows it.
    pub(super) fn shown(&self) -> Cow<'_, str> {
        match &self.value {
            Value::Number(number) => number.to_string().into(),
            Value::Text(text) => text.as_ref().into(),
            Value::Other => "(neither a number nor a text)".into(),
        }
    }

    /// A number, or a text that states one; dates count.
    pub(super) fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(number) => Some(self.scale.apply(*number)),
            Value::Text(text) => field::time(text.as_bytes(), self.scale),
            Value::Other => None,
        }
    }

    pub(super) fn whole(&self) -> Option<i64> {
        match &self.value {
            Value::Number(number) => field::without_fraction(*number),
            Value::Text(text) => field::whole(text.as_bytes()),
            Value::Other => None,
        }
    }
}

/// A value, as far as a request needs it.
enum Value<'a> {
    Number(f64),
    Text(Cow<'a, str>),
    /// `true`, `false`, a list, an object.
    Other,
}

struct ObjectVisitor<'k>(&'k mut Keys);

impl<'de> Visitor<'de> for ObjectVisitor<'_> {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Object<'de>, M::Error> {
        let mut object = Object::default();
        while let Some(Key(key)) = map.next_key()? {
            let Some(meaning) = self.0.meaning(&key) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            // `null` is a value that is not there.
            let Some(value) = map.next_value::<Option<Value<'de>>>()? else {
                continue;
            };
            let slot = &mut object.slots[meaning.slot];
            if slot
                .as_ref()
                .is_none_or(|old| meaning.priority <= old.priority)
            {
                *slot = Some(Slot {
                    priority: meaning.priority,
                    scale: meaning.scale,
                    value,
                });
            }
        }
        Ok(object)
    }
}

/// A key, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Value<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Value::Other)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }
}

//! Stripe layouts.

use super::line::CounterLine;
use super::variable::{append, keep_last_if};
use super::{Gather, LeftOut, Taken};
use crate::darshan::log::{LustreComponent, LustreRecord, Records};

/// Stripe layouts: as of 3.4.6 a list of components, before one set of counters.
#[derive(Default)]
pub(super) struct Lustre {
    records: Vec<LustreRecord>,
    /// `LUSTRE_NUM_COMPONENTS` and `LUSTRE_NUM_STRIPES`.
    announced: [Option<i64>; 2],
    /// `LUSTRE_OSTS`, `LUSTRE_MDTS`, `LUSTRE_STRIPE_SIZE` and `LUSTRE_STRIPE_WIDTH`.
    first_version: [Option<i64>; 4],
    /// Object storage targets of the last component.
    stripes: usize,
}

const FIRST_VERSION: [&str; 4] = [
    "LUSTRE_OSTS",
    "LUSTRE_MDTS",
    "LUSTRE_STRIPE_SIZE",
    "LUSTRE_STRIPE_WIDTH",
];

impl Lustre {
    /// `LUSTRE_COMP2_STRIPE_SIZE`: a component of a layout, counted from 1.
    fn component(&mut self, line: &CounterLine<'_>, rest: &str) -> Taken {
        let (Some(record), Some((number, field))) = (self.records.last_mut(), rest.split_once('_'))
        else {
            return Taken::Unknown;
        };
        let Ok(number) = number.parse::<usize>() else {
            return Taken::Unknown;
        };
        if number == record.components.len() + 1 {
            record.components.push(UNKNOWN_COMPONENT);
            self.stripes = 0;
        } else if number != record.components.len() || number == 0 {
            return Taken::Bad;
        }
        if let Some(stripe) = field
            .strip_prefix("OST_ID_")
            .and_then(|k| k.parse::<usize>().ok())
        {
            let (Some(ost), true) = (line.int(), stripe == self.stripes) else {
                return Taken::Bad;
            };
            record.osts.push(ost);
            self.stripes += 1;
            return Taken::Yes;
        }
        let component = &mut record.components[number - 1];
        set_component(component, field, line)
    }
}

const UNKNOWN_COMPONENT: LustreComponent = LustreComponent {
    stripe_size: -1,
    stripe_count: -1,
    stripe_pattern: -1,
    flags: -1,
    ext_start: -1,
    ext_end: -1,
    mirror_id: -1,
    pool_name: String::new(),
};

fn set_component(component: &mut LustreComponent, field: &str, line: &CounterLine<'_>) -> Taken {
    let (place, value) = match field {
        "STRIPE_SIZE" => (&mut component.stripe_size, line.int()),
        "STRIPE_COUNT" => (&mut component.stripe_count, line.int()),
        "STRIPE_PATTERN" => (&mut component.stripe_pattern, pattern(line.value)),
        "FLAGS" => (&mut component.flags, flags(line.value)),
        "EXT_START" => (&mut component.ext_start, line.int()),
        "EXT_END" => (&mut component.ext_end, line.int()),
        "MIRROR_ID" => (&mut component.mirror_id, line.int()),
        "POOL_NAME" => {
            let named = line.value != "N/A";
            component.pool_name = if named {
                line.value.to_owned()
            } else {
                String::new()
            };
            return Taken::Yes;
        }
        _ => return Taken::Unknown,
    };
    match value {
        Some(value) => *place = value,
        None => return Taken::Bad,
    }
    Taken::Yes
}

/// Lustre's number for a pattern's name.
fn pattern(name: &str) -> Option<i64> {
    match name {
        "N/A" => Some(-1),
        "raid0" => Some(0),
        "mdt" => Some(2),
        "raid0,overstriped" | "overstriped" => Some(4),
        "foreign" => Some(8),
        number => number.parse().ok(),
    }
}

/// Lustre's bits for the names of flags.
fn flags(names: &str) -> Option<i64> {
    const FLAGS: [&str; 12] = [
        "stale",
        "prefrd",
        "prefwr",
        "offline",
        "init",
        "nosync",
        "extension",
        "parity",
        "compress",
        "partial",
        "nocompr",
        "neg",
    ];
    if names == "N/A" {
        return Some(-1);
    }
    if let Ok(number) = names.parse() {
        return Some(number);
    }
    let mut bits = 0;
    for name in names.split(',').filter(|name| !name.is_empty()) {
        bits |= 1 << FLAGS.iter().position(|flag| *flag == name)?;
    }
    Some(bits)
}

impl Gather for Lustre {
    fn begin(&mut self, line: &CounterLine<'_>) {
        self.announced = [None; 2];
        self.first_version = [None; 4];
        self.records.push(LustreRecord {
            id: line.id,
            rank: line.rank,
            components: Vec::new(),
            osts: Vec::new(),
            targets: None,
        });
    }

    fn take(&mut self, line: &CounterLine<'_>) -> Taken {
        if let Some(rest) = line.counter.strip_prefix("LUSTRE_COMP") {
            return self.component(line, rest);
        }
        if let Some(stripe) = line.index("LUSTRE_OST_ID_") {
            let Some(record) = self.records.last_mut() else {
                return Taken::Bad;
            };
            return append(&mut record.osts, stripe, line.int());
        }
        let place = match line.counter {
            "LUSTRE_NUM_COMPONENTS" => &mut self.announced[0],
            "LUSTRE_NUM_STRIPES" => &mut self.announced[1],
            // Always −1 as of 3.3.0, and never of use.
            "LUSTRE_STRIPE_OFFSET" => return Taken::Yes,
            name => match FIRST_VERSION.iter().position(|known| *known == name) {
                Some(place) => &mut self.first_version[place],
                None => return Taken::Unknown,
            },
        };
        match (&place, line.int()) {
            (Some(_), _) => Taken::Again,
            (None, None) => Taken::Bad,
            (None, value) => {
                *place = value;
                Taken::Yes
            }
        }
    }

    fn end(&mut self) -> bool {
        let Some(record) = self.records.last_mut() else {
            return false;
        };
        let (components, stripes) = match (self.announced, self.first_version) {
            ([Some(components), Some(stripes)], _) => (components, stripes),
            (
                _,
                [
                    Some(osts),
                    Some(mdts),
                    Some(stripe_size),
                    Some(stripe_count),
                ],
            ) => {
                record.targets = Some((osts, mdts));
                let ext_start = 0;
                record.components = vec![LustreComponent {
                    stripe_size,
                    stripe_count,
                    ext_start,
                    ..UNKNOWN_COMPONENT
                }];
                (1, stripe_count)
            }
            _ => (-1, -1),
        };
        keep_last_if(&mut self.records, |record| {
            record.components.len() as i64 == components && record.osts.len() as i64 == stripes
        })
    }

    fn weight(&self) -> u64 {
        128
    }

    fn finish(self: Box<Self>, _should_be_whole: bool) -> (Records, LeftOut) {
        (Records::Lustre(self.records), None)
    }
}

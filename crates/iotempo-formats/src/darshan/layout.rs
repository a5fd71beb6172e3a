//! Which counters a record has, on disk and after conversion to the newest version.

use super::module::Module;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The counters of one version of a module's records.
#[derive(Debug, Default)]
pub struct Layout {
    /// Names of the integer counters, in the order of their fields.
    pub ints: Vec<String>,
    /// Names of the floating-point counters, in the order of their fields.
    pub floats: Vec<String>,
}

impl Layout {
    /// The counters of `version` of `module`; `None` for modules without counters and for versions
    /// that do not exist.
    #[must_use]
    pub fn of(module: Module, version: u32) -> Option<&'static Self> {
        layouts().get(&(module.name(), version))
    }

    /// The counters that records of `module` have here, whatever version they were written in.
    #[must_use]
    pub fn latest(module: Module) -> Option<&'static Self> {
        Self::of(module, latest_version(module)?)
    }

    /// The place of an integer counter.
    #[must_use]
    pub fn int(&self, name: &str) -> Option<usize> {
        self.ints.iter().position(|counter| counter == name)
    }

    /// The place of a floating-point counter.
    #[must_use]
    pub fn float(&self, name: &str) -> Option<usize> {
        self.floats.iter().position(|counter| counter == name)
    }
}

/// The newest version of a module's records; `None` for what is not a module of a 3.x log.
#[must_use]
pub const fn latest_version(module: Module) -> Option<u32> {
    match module {
        Module::Null => None,
        Module::Posix => Some(4),
        Module::MpiIo | Module::H5f | Module::PnetcdfFile | Module::DxtMpiio => Some(3),
        Module::Stdio
        | Module::H5d
        | Module::BgQ
        | Module::Lustre
        | Module::DxtPosix
        | Module::Cp => Some(2),
        Module::PnetcdfVar
        | Module::Mdhim
        | Module::Apxc
        | Module::Apmpi
        | Module::Heatmap
        | Module::Dfs
        | Module::Daos => Some(1),
    }
}

type Layouts = HashMap<(&'static str, u32), Layout>;

fn layouts() -> &'static Layouts {
    static LAYOUTS: OnceLock<Layouts> = OnceLock::new();
    LAYOUTS.get_or_init(|| parse(include_str!("counters.txt")))
}

/// Reads `counters.txt`. A mistake in that file is a mistake in this program.
fn parse(text: &'static str) -> Layouts {
    let mut layouts = Layouts::new();
    let mut current: Option<(&mut Vec<String>, &str)> = None;
    for line in text.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(heading) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            let words: Vec<_> = heading.split(' ').collect();
            let [module, version, kind, prefix] = words[..] else {
                panic!("counters.txt: {line}");
            };
            let version = version
                .parse()
                .expect("counters.txt: a version is a number");
            let layout = layouts.entry((module, version)).or_default();
            let names = if kind == "int" {
                &mut layout.ints
            } else {
                &mut layout.floats
            };
            current = Some((names, prefix));
        } else if let Some((names, prefix)) = &mut current {
            names.extend(line.split(' ').map(|name| format!("{prefix}{name}")));
        }
    }
    layouts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_version_has_the_counters_that_its_record_size_implies() {
        for (module, version, ints, floats) in [
            (Module::Posix, 1, 68, 15),
            (Module::Posix, 2, 64, 15),
            (Module::Posix, 3, 64, 17),
            (Module::Posix, 4, 69, 17),
            (Module::MpiIo, 1, 51, 15),
            (Module::MpiIo, 3, 51, 17),
            (Module::Stdio, 1, 13, 15),
            (Module::Stdio, 2, 14, 15),
            (Module::H5f, 3, 3, 5),
            (Module::H5d, 2, 94, 17),
            (Module::PnetcdfFile, 3, 9, 8),
            (Module::PnetcdfVar, 1, 120, 17),
            (Module::BgQ, 2, 11, 1),
            (Module::Dfs, 1, 52, 15),
            (Module::Daos, 1, 64, 15),
            (Module::Apmpi, 1, 396, 240),
            (Module::Apxc, 1, 392, 0),
            (Module::Cp, 2, 144, 18),
        ] {
            let layout = Layout::of(module, version).expect("a known version");
            assert_eq!(
                (layout.ints.len(), layout.floats.len()),
                (ints, floats),
                "{module} {version}"
            );
        }
        assert!(Layout::of(Module::Posix, 5).is_none());
    }
}

//! The page about one log.

use super::args::EstimateArgs;
use super::estimated::Estimated;
use super::result::Stated;
use super::stores::Stores;
use super::summary;
use crate::cli::{InputArgs, Units};
use crate::convert;
use crate::inputs::Inputs;
use crate::report::{check_page_of_one, setting_facts, write_bytes};
use iotempo_report::estimate::EstimatePage;
use iotempo_report::{Fact, Table};
use std::path::Path;

/// Refuses what could only go wrong, before any work is done.
pub(super) fn check(path: &Path, inputs: &mut Inputs, words: &EstimateArgs) -> anyhow::Result<()> {
    check_page_of_one(path, inputs)?;
    let mut benchmarks = Inputs::new(InputArgs {
        inputs: words.benchmarks.clone(),
        from: None,
    })?;
    Ok(convert::check_output(path, &mut benchmarks)?)
}

/// Writes the page.
pub(super) fn write(
    path: &Path,
    estimated: &Estimated,
    stores: &Stores,
    words: &EstimateArgs,
    units: Units,
) -> anyhow::Result<()> {
    let mut provenance = vec![
        Fact::new("log", format!("{} ({})", estimated.input, estimated.format)),
        Fact::new("made by", concat!("iotempo ", env!("IOTEMPO_VERSION"))),
    ];
    provenance.extend(stores.sources.iter().map(|source| {
        let value = format!(
            "{} ({}, {} repetitions)",
            source.input, source.format, source.repetitions
        );
        Fact::new("benchmarks", value)
    }));
    let rows = summary::rows(estimated, units).into_iter();
    let page = EstimatePage {
        input: estimated.input.clone(),
        combined: estimated.combined.clone(),
        phases: Table {
            title: "Phases".to_owned(),
            columns: ["phase", "op", "moves", "how", "match"]
                .map(str::to_owned)
                .to_vec(),
            rows: rows.map(Vec::from).collect(),
            notes: Vec::new(),
        },
        unmatched: summary::unmatched(estimated)
            .into_iter()
            .map(|(number, why)| Fact::new(format!("phase {number}"), why))
            .collect(),
        provenance,
        warnings: estimated
            .warnings
            .iter()
            .chain(&stores.warnings)
            .cloned()
            .collect(),
        settings: setting_facts(&Stated::new(words, stores)),
        units: units.into(),
    };
    let mut bytes = Vec::new();
    page.write_into(&mut bytes)?;
    write_bytes(path, &bytes)
}

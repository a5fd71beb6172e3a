//! `batch_traces FOLDER COUNT one|three`: that many traces of one hour at 1 Hz, as the tool that
//! FTIO has for data sets reads them: a column `write`, or `read`, `write` and `both`. Rhythms of
//! all kinds, and one in four without any.
#![allow(clippy::disallowed_methods)]

use iotempo_model::{Hertz, Seconds, Signal};
use iotempo_sim::{Aperiodic, SemiSynthetic, Shape, ShapeKind, SimError};
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

const SAMPLES: usize = 3600;

/// The rates of trace `index`, in bytes per second.
fn rates(index: u64) -> Result<Vec<f64>, Box<dyn Error>> {
    let rate = Hertz::new(1.0).ok_or("not a rate")?;
    let signal = match index % 16 {
        0 => Aperiodic::SPARSE.signal(SAMPLES, index)?,
        1 => Aperiodic::WhiteNoise.signal(SAMPLES, index)?,
        2 => Aperiodic::RandomWalk.signal(SAMPLES, index)?,
        3 => Aperiodic::SingleBurst.signal(SAMPLES, index)?,
        case @ 4..14 => shape(ShapeKind::ALL[case as usize - 4], index, rate)?,
        14 => semi(0.0, index, rate)?,
        _ => semi(5.5, index, rate)?,
    };
    let mut rates = signal.samples().to_vec();
    rates.resize(SAMPLES, 0.0);
    Ok(rates)
}

/// A hard case that lasts for the hour.
fn shape(kind: ShapeKind, seed: u64, rate: Hertz) -> Result<Signal, SimError> {
    let usual = Shape::new(kind);
    let repetitions = (SAMPLES as f64 / usual.period.get()).ceil() as u32;
    let shape = Shape {
        repetitions: repetitions.max(usual.repetitions),
        seed,
        ..usual
    };
    Ok(shape.signal(rate)?.0)
}

/// Compute phases of 11 s, with a standard deviation of `sigma` seconds, for the hour.
fn semi(sigma: f64, seed: u64, rate: Hertz) -> Result<Signal, SimError> {
    let generator = SemiSynthetic {
        ranks: 4,
        iterations: 250,
        compute_sigma: Seconds::new(sigma).unwrap_or_default(),
        seed,
        ..SemiSynthetic::default()
    };
    Ok(generator.signal(rate)?.0)
}

fn one(index: u64) -> Result<String, Box<dyn Error>> {
    let mut text = "write\n".to_owned();
    for rate in rates(index)? {
        writeln!(text, "{rate:.0}")?;
    }
    Ok(text)
}

/// Reads are those of the next trace.
fn three(index: u64) -> Result<String, Box<dyn Error>> {
    let mut text = "read,write,both\n".to_owned();
    for (write, read) in rates(index)?.into_iter().zip(rates(index + 1)?) {
        writeln!(text, "{read:.0},{write:.0},{:.0}", read + write)?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count, columns] = &arguments[..] else {
        return Err("FOLDER COUNT one|three".into());
    };
    let table = match columns.as_str() {
        "one" => one,
        "three" => three,
        other => return Err(format!("{other}: neither one nor three").into()),
    };
    std::fs::create_dir_all(folder)?;
    for index in 0..count.parse()? {
        let name = format!("{index:05}_signal_made.csv");
        std::fs::write(Path::new(folder).join(name), table(index)?)?;
    }
    Ok(())
}

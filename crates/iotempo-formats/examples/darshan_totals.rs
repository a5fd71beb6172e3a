//! Totals of a Darshan log, as `darshan-parser --total` begins them.
use iotempo_formats::{Limits, darshan::*};
fn main() {
    for path in std::env::args().skip(1) {
        let log = Log::read(std::fs::File::open(&path).unwrap(), &Limits::default());
        match log {
            Err(e) => println!("{path}: ERR {e}"),
            Ok(log) => {
                print!("{path}: {} names {}", log.version, log.names.len());
                for m in &log.modules {
                    let n = match &m.records {
                        Records::Counters(t) => t.len(),
                        Records::Lustre(t) => t.len(),
                        Records::Dxt(t) => t.records.len(),
                        Records::Heatmap(t) => t.len(),
                        Records::Mdhim(t) => t.len(),
                        Records::Apmpi(t) => t.table.len(),
                        Records::Apxc(t) => t.table.len(),
                        Records::Unreadable => 0,
                    };
                    print!(
                        " {}:{}{}",
                        m.name(),
                        n,
                        m.damage
                            .as_ref()
                            .map_or(String::new(), |d| format!("[{}]", d.message))
                    );
                }
                println!();
            }
        }
    }
}

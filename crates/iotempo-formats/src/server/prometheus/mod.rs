//! Prometheus: answers of its HTTP interface, and what exporters show to it.

mod answers;
mod exposition;
mod json;

pub use answers::Answers;

use super::flows::Measure;
use super::metrics::{Emitter, Survey, Wishes};
use super::options::{Clock, Options, Reading};
use crate::error::Error;
use crate::input::Input;
use crate::json::Json;
use crate::series::Window;
use iotempo_model::ThroughputSink;

pub(super) fn sniff(head: &[u8]) -> bool {
    json::sniff(head) || exposition::sniff(head)
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    if exposition::sniff(input.head()) {
        return exposition::read(input, options, sink);
    }
    let wishes = Wishes::new(options)?;
    let [look, all] = input.twice()?;
    let mut survey = Survey::new(&options.limits);
    let mut seen = json::Said::default();
    // Damage is told of when it is met again.
    let _ = json::walk(
        &mut Json::new(Window::new(look), &options.limits),
        &mut survey,
        &mut seen,
    );
    let mut emitter = Emitter::new(options, wishes, Measure::PerSecond, sink);
    emitter.prepare(survey);
    let mut said = json::Said::default();
    let mut json = Json::new(Window::new(all), &options.limits);
    let damage = match json::walk(&mut json, &mut emitter, &mut said) {
        Ok(()) => None,
        Err(stop) => Some(stop.damage()?),
    };
    said.tell(&mut emitter)?;
    emitter.finish("Prometheus JSON", Clock::Epoch, damage)
}

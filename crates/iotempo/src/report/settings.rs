//! Settings as facts for people.

use iotempo_report::Fact;
use serde::Serialize;
use serde_json::Value;

/// The fields of `settings`, as JSON states them, by name.
pub(crate) fn facts(settings: &impl Serialize) -> Vec<Fact> {
    let Ok(Value::Object(fields)) = serde_json::to_value(settings) else {
        return Vec::new();
    };
    let facts = fields.into_iter();
    facts
        .map(|(name, value)| Fact::new(name, text(&value)))
        .collect()
}

/// A value without quotes; what is not set is a dash.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "-".to_owned(),
        Value::Object(fields) if fields.is_empty() => "-".to_owned(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let pairs = fields
                .iter()
                .map(|(name, value)| format!("{name}={}", text(value)));
            pairs.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

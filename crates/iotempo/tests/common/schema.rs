//! JSON that is what its schema says.

use serde_json::Value;
use std::path::Path;

/// Checks the part of JSON Schema that our schemas use; the path and the reason of what is wrong.
pub fn check(value: &Value, schema: &Value, root: &Value, path: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.strip_prefix('#').unwrap());
        return check(value, target.expect("a definition"), root, path);
    }
    let mut wrong = Vec::new();
    for keyword in schema.as_object().unwrap().keys() {
        let known = [
            "$schema",
            "$id",
            "$defs",
            "title",
            "description",
            "type",
            "required",
            "properties",
            "additionalProperties",
            "items",
            "maxItems",
            "enum",
            "const",
            "pattern",
            "anyOf",
        ];
        assert!(
            known.contains(&keyword.as_str()),
            "{keyword} is not checked"
        );
    }
    if !schema["type"].is_null() && !has_type(value, &schema["type"]) {
        wrong.push(format!("{path}: {value} is not {}", schema["type"]));
    }
    if schema.get("const").is_some_and(|only| only != value) {
        wrong.push(format!("{path}: {value} is not {}", schema["const"]));
    }
    if let Some(all) = schema["enum"].as_array()
        && !all.contains(value)
    {
        wrong.push(format!("{path}: {value} is none of {all:?}"));
    }
    if let (Some(most), Some(items)) = (schema["maxItems"].as_u64(), value.as_array())
        && items.len() as u64 > most
    {
        wrong.push(format!("{path}: {} items, at most {most}", items.len()));
    }
    if schema["pattern"].is_string() && value.is_string() {
        let text = value.as_str().unwrap();
        let pattern = regex::Regex::new(schema["pattern"].as_str().unwrap()).unwrap();
        wrong.extend((!pattern.is_match(text)).then(|| format!("{path}: {text}")));
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let fits = |schema: &Value| check(value, schema, root, path).is_empty();
        wrong.extend((!any.iter().any(fits)).then(|| format!("{path}: {value} fits nothing")));
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        wrong.extend(check(
            item,
            &schema["items"],
            root,
            &format!("{path}/{index}"),
        ));
    }
    if schema.get("anyOf").is_none() {
        wrong.extend(check_object(value, schema, root, path));
    }
    wrong
}

fn check_object(value: &Value, schema: &Value, root: &Value, path: &str) -> Vec<String> {
    let Some(object) = value.as_object() else {
        return Vec::new();
    };
    let required = schema["required"].as_array().into_iter().flatten();
    let missing = required.filter(|key| !object.contains_key(key.as_str().unwrap()));
    let mut wrong: Vec<_> = missing
        .map(|key| format!("{path}: {key} is missing"))
        .collect();
    for (key, value) in object {
        let path = format!("{path}/{key}");
        match (
            schema["properties"].get(key),
            &schema["additionalProperties"],
        ) {
            (Some(schema), _) => wrong.extend(check(value, schema, root, &path)),
            (None, Value::Bool(false)) => wrong.push(format!("{path} is not in the schema")),
            (None, schema) => wrong.extend(check(value, schema, root, &path)),
        }
    }
    wrong
}

fn has_type(value: &Value, types: &Value) -> bool {
    let is = |name: &Value| match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    };
    types
        .as_array()
        .map_or_else(|| is(types), |types| types.iter().any(is))
}

/// The schema of a verb's output.
pub fn schema(verb: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let text = std::fs::read_to_string(folder.join(format!("{verb}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

//! The JSON Schema of the format, from the declarations of components.

mod equations;

use crate::content::VERSION;
use crate::data::Data;
use crate::expression::{CHOICE, OPERATIONS};
use crate::layout;
use mechanics::assembly::{Class, Registry};
use mechanics::declaration::{Choice, Default, Lifetime, Parameter};
use serde_json::{Map, Value, json};

/// The text of the schema (draft 2020-12) of files whose components are those of a registry, with
/// these choices as kinds of parameters.
///
/// # Panics
/// If a declaration has a number that is not finite.
pub fn schema(registry: &Registry, choices: &[Choice]) -> String {
    let schema = schema_of(registry, choices);
    let data: Data = serde_json::from_value(schema).expect("a schema is JSON");
    layout::text(&data).expect("its numbers are finite")
}

fn schema_of(registry: &Registry, choices: &[Choice]) -> Value {
    let classes = || registry.libraries().flat_map(|library| library.classes());
    let mut definitions = kinds();
    definitions.extend(equations::definitions());
    for choice in choices {
        definitions.insert(choice.name.to_owned(), of_choice(choice));
    }
    for class in classes() {
        definitions.insert(class.path(), of_class(class, choices));
    }
    let alternatives: Vec<Value> = classes()
        .map(|class| {
            let path = class.path();
            json!({
                "if": { "properties": { "class": { "const": path } }, "required": ["class"] },
                "then": { "properties": { "settings": reference(&path) } },
            })
        })
        .collect();
    let paths: Vec<String> = classes().map(Class::path).collect();
    definitions.insert(
        "component".to_owned(),
        json!({
            "type": "object",
            "required": ["class", "name"],
            "properties": {
                "class": { "enum": paths },
                "name": text("Its name"),
                "settings": { "type": "object" },
            },
            "additionalProperties": false,
            "allOf": alternatives,
        }),
    );
    let Value::Object(mut file) = file() else { return Value::Null };
    file.insert("$defs".to_owned(), Value::Object(definitions));
    Value::Object(file)
}

/// The schema of a file without the definitions to which it refers.
fn file() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Netlist",
        "description": "A model of mechanical components",
        "type": "object",
        "required": ["format", "version", "name", "components"],
        "properties": {
            "format": { "const": "coupler-netlist" },
            "version": { "const": VERSION },
            "name": text("Its name: a letter, then letters, digits and underscores"),
            "documentation": text("In Markdown; the first line is the description of the FMU"),
            "units": list(object(
                json!({
                    "name": text("Its name"),
                    "factor": number("1 name = factor of"),
                    "of": text("A known unit, or a product of known units"),
                }),
                &["name", "factor", "of"],
            )),
            "parameters": list(parameter()),
            "calculated": list(calculated()),
            "components": list(reference("component")),
            "equations": list(reference("equations")),
            "connections": list(json!({
                "type": "array",
                "prefixItems": [text("A port, such as wheel.flange_a"), text("Another port")],
                "items": false,
                "minItems": 2,
            })),
            "outputs": list(json!({
                "anyOf": [
                    text("The name of a variable"),
                    object(
                        json!({
                            "name": text("A name of its own"),
                            "variable": text("The name of a variable"),
                            "description": text("In one line"),
                        }),
                        &["name", "variable"],
                    ),
                ],
            })),
            "output_frames": list(object(
                json!({
                    "name": text("With which the names of the outputs begin"),
                    "frame": text("A frame, such as body.frame_a"),
                }),
                &["name", "frame"],
            )),
            "scene": { "type": "boolean", "description": "Whether shapes are described" },
            "free_loops": { "type": "boolean", "description": "Whether all loops are free" },
            "keep_names": {
                "type": "boolean",
                "description": "Whether names that OpenModelica imports as one are kept",
            },
            "mix_units": {
                "type": "boolean",
                "description": "Whether signals in other units than those of inputs are notes",
            },
            "notes": list(text("A note for the author of the model")),
            "places": list(place()),
            "experiment": object(
                json!({
                    "stop_time": number("In s"),
                    "tolerance": number("Relative"),
                    "step_size": number("In s"),
                }),
                &[],
            ),
            "test_values": list(object(
                json!({ "name": text("A variable"), "value": number("Its value in tests") }),
                &["name", "value"],
            )),
        },
        "additionalProperties": false,
    })
}

/// A parameter of the model.
fn parameter() -> Value {
    object(
        json!({
            "name": text("Its name, which expressions use"),
            "value": number("Its value"),
            "unit": text("Its unit; 1 for a pure number"),
            "description": text("In one line"),
            "min": number("The smallest value"),
            "max": number("The largest value"),
        }),
        &["name", "value", "unit", "description"],
    )
}

/// A value that follows from parameters.
fn calculated() -> Value {
    object(
        json!({
            "name": text("Its name"),
            "value": equations::described(reference("expression"), "An expression of parameters"),
            "unit": text("Its unit; 1 for a pure number"),
            "description": text("In one line"),
            "min": number("The smallest value"),
            "max": number("The largest value"),
        }),
        &["name", "value", "unit", "description"],
    )
}

/// The place of a component in the diagram.
fn place() -> Value {
    object(
        json!({
            "name": text("A component, or a group of components"),
            "x": number("The centre, to the right; symbols are about 20 wide"),
            "y": number("The centre, upwards"),
            "rotation": number("In degrees, counter-clockwise"),
            "mirrored": { "type": "boolean", "description": "Before it is turned" },
        }),
        &["name", "x", "y"],
    )
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn number(description: &str) -> Value {
    json!({ "type": "number", "description": description })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn array(items: Value, length: usize) -> Value {
    json!({ "type": "array", "items": items, "minItems": length, "maxItems": length })
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// An object with one member.
fn member(name: &str, value: Value) -> Value {
    object(Value::Object(Map::from_iter([(name.to_owned(), value)])), &[name])
}

fn reference(definition: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{definition}") })
}

/// The definitions of the kinds of values.
fn kinds() -> Map<String, Value> {
    let number = || json!({ "type": "number" });
    let mut operations: Vec<&str> = OPERATIONS.into();
    operations.push(CHOICE);
    let definitions = [
        (
            "expression",
            json!({
                "anyOf": [
                    { "type": ["number", "boolean"] },
                    text("The name of a parameter"),
                    {
                        "type": "array",
                        "prefixItems": [{ "enum": operations }],
                        "items": reference("expression"),
                        "minItems": 2,
                    },
                ],
            }),
        ),
        (
            "Real",
            json!({
                "anyOf": [
                    number(),
                    member("expression", reference("expression")),
                    member("unknown", number()),
                ],
            }),
        ),
        (
            "Start",
            json!({
                "anyOf": [{ "const": "free" }, member("fixed", number()), member("guess", number())],
            }),
        ),
        (
            "Function",
            member(
                "function",
                object(
                    json!({
                        "of": list(json!({ "type": "string" })),
                        "is": list(reference("expression")),
                    }),
                    &["of", "is"],
                ),
            ),
        ),
    ];
    definitions.map(|(name, schema)| (name.to_owned(), schema)).into_iter().collect()
}

fn of_choice(choice: &Choice) -> Value {
    let values: Vec<Value> = choice
        .values
        .iter()
        .map(|(name, text)| json!({ "const": name, "description": text }))
        .collect();
    json!({ "description": choice.text, "oneOf": values })
}

/// The settings of a class.
fn of_class(class: &Class, choices: &[Choice]) -> Value {
    let d = class.declaration;
    let parameters = d.parameters.iter().map(|p| (p.name.to_owned(), of_parameter(p, choices)));
    let required = d.parameters.iter().filter(|p| p.default == Default::Required);
    let required: Vec<&str> = required.map(|p| p.name).collect();
    let mut schema = object(Value::Object(parameters.collect()), &required);
    schema["description"] = json!(d.summary);
    schema
}

/// A parameter: its kind, and what its declaration says about it.
fn of_parameter(p: &Parameter, choices: &[Choice]) -> Value {
    let mut schema = of_kind(p, choices);
    let mut description = p.text.to_owned();
    if p.unit.split(", ").any(|unit| !["", "1"].contains(&unit)) {
        description += &format!(", in {}", p.unit);
    }
    description += &match p.default {
        Default::Required => String::new(),
        Default::Value(value) => format!("; {value} unless given"),
        Default::None => "; optional".to_owned(),
    };
    schema["description"] = json!(description);
    schema
}

/// The values of a kind.
fn of_kind(p: &Parameter, choices: &[Choice]) -> Value {
    let number = || json!({ "type": "number" });
    let is_fixed = matches!(p.lifetime, Lifetime::Constant | Lifetime::Structural);
    match p.kind {
        "Real" if is_fixed => number(),
        "[Real; 3]" if is_fixed => array(number(), 3),
        "[Real; 3]" => array(reference("Real"), 3),
        "[Real]" if is_fixed => list(number()),
        "[Real]" => list(reference("Real")),
        "Axis" => array(number(), 3),
        "AngleInDegrees" => number(),
        "Integer" => json!({ "type": "integer" }),
        "[usize; 3]" => array(json!({ "enum": [1, 2, 3] }), 3),
        "[Start; 3]" => array(reference("Start"), 3),
        "bool" => json!({ "type": "boolean" }),
        "[bool]" => list(json!({ "type": "boolean" })),
        "String" => json!({ "type": "string" }),
        "[[Real]]" => match p.unit.split(", ").count() {
            _ if p.unit.is_empty() => json!({ "anyOf": [number(), list(list(number()))] }),
            2 => json!({ "anyOf": [number(), list(array(number(), 2))] }),
            columns => list(array(number(), columns)),
        },
        "GravityField" => reference("Function"),
        "[StateSelect; 3]" => array(reference("StateSelect"), 3),
        kind if ["Real", "Start"].contains(&kind) => reference(kind),
        kind if choices.iter().any(|choice| choice.name == kind) => reference(kind),
        // A kind of another package has values that only its code knows.
        _ => json!({}),
    }
}

//! The part of the schema for equations of a model's own.

use super::{array, list, member, number, object, reference, text};
use crate::expression::{CHOICE, INITIAL, OPERATIONS};
use serde_json::{Value, json};

/// The definitions of blocks of equations.
pub fn definitions() -> [(String, Value); 5] {
    let assertion = object(
        json!({
            "when": tree_of("For a condition on variables, when it matters"),
            "condition": tree_of("What must be true"),
            "message": text("What is said if it is false"),
            "warning": { "type": "boolean", "description": "Whether this is a warning only" },
        }),
        &["condition", "message"],
    );
    let block = object(
        json!({
            "name": text("The name of the block; the one without a name is the model"),
            "class": text("What kind of block it is"),
            "description": text("In one line"),
            "definitions": {
                "type": "object",
                "description": "Trees and events that later trees name",
                "additionalProperties": { "anyOf": [reference("tree"), reference("event")] },
            },
            "variables": list(reference("variable")),
            "reinits": list(reinit_of_other()),
            "assertions": list(reference("assertion")),
            "terminations": list(tree_of("Ends the simulation")),
        }),
        &[],
    );
    let definitions = [
        ("tree", tree()),
        ("event", event()),
        ("variable", variable()),
        ("assertion", assertion),
        ("equations", block),
    ];
    definitions.map(|(name, schema)| (name.to_owned(), schema))
}

fn reinit_of_other() -> Value {
    let members = json!({
        "state": text("The full name of a variable that is a state, or a multiple of one"),
        "when": tree_of("True at the event only"),
        "value": tree_of("The new value"),
    });
    object(members, &["state", "when", "value"])
}

pub(super) fn described(mut schema: Value, description: &str) -> Value {
    schema["description"] = json!(description);
    schema
}

fn tree_of(description: &str) -> Value {
    described(reference("tree"), description)
}

fn tree() -> Value {
    let mut operations: Vec<&str> = OPERATIONS.into();
    operations.extend([CHOICE, INITIAL]);
    json!({
        "anyOf": [
            { "type": ["number", "boolean"] },
            text("A variable, a parameter, a definition, or time"),
            {
                "type": "array",
                "prefixItems": [{ "enum": operations }],
                "items": reference("tree"),
                "minItems": 1,
            },
        ],
    })
}

fn event() -> Value {
    json!({
        "type": "object",
        "properties": {
            "positive": tree_of("True while it is positive"),
            "sample": described(array(reference("tree"), 2), "True at instants: start and interval"),
            "when": described(list(reference("tree")), "True when one of the conditions becomes true"),
            "whole": tree_of("The largest whole number that is not larger"),
            "text": text("Names the event in messages"),
        },
        "minProperties": 1,
        "maxProperties": 2,
        "additionalProperties": false,
    })
}

fn variable() -> Value {
    let reinit = object(
        json!({
            "when": tree_of("True at the event only"),
            "value": tree_of("The new value of the state"),
        }),
        &["when", "value"],
    );
    object(
        json!({
            "name": text("Its name in the block"),
            "type": { "enum": ["Real", "Integer", "Boolean"] },
            "unit": text("Its unit"),
            "description": text("In one line"),
            "start": tree_of("Its start value"),
            "nominal": number("Its typical magnitude"),
            "value": tree_of("The value of a variable that is no state"),
            "at_events": tree_of("The value at events of a variable that changes there only"),
            "derivative": tree_of("The derivative of a state, or of a variable with a value"),
            "initial": {
                "anyOf": [
                    { "enum": ["fixed", "free", "steady"] },
                    member("at", reference("tree")),
                ],
                "description": "How a state begins",
            },
            "reinits": list(reinit),
            "hidden": {
                "type": "boolean",
                "description": "Whether it is a signal only, and no variable of the FMU",
            },
        }),
        &["name"],
    )
}

//! The schema of modelDescription.xml as a table: which element may hold what, in which order.

use super::Finding;
use crate::read::{boolean, double};
use crate::tree::Element;

/// What an attribute's value has to look like.
#[derive(Clone, Copy)]
enum Value {
    Text,
    Boolean,
    Real,
    Integer,
    Unsigned,
    DateTime,
    UnsignedList,
    OneOf(&'static [&'static str]),
}

/// An attribute: its name, its value, whether it is required.
struct Attribute(&'static str, Value, bool);

/// A child: its place in the order, how often it may occur.
struct Child {
    rule: &'static Rule,
    rank: u8,
    least: usize,
    most: usize,
}

/// What an element may hold.
struct Rule {
    name: &'static str,
    attributes: &'static [Attribute],
    children: &'static [Child],
    /// Tools may put anything here.
    anything: bool,
}

const MANY: usize = usize::MAX;

const fn rule(
    name: &'static str,
    attributes: &'static [Attribute],
    children: &'static [Child],
) -> Rule {
    Rule { name, attributes, children, anything: false }
}

const fn child(rule: &'static Rule, rank: u8, least: usize, most: usize) -> Child {
    Child { rule, rank, least, most }
}

const fn needed(name: &'static str, value: Value) -> Attribute {
    Attribute(name, value, true)
}

const fn may(name: &'static str, value: Value) -> Attribute {
    Attribute(name, value, false)
}

use Value::{Boolean, DateTime, Integer, OneOf, Real, Text, Unsigned, UnsignedList};

static FILE: Rule = rule("File", &[needed("name", Text)], &[]);
static SOURCE_FILES: Rule = rule("SourceFiles", &[], &[child(&FILE, 0, 1, MANY)]);

static MODEL_EXCHANGE: Rule = rule(
    "ModelExchange",
    &[
        needed("modelIdentifier", Text),
        may("needsExecutionTool", Boolean),
        may("completedIntegratorStepNotNeeded", Boolean),
        may("canBeInstantiatedOnlyOncePerProcess", Boolean),
        may("canNotUseMemoryManagementFunctions", Boolean),
        may("canGetAndSetFMUstate", Boolean),
        may("canSerializeFMUstate", Boolean),
        may("providesDirectionalDerivative", Boolean),
    ],
    &[child(&SOURCE_FILES, 0, 0, 1)],
);

static CO_SIMULATION: Rule = rule(
    "CoSimulation",
    &[
        needed("modelIdentifier", Text),
        may("needsExecutionTool", Boolean),
        may("canHandleVariableCommunicationStepSize", Boolean),
        may("canInterpolateInputs", Boolean),
        may("maxOutputDerivativeOrder", Unsigned),
        may("canRunAsynchronuously", Boolean),
        may("canBeInstantiatedOnlyOncePerProcess", Boolean),
        may("canNotUseMemoryManagementFunctions", Boolean),
        may("canGetAndSetFMUstate", Boolean),
        may("canSerializeFMUstate", Boolean),
        may("providesDirectionalDerivative", Boolean),
    ],
    &[child(&SOURCE_FILES, 0, 0, 1)],
);

static BASE_UNIT: Rule = rule(
    "BaseUnit",
    &[
        may("kg", Integer),
        may("m", Integer),
        may("s", Integer),
        may("A", Integer),
        may("K", Integer),
        may("mol", Integer),
        may("cd", Integer),
        may("rad", Integer),
        may("factor", Real),
        may("offset", Real),
    ],
    &[],
);
static DISPLAY_UNIT: Rule =
    rule("DisplayUnit", &[needed("name", Text), may("factor", Real), may("offset", Real)], &[]);
static UNIT: Rule = rule(
    "Unit",
    &[needed("name", Text)],
    &[child(&BASE_UNIT, 0, 0, 1), child(&DISPLAY_UNIT, 1, 0, MANY)],
);
static UNIT_DEFINITIONS: Rule = rule("UnitDefinitions", &[], &[child(&UNIT, 0, 1, MANY)]);

static REAL_TYPE: Rule = rule(
    "Real",
    &[
        may("quantity", Text),
        may("unit", Text),
        may("displayUnit", Text),
        may("relativeQuantity", Boolean),
        may("min", Real),
        may("max", Real),
        may("nominal", Real),
        may("unbounded", Boolean),
    ],
    &[],
);
static INTEGER_TYPE: Rule =
    rule("Integer", &[may("quantity", Text), may("min", Integer), may("max", Integer)], &[]);
static BOOLEAN_TYPE: Rule = rule("Boolean", &[], &[]);
static STRING_TYPE: Rule = rule("String", &[], &[]);
static ITEM: Rule =
    rule("Item", &[needed("name", Text), needed("value", Integer), may("description", Text)], &[]);
static ENUMERATION_TYPE: Rule =
    rule("Enumeration", &[may("quantity", Text)], &[child(&ITEM, 0, 1, MANY)]);
static SIMPLE_TYPE: Rule = rule(
    "SimpleType",
    &[needed("name", Text), may("description", Text)],
    &[
        child(&REAL_TYPE, 0, 0, 1),
        child(&INTEGER_TYPE, 0, 0, 1),
        child(&BOOLEAN_TYPE, 0, 0, 1),
        child(&STRING_TYPE, 0, 0, 1),
        child(&ENUMERATION_TYPE, 0, 0, 1),
    ],
);
static TYPE_DEFINITIONS: Rule = rule("TypeDefinitions", &[], &[child(&SIMPLE_TYPE, 0, 1, MANY)]);

static CATEGORY: Rule = rule("Category", &[needed("name", Text), may("description", Text)], &[]);
static LOG_CATEGORIES: Rule = rule("LogCategories", &[], &[child(&CATEGORY, 0, 1, MANY)]);
static DEFAULT_EXPERIMENT: Rule = rule(
    "DefaultExperiment",
    &[may("startTime", Real), may("stopTime", Real), may("tolerance", Real), may("stepSize", Real)],
    &[],
);

static TOOL: Rule =
    Rule { name: "Tool", attributes: &[needed("name", Text)], children: &[], anything: true };
static VENDOR_ANNOTATIONS: Rule = rule("VendorAnnotations", &[], &[child(&TOOL, 0, 1, MANY)]);
static ANNOTATIONS: Rule = rule("Annotations", &[], &[child(&TOOL, 0, 1, MANY)]);

static REAL: Rule = rule(
    "Real",
    &[
        may("declaredType", Text),
        may("quantity", Text),
        may("unit", Text),
        may("displayUnit", Text),
        may("relativeQuantity", Boolean),
        may("min", Real),
        may("max", Real),
        may("nominal", Real),
        may("unbounded", Boolean),
        may("start", Real),
        may("derivative", Unsigned),
        may("reinit", Boolean),
    ],
    &[],
);
static INTEGER: Rule = rule(
    "Integer",
    &[
        may("declaredType", Text),
        may("quantity", Text),
        may("min", Integer),
        may("max", Integer),
        may("start", Integer),
    ],
    &[],
);
static BOOLEAN: Rule = rule("Boolean", &[may("declaredType", Text), may("start", Boolean)], &[]);
static STRING: Rule = rule("String", &[may("declaredType", Text), may("start", Text)], &[]);
static ENUMERATION: Rule = rule(
    "Enumeration",
    &[
        needed("declaredType", Text),
        may("quantity", Text),
        may("min", Integer),
        may("max", Integer),
        may("start", Integer),
    ],
    &[],
);
static SCALAR_VARIABLE: Rule = rule(
    "ScalarVariable",
    &[
        needed("name", Text),
        needed("valueReference", Unsigned),
        may("description", Text),
        may(
            "causality",
            OneOf(&["parameter", "calculatedParameter", "input", "output", "local", "independent"]),
        ),
        may("variability", OneOf(&["constant", "fixed", "tunable", "discrete", "continuous"])),
        may("initial", OneOf(&["exact", "approx", "calculated"])),
        may("canHandleMultipleSetPerTimeInstant", Boolean),
    ],
    &[
        child(&REAL, 0, 0, 1),
        child(&INTEGER, 0, 0, 1),
        child(&BOOLEAN, 0, 0, 1),
        child(&STRING, 0, 0, 1),
        child(&ENUMERATION, 0, 0, 1),
        child(&ANNOTATIONS, 1, 0, 1),
    ],
);
static MODEL_VARIABLES: Rule = rule("ModelVariables", &[], &[child(&SCALAR_VARIABLE, 0, 1, MANY)]);

static UNKNOWN: Rule = rule(
    "Unknown",
    &[needed("index", Unsigned), may("dependencies", UnsignedList), may("dependenciesKind", Text)],
    &[],
);
static OUTPUTS: Rule = rule("Outputs", &[], &[child(&UNKNOWN, 0, 1, MANY)]);
static DERIVATIVES: Rule = rule("Derivatives", &[], &[child(&UNKNOWN, 0, 1, MANY)]);
static INITIAL_UNKNOWNS: Rule = rule("InitialUnknowns", &[], &[child(&UNKNOWN, 0, 1, MANY)]);
static MODEL_STRUCTURE: Rule = rule(
    "ModelStructure",
    &[],
    &[child(&OUTPUTS, 0, 0, 1), child(&DERIVATIVES, 1, 0, 1), child(&INITIAL_UNKNOWNS, 2, 0, 1)],
);

static ROOT: Rule = rule(
    "fmiModelDescription",
    &[
        needed("fmiVersion", OneOf(&["2.0"])),
        needed("modelName", Text),
        needed("guid", Text),
        may("description", Text),
        may("author", Text),
        may("version", Text),
        may("copyright", Text),
        may("license", Text),
        may("generationTool", Text),
        may("generationDateAndTime", DateTime),
        may("variableNamingConvention", OneOf(&["flat", "structured"])),
        may("numberOfEventIndicators", Unsigned),
    ],
    &[
        child(&MODEL_EXCHANGE, 0, 0, 1),
        child(&CO_SIMULATION, 0, 0, 1),
        child(&UNIT_DEFINITIONS, 1, 0, 1),
        child(&TYPE_DEFINITIONS, 2, 0, 1),
        child(&LOG_CATEGORIES, 3, 0, 1),
        child(&DEFAULT_EXPERIMENT, 4, 0, 1),
        child(&VENDOR_ANNOTATIONS, 5, 0, 1),
        child(&MODEL_VARIABLES, 6, 1, 1),
        child(&MODEL_STRUCTURE, 7, 1, 1),
    ],
);

/// What in a document is against the schema.
pub(super) fn findings(root: &Element) -> Vec<Finding> {
    let mut findings = Vec::new();
    if root.name == ROOT.name {
        element(root, &ROOT, &mut findings);
    } else {
        let text = format!("the root element is <{}>, not <{}>", root.name, ROOT.name);
        findings.push(Finding::error("X02", text));
    }
    findings
}

fn element(element: &Element, rule: &Rule, findings: &mut Vec<Finding>) {
    let mut fault = |number, text: String| {
        findings.push(Finding::error(number, format!("line {}: {text}", element.line)));
    };
    for Attribute(name, _, required) in rule.attributes {
        if *required && element.attribute(name).is_none() {
            fault("X02", format!("<{}> lacks the attribute {name}", rule.name));
        }
    }
    for (name, value) in &element.attributes {
        if name.starts_with("xmlns") || name.starts_with("xsi:") {
            continue;
        }
        match rule.attributes.iter().find(|a| a.0 == *name) {
            Some(Attribute(_, kind, _)) => {
                if let Some((number, reason)) = fault_of(*kind, value) {
                    fault(number, format!("{name}=\"{value}\" of <{}> {reason}", rule.name));
                }
            }
            None => fault("X02", format!("<{}> has no attribute {name}", rule.name)),
        }
    }
    if rule.anything {
        if rule.name == TOOL.name && element.children.len() > 1 {
            fault("X42", "<Tool> holds more than one element".to_owned());
        }
        return;
    }
    if element.has_text {
        fault("X02", format!("<{}> holds text", rule.name));
    }
    let mut rank = 0;
    for inner in &element.children {
        let Some(child) = rule.children.iter().find(|c| c.rule.name == inner.name) else {
            fault("X02", format!("<{}> has no place in <{}>", inner.name, rule.name));
            continue;
        };
        if child.rank < rank {
            fault("X02", format!("<{}> comes too late in <{}>", inner.name, rule.name));
        }
        rank = rank.max(child.rank);
    }
    for child in rule.children {
        let count = element.children.iter().filter(|c| c.name == child.rule.name).count();
        if count < child.least {
            fault("X02", format!("<{}> lacks <{}>", rule.name, child.rule.name));
        }
        if count > child.most {
            fault("X02", format!("<{}> has {count} <{}>", rule.name, child.rule.name));
        }
    }
    choices(element, rule, &mut fault);
    for inner in &element.children {
        if let Some(child) = rule.children.iter().find(|c| c.rule.name == inner.name) {
            self::element(inner, child.rule, findings);
        }
    }
}

/// What has to be there exactly once, in one of several forms; and names that must not repeat.
fn choices(element: &Element, rule: &Rule, fault: &mut impl FnMut(&'static str, String)) {
    if rule.name == SCALAR_VARIABLE.name || rule.name == SIMPLE_TYPE.name {
        let types = element.children.iter().filter(|c| c.name != ANNOTATIONS.name).count();
        if types != 1 {
            fault("X02", format!("<{}> has {types} types, not one", rule.name));
        }
    }
    if rule.name == VENDOR_ANNOTATIONS.name || rule.name == ANNOTATIONS.name {
        let names: Vec<_> = element.children.iter().filter_map(|t| t.attribute("name")).collect();
        if let Some(i) = (1..names.len()).find(|i| names[..*i].contains(&names[*i])) {
            fault("X42", format!("<{}> has two tools `{}`", rule.name, names[i]));
        }
    }
}

/// What is wrong with a value, with the number of the rule.
fn fault_of(kind: Value, value: &str) -> Option<(&'static str, String)> {
    let is_integer = |text: &str| text.trim().parse::<i32>().is_ok();
    let is_unsigned = |text: &str| text.trim().parse::<u32>().is_ok();
    let against = |legal: bool, what: &str| (!legal).then(|| ("X02", what.to_owned()));
    match kind {
        Value::Text => None,
        Value::Boolean => against(boolean(value).is_some(), "is neither true nor false"),
        Value::Real => match double(value) {
            Some(number) if number.is_finite() => None,
            Some(_) => Some(("X03", "is not finite".to_owned())),
            None => Some(("X02", "is not a number".to_owned())),
        },
        Value::Integer => against(is_integer(value), "is not a whole number of 32 bits"),
        Value::Unsigned => against(is_unsigned(value), "is not an unsigned number of 32 bits"),
        Value::UnsignedList => {
            against(value.split_ascii_whitespace().all(is_unsigned), "is not a list of indices")
        }
        Value::OneOf(words) => {
            against(words.contains(&value), &format!("is none of {}", words.join(", ")))
        }
        Value::DateTime => {
            let legal = is_date_time(value);
            (!legal).then(|| ("X06", "is not of the form YYYY-MM-DDThh:mm:ssZ".to_owned()))
        }
    }
}

fn is_date_time(text: &str) -> bool {
    let pattern = b"dddd-dd-ddTdd:dd:ddZ";
    let fits = |(byte, p): (u8, &u8)| if *p == b'd' { byte.is_ascii_digit() } else { byte == *p };
    if text.len() != pattern.len() || !text.bytes().zip(pattern).all(fits) {
        return false;
    }
    let number = |from: usize| text[from..from + 2].parse::<u8>().unwrap_or(99);
    (1..=12).contains(&number(5))
        && (1..=31).contains(&number(8))
        && number(11) < 24
        && number(14) < 60
        && number(17) < 60
}

//! The schema of modelDescription.xml as a table: which element may hold what, in which order.

use super::value_type::ValueType;

/// An attribute: its name, its value, whether it is required.
pub(super) struct Attribute(pub(super) &'static str, pub(super) ValueType, pub(super) bool);

/// A child: its place in the order, how often it may occur.
pub(super) struct Child {
    pub(super) rule: &'static ElementType,
    pub(super) rank: u8,
    pub(super) least: usize,
    pub(super) most: usize,
}

/// What an element may hold.
pub(super) struct ElementType {
    pub(super) name: &'static str,
    pub(super) attributes: &'static [Attribute],
    pub(super) children: &'static [Child],
    /// Tools may put anything here.
    pub(super) anything: bool,
}

const MANY: usize = usize::MAX;

const fn rule(
    name: &'static str,
    attributes: &'static [Attribute],
    children: &'static [Child],
) -> ElementType {
    ElementType { name, attributes, children, anything: false }
}

const fn child(rule: &'static ElementType, rank: u8, least: usize, most: usize) -> Child {
    Child { rule, rank, least, most }
}

const fn needed(name: &'static str, value: ValueType) -> Attribute {
    Attribute(name, value, true)
}

const fn may(name: &'static str, value: ValueType) -> Attribute {
    Attribute(name, value, false)
}

use ValueType::{Boolean, DateTime, Integer, OneOf, Real, Text, Unsigned, UnsignedList};

static FILE: ElementType = rule("File", &[needed("name", Text)], &[]);
static SOURCE_FILES: ElementType = rule("SourceFiles", &[], &[child(&FILE, 0, 1, MANY)]);

static MODEL_EXCHANGE: ElementType = rule(
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

static CO_SIMULATION: ElementType = rule(
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

static BASE_UNIT: ElementType = rule(
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
static DISPLAY_UNIT: ElementType =
    rule("DisplayUnit", &[needed("name", Text), may("factor", Real), may("offset", Real)], &[]);
static UNIT: ElementType = rule(
    "Unit",
    &[needed("name", Text)],
    &[child(&BASE_UNIT, 0, 0, 1), child(&DISPLAY_UNIT, 1, 0, MANY)],
);
static UNIT_DEFINITIONS: ElementType = rule("UnitDefinitions", &[], &[child(&UNIT, 0, 1, MANY)]);

static REAL_TYPE: ElementType = rule(
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
static INTEGER_TYPE: ElementType =
    rule("Integer", &[may("quantity", Text), may("min", Integer), may("max", Integer)], &[]);
static BOOLEAN_TYPE: ElementType = rule("Boolean", &[], &[]);
static STRING_TYPE: ElementType = rule("String", &[], &[]);
static ITEM: ElementType =
    rule("Item", &[needed("name", Text), needed("value", Integer), may("description", Text)], &[]);
static ENUMERATION_TYPE: ElementType =
    rule("Enumeration", &[may("quantity", Text)], &[child(&ITEM, 0, 1, MANY)]);
pub(super) static SIMPLE_TYPE: ElementType = rule(
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
static TYPE_DEFINITIONS: ElementType =
    rule("TypeDefinitions", &[], &[child(&SIMPLE_TYPE, 0, 1, MANY)]);

static CATEGORY: ElementType =
    rule("Category", &[needed("name", Text), may("description", Text)], &[]);
static LOG_CATEGORIES: ElementType = rule("LogCategories", &[], &[child(&CATEGORY, 0, 1, MANY)]);
static DEFAULT_EXPERIMENT: ElementType = rule(
    "DefaultExperiment",
    &[may("startTime", Real), may("stopTime", Real), may("tolerance", Real), may("stepSize", Real)],
    &[],
);

pub(super) static TOOL: ElementType = ElementType {
    name: "Tool",
    attributes: &[needed("name", Text)],
    children: &[],
    anything: true,
};
pub(super) static VENDOR_ANNOTATIONS: ElementType =
    rule("VendorAnnotations", &[], &[child(&TOOL, 0, 1, MANY)]);
pub(super) static ANNOTATIONS: ElementType = rule("Annotations", &[], &[child(&TOOL, 0, 1, MANY)]);

static REAL: ElementType = rule(
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
static INTEGER: ElementType = rule(
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
static BOOLEAN: ElementType =
    rule("Boolean", &[may("declaredType", Text), may("start", Boolean)], &[]);
static STRING: ElementType = rule("String", &[may("declaredType", Text), may("start", Text)], &[]);
static ENUMERATION: ElementType = rule(
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
pub(super) static SCALAR_VARIABLE: ElementType = rule(
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
static MODEL_VARIABLES: ElementType =
    rule("ModelVariables", &[], &[child(&SCALAR_VARIABLE, 0, 1, MANY)]);

static UNKNOWN: ElementType = rule(
    "Unknown",
    &[needed("index", Unsigned), may("dependencies", UnsignedList), may("dependenciesKind", Text)],
    &[],
);
static OUTPUTS: ElementType = rule("Outputs", &[], &[child(&UNKNOWN, 0, 1, MANY)]);
static DERIVATIVES: ElementType = rule("Derivatives", &[], &[child(&UNKNOWN, 0, 1, MANY)]);
static INITIAL_UNKNOWNS: ElementType = rule("InitialUnknowns", &[], &[child(&UNKNOWN, 0, 1, MANY)]);
static MODEL_STRUCTURE: ElementType = rule(
    "ModelStructure",
    &[],
    &[child(&OUTPUTS, 0, 0, 1), child(&DERIVATIVES, 1, 0, 1), child(&INITIAL_UNKNOWNS, 2, 0, 1)],
);

pub(super) static ROOT: ElementType = rule(
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

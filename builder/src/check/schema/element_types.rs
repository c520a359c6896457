//! The schema of modelDescription.xml as a table: the content that each element may have, and its
//! order.

use super::value_type::ValueType;

/// An attribute: its name, the type of its value, and whether it is required.
pub(super) struct Attribute(pub(super) &'static str, pub(super) ValueType, pub(super) bool);

/// A child: its place in the order, and how often it may occur.
pub(super) struct Child {
    pub(super) element_type: &'static ElementType,
    pub(super) rank: u8,
    pub(super) least: usize,
    pub(super) most: usize,
}

/// The content that an element may have.
pub(super) struct ElementType {
    pub(super) name: &'static str,
    pub(super) attributes: &'static [Attribute],
    pub(super) children: &'static [Child],
    /// Whether tools may place any content here.
    pub(super) anything: bool,
}

const MANY: usize = usize::MAX;

const fn element_type(
    name: &'static str,
    attributes: &'static [Attribute],
    children: &'static [Child],
) -> ElementType {
    ElementType { name, attributes, children, anything: false }
}

const fn child(element_type: &'static ElementType, rank: u8, least: usize, most: usize) -> Child {
    Child { element_type, rank, least, most }
}

const fn needed(name: &'static str, value: ValueType) -> Attribute {
    Attribute(name, value, true)
}

const fn may(name: &'static str, value: ValueType) -> Attribute {
    Attribute(name, value, false)
}

use ValueType::{Boolean, DateTime, Integer, OneOf, Real, Text, Unsigned, UnsignedList};

static FILE: ElementType = element_type("File", &[needed("name", Text)], &[]);
static SOURCE_FILES: ElementType = element_type("SourceFiles", &[], &[child(&FILE, 0, 1, MANY)]);

static MODEL_EXCHANGE: ElementType = element_type(
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

static CO_SIMULATION: ElementType = element_type(
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

static BASE_UNIT: ElementType = element_type(
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
static DISPLAY_UNIT: ElementType = element_type(
    "DisplayUnit",
    &[needed("name", Text), may("factor", Real), may("offset", Real)],
    &[],
);
static UNIT: ElementType = element_type(
    "Unit",
    &[needed("name", Text)],
    &[child(&BASE_UNIT, 0, 0, 1), child(&DISPLAY_UNIT, 1, 0, MANY)],
);
static UNIT_DEFINITIONS: ElementType =
    element_type("UnitDefinitions", &[], &[child(&UNIT, 0, 1, MANY)]);

static REAL_TYPE: ElementType = element_type(
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
static INTEGER_TYPE: ElementType = element_type(
    "Integer",
    &[may("quantity", Text), may("min", Integer), may("max", Integer)],
    &[],
);
static BOOLEAN_TYPE: ElementType = element_type("Boolean", &[], &[]);
static STRING_TYPE: ElementType = element_type("String", &[], &[]);
static ITEM: ElementType = element_type(
    "Item",
    &[needed("name", Text), needed("value", Integer), may("description", Text)],
    &[],
);
static ENUMERATION_TYPE: ElementType =
    element_type("Enumeration", &[may("quantity", Text)], &[child(&ITEM, 0, 1, MANY)]);
pub(super) static SIMPLE_TYPE: ElementType = element_type(
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
    element_type("TypeDefinitions", &[], &[child(&SIMPLE_TYPE, 0, 1, MANY)]);

static CATEGORY: ElementType =
    element_type("Category", &[needed("name", Text), may("description", Text)], &[]);
static LOG_CATEGORIES: ElementType =
    element_type("LogCategories", &[], &[child(&CATEGORY, 0, 1, MANY)]);
static DEFAULT_EXPERIMENT: ElementType = element_type(
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
    element_type("VendorAnnotations", &[], &[child(&TOOL, 0, 1, MANY)]);
pub(super) static ANNOTATIONS: ElementType =
    element_type("Annotations", &[], &[child(&TOOL, 0, 1, MANY)]);

static REAL: ElementType = element_type(
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
static INTEGER: ElementType = element_type(
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
    element_type("Boolean", &[may("declaredType", Text), may("start", Boolean)], &[]);
static STRING: ElementType =
    element_type("String", &[may("declaredType", Text), may("start", Text)], &[]);
static ENUMERATION: ElementType = element_type(
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
pub(super) static SCALAR_VARIABLE: ElementType = element_type(
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
    element_type("ModelVariables", &[], &[child(&SCALAR_VARIABLE, 0, 1, MANY)]);

static UNKNOWN: ElementType = element_type(
    "Unknown",
    &[needed("index", Unsigned), may("dependencies", UnsignedList), may("dependenciesKind", Text)],
    &[],
);
static OUTPUTS: ElementType = element_type("Outputs", &[], &[child(&UNKNOWN, 0, 1, MANY)]);
static DERIVATIVES: ElementType = element_type("Derivatives", &[], &[child(&UNKNOWN, 0, 1, MANY)]);
static INITIAL_UNKNOWNS: ElementType =
    element_type("InitialUnknowns", &[], &[child(&UNKNOWN, 0, 1, MANY)]);
static MODEL_STRUCTURE: ElementType = element_type(
    "ModelStructure",
    &[],
    &[child(&OUTPUTS, 0, 0, 1), child(&DERIVATIVES, 1, 0, 1), child(&INITIAL_UNKNOWNS, 2, 0, 1)],
);

pub(super) static ROOT: ElementType = element_type(
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

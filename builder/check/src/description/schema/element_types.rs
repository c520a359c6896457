//! The schema of modelDescription.xml as a table: the content that each element may have, and its
//! order.

use super::value_type::ValueType;

/// An attribute that an element may have.
pub(super) struct Attribute {
    pub(super) name: &'static str,
    pub(super) value_type: ValueType,
    pub(super) required: bool,
}

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

const fn required(name: &'static str, value_type: ValueType) -> Attribute {
    Attribute { name, value_type, required: true }
}

const fn optional(name: &'static str, value_type: ValueType) -> Attribute {
    Attribute { name, value_type, required: false }
}

use ValueType::{Boolean, DateTime, Integer, OneOf, Real, Text, Unsigned, UnsignedList};

static FILE: ElementType = element_type("File", &[required("name", Text)], &[]);
static SOURCE_FILES: ElementType = element_type("SourceFiles", &[], &[child(&FILE, 0, 1, MANY)]);

static MODEL_EXCHANGE: ElementType = element_type(
    "ModelExchange",
    &[
        required("modelIdentifier", Text),
        optional("needsExecutionTool", Boolean),
        optional("completedIntegratorStepNotNeeded", Boolean),
        optional("canBeInstantiatedOnlyOncePerProcess", Boolean),
        optional("canNotUseMemoryManagementFunctions", Boolean),
        optional("canGetAndSetFMUstate", Boolean),
        optional("canSerializeFMUstate", Boolean),
        optional("providesDirectionalDerivative", Boolean),
    ],
    &[child(&SOURCE_FILES, 0, 0, 1)],
);

static CO_SIMULATION: ElementType = element_type(
    "CoSimulation",
    &[
        required("modelIdentifier", Text),
        optional("needsExecutionTool", Boolean),
        optional("canHandleVariableCommunicationStepSize", Boolean),
        optional("canInterpolateInputs", Boolean),
        optional("maxOutputDerivativeOrder", Unsigned),
        optional("canRunAsynchronuously", Boolean),
        optional("canBeInstantiatedOnlyOncePerProcess", Boolean),
        optional("canNotUseMemoryManagementFunctions", Boolean),
        optional("canGetAndSetFMUstate", Boolean),
        optional("canSerializeFMUstate", Boolean),
        optional("providesDirectionalDerivative", Boolean),
    ],
    &[child(&SOURCE_FILES, 0, 0, 1)],
);

static BASE_UNIT: ElementType = element_type(
    "BaseUnit",
    &[
        optional("kg", Integer),
        optional("m", Integer),
        optional("s", Integer),
        optional("A", Integer),
        optional("K", Integer),
        optional("mol", Integer),
        optional("cd", Integer),
        optional("rad", Integer),
        optional("factor", Real),
        optional("offset", Real),
    ],
    &[],
);
static DISPLAY_UNIT: ElementType = element_type(
    "DisplayUnit",
    &[required("name", Text), optional("factor", Real), optional("offset", Real)],
    &[],
);
static UNIT: ElementType = element_type(
    "Unit",
    &[required("name", Text)],
    &[child(&BASE_UNIT, 0, 0, 1), child(&DISPLAY_UNIT, 1, 0, MANY)],
);
static UNIT_DEFINITIONS: ElementType =
    element_type("UnitDefinitions", &[], &[child(&UNIT, 0, 1, MANY)]);

static REAL_TYPE: ElementType = element_type(
    "Real",
    &[
        optional("quantity", Text),
        optional("unit", Text),
        optional("displayUnit", Text),
        optional("relativeQuantity", Boolean),
        optional("min", Real),
        optional("max", Real),
        optional("nominal", Real),
        optional("unbounded", Boolean),
    ],
    &[],
);
static INTEGER_TYPE: ElementType = element_type(
    "Integer",
    &[optional("quantity", Text), optional("min", Integer), optional("max", Integer)],
    &[],
);
static BOOLEAN_TYPE: ElementType = element_type("Boolean", &[], &[]);
static STRING_TYPE: ElementType = element_type("String", &[], &[]);
static ITEM: ElementType = element_type(
    "Item",
    &[required("name", Text), required("value", Integer), optional("description", Text)],
    &[],
);
static ENUMERATION_TYPE: ElementType =
    element_type("Enumeration", &[optional("quantity", Text)], &[child(&ITEM, 0, 1, MANY)]);
pub(super) static SIMPLE_TYPE: ElementType = element_type(
    "SimpleType",
    &[required("name", Text), optional("description", Text)],
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
    element_type("Category", &[required("name", Text), optional("description", Text)], &[]);
static LOG_CATEGORIES: ElementType =
    element_type("LogCategories", &[], &[child(&CATEGORY, 0, 1, MANY)]);
static DEFAULT_EXPERIMENT: ElementType = element_type(
    "DefaultExperiment",
    &[
        optional("startTime", Real),
        optional("stopTime", Real),
        optional("tolerance", Real),
        optional("stepSize", Real),
    ],
    &[],
);

pub(super) static TOOL: ElementType = ElementType {
    name: "Tool",
    attributes: &[required("name", Text)],
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
        optional("declaredType", Text),
        optional("quantity", Text),
        optional("unit", Text),
        optional("displayUnit", Text),
        optional("relativeQuantity", Boolean),
        optional("min", Real),
        optional("max", Real),
        optional("nominal", Real),
        optional("unbounded", Boolean),
        optional("start", Real),
        optional("derivative", Unsigned),
        optional("reinit", Boolean),
    ],
    &[],
);
static INTEGER: ElementType = element_type(
    "Integer",
    &[
        optional("declaredType", Text),
        optional("quantity", Text),
        optional("min", Integer),
        optional("max", Integer),
        optional("start", Integer),
    ],
    &[],
);
static BOOLEAN: ElementType =
    element_type("Boolean", &[optional("declaredType", Text), optional("start", Boolean)], &[]);
static STRING: ElementType =
    element_type("String", &[optional("declaredType", Text), optional("start", Text)], &[]);
static ENUMERATION: ElementType = element_type(
    "Enumeration",
    &[
        required("declaredType", Text),
        optional("quantity", Text),
        optional("min", Integer),
        optional("max", Integer),
        optional("start", Integer),
    ],
    &[],
);
pub(super) static SCALAR_VARIABLE: ElementType = element_type(
    "ScalarVariable",
    &[
        required("name", Text),
        required("valueReference", Unsigned),
        optional("description", Text),
        optional(
            "causality",
            OneOf(&["parameter", "calculatedParameter", "input", "output", "local", "independent"]),
        ),
        optional("variability", OneOf(&["constant", "fixed", "tunable", "discrete", "continuous"])),
        optional("initial", OneOf(&["exact", "approx", "calculated"])),
        optional("canHandleMultipleSetPerTimeInstant", Boolean),
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
    &[
        required("index", Unsigned),
        optional("dependencies", UnsignedList),
        optional("dependenciesKind", Text),
    ],
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
        required("fmiVersion", OneOf(&["2.0"])),
        required("modelName", Text),
        required("guid", Text),
        optional("description", Text),
        optional("author", Text),
        optional("version", Text),
        optional("copyright", Text),
        optional("license", Text),
        optional("generationTool", Text),
        optional("generationDateAndTime", DateTime),
        optional("variableNamingConvention", OneOf(&["flat", "structured"])),
        optional("numberOfEventIndicators", Unsigned),
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

//! The map of the workspace: its crates and their folders, from the lowest to the highest.

/// A crate, which uses only some of those before it.
pub struct Crate {
    /// Its folder in the repository.
    pub folder: &'static str,
    /// Its name in code.
    pub name: &'static str,
    /// What it contains.
    pub content: &'static str,
    /// The crates of the workspace that it may use.
    pub uses: &'static [&'static str],
    /// The other crates that it may use, if they are limited.
    pub others: Option<&'static [&'static str]>,
    /// The modules in the root of the crate, in an order in which a module uses only earlier
    /// modules; empty if the modules have no order.
    pub layers: &'static [Layer],
    /// Modules of any depth, in an order in which a module uses only earlier modules and unlisted
    /// modules.
    pub order: &'static [&'static str],
}

/// A module that is a folder or a file.
pub struct Layer {
    /// Its name.
    pub module: &'static str,
    /// What it contains, in a few words without a semicolon.
    pub content: &'static str,
}

const fn layer(module: &'static str, content: &'static str) -> Layer {
    Layer { module, content }
}

/// The crates; all others are tests and chores.
pub const MAP: [Crate; 23] = [
    Crate {
        folder: "fmu-runtime/kernels",
        name: "kernels",
        content: "scalars and dual numbers, Newton's method, linear systems, tables, impacts, \
                  search for relations",
        uses: &[],
        others: Some(&["libm"]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "fmu-runtime/program",
        name: "program",
        content: "the program as data: `Info`, tape, interpreter, file",
        uses: &["kernels"],
        others: Some(&["postcard", "serde", "sha2"]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "fmu-runtime",
        name: "fmu-runtime",
        content: "the run time: the code inside an FMU",
        uses: &["kernels", "program"],
        others: Some(&[]),
        layers: RUN_TIME,
        order: &[],
    },
    Crate {
        folder: "fmu-runtime/player",
        name: "player",
        content: "the library of an FMU whose program is a tape; one for all models",
        uses: &["fmu-runtime", "program"],
        others: Some(&[]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "builder/expressions",
        name: "expressions",
        content: "the graph of expressions, differentiation, systems of equations",
        uses: &["kernels"],
        others: Some(&["num-traits", "rustc-hash"]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "builder/equations",
        name: "equations",
        content: "models, their programs, emission of Rust, description",
        uses: &["expressions", "kernels", "program"],
        others: None,
        layers: EQUATIONS,
        order: &[],
    },
    Crate {
        folder: "models/mechanics/macros",
        name: "mechanics-macros",
        content: "the code that follows from the declaration of a component",
        uses: &[],
        others: Some(&["proc-macro2", "quote", "syn"]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "models/mechanics/language",
        name: "language",
        content: "what components declare, and the data and laws that they state",
        uses: &["equations", "mechanics-macros"],
        others: Some(&["nalgebra"]),
        layers: &[],
        order: LANGUAGE,
    },
    Crate {
        folder: "models/circuits",
        name: "circuits",
        content: "from electrical networks to states and their derivatives",
        uses: &["equations", "language"],
        others: Some(&["nalgebra"]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "models/mechanics",
        name: "mechanics",
        content: "assembly, equations of motion",
        uses: &["circuits", "equations", "fmu-runtime", "language", "mechanics-macros"],
        others: Some(&["nalgebra", "serde", "serde_json"]),
        layers: MECHANICS,
        order: PHASES,
    },
    Crate {
        folder: "models/netlist",
        name: "netlist",
        content: "models of components as files",
        uses: &["equations", "expressions", "mechanics"],
        others: Some(&["serde", "serde_json"]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "models/signal_blocks",
        name: "signal_blocks",
        content: "blocks of signals",
        uses: &["equations", "mechanics"],
        others: Some(&["nalgebra"]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "models/electrical_components",
        name: "electrical_components",
        content: "circuits, machines, batteries, converters",
        uses: &["equations", "mechanics", "signal_blocks"],
        others: Some(&[]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "models/libraries",
        name: "libraries",
        content: "the libraries of components",
        uses: &["electrical_components", "equations", "mechanics", "signal_blocks"],
        others: Some(&["nalgebra"]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "models/modelica/syntax",
        name: "modelica_syntax",
        content: "texts of Modelica, and their syntax trees",
        uses: &[],
        others: Some(&["moparse"]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "models/modelica",
        name: "modelica",
        content: "models written in Modelica",
        uses: &["equations", "libraries", "mechanics", "modelica_syntax", "netlist"],
        others: Some(&["flate2", "quick-xml"]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "builder/report",
        name: "report",
        content: "the page of a report: its data, thinning, HTML, scripts",
        uses: &[],
        others: Some(&["base64", "serde", "serde_json"]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "builder/fmus",
        name: "fmus",
        content: "FMUs of any origin: archives, descriptions, libraries",
        uses: &["fmu-runtime", "kernels", "player"],
        others: None,
        layers: FMUS,
        order: &[],
    },
    Crate {
        folder: "builder/check",
        name: "check",
        content: "the rules of `fmu check`",
        uses: &["equations", "fmus"],
        others: None,
        layers: CHECK,
        order: &[],
    },
    Crate {
        folder: "builder/simulation",
        name: "simulation",
        content: "FMUs simulated: one at a time, or several that are joined to a system",
        uses: &["fmus", "kernels"],
        others: None,
        layers: SIMULATION,
        order: &[],
    },
    Crate {
        folder: "builder",
        name: "fmu-builder",
        content: "the program `fmu`",
        uses: &[
            "check",
            "equations",
            "fmu-runtime",
            "fmus",
            "kernels",
            "player",
            "program",
            "report",
            "simulation",
        ],
        others: None,
        layers: BUILDER,
        order: &[],
    },
    Crate {
        folder: "models/coupler",
        name: "coupler",
        content: "the facade: everything that a package with models needs",
        uses: &[
            "equations",
            "fmu-builder",
            "fmu-runtime",
            "libraries",
            "mechanics",
            "modelica",
            "netlist",
        ],
        others: Some(&[]),
        layers: &[],
        order: &[],
    },
    Crate {
        folder: "models",
        name: "models",
        content: "one file for each model, and the program `fmu` with them",
        uses: &["coupler"],
        others: Some(&[]),
        layers: &[],
        order: &[],
    },
];

const RUN_TIME: &[Layer] = &[
    layer("plain_data", "structs as sequences of numbers"),
    layer("integrate", "integrators, which know nothing of FMI"),
    layer("fmi", "constants of C, capabilities, log, permitted calls"),
    layer("model", "equations, resources, faults"),
    layer("data", "what changes in an instance, with copies"),
    layer("evaluation", "values at a point, initialization, events, the Jacobian"),
    layer("instance", "an instance, and the solver in it"),
    layer("functions", "the functions of FMI"),
    layer("interface", "the functions of C, and simulation in this process"),
];

const EQUATIONS: &[Layer] = &[
    layer("vocabulary", "names, units, mistakes"),
    layer("model", "the `Model` and its declarations"),
    layer("verify", "checks of declarations"),
    layer("analysis", "initial values, roots, stages"),
    layer("layout", "functions and the work vector"),
    layer("publication", "what importers and the run time are told"),
    layer("assemble", "the tape"),
    layer("compile", "the pipeline to the program"),
    layer("emit", "the program as Rust"),
    layer("entry", "model texts, systems written by hand, evaluation at one point"),
];

const FMUS: &[Layer] = &[
    layer("vocabulary", "shared terms"),
    layer("files", "archives, descriptions, tables, related files, files of libraries"),
    layer("child_process", "code of others in a process of its own"),
    layer("host", "a library, called as an importer calls it"),
    layer("fmu", "an unpacked FMU, and the systems on which it runs"),
];

const CHECK: &[Layer] = &[
    layer("description", "rules for modelDescription.xml"),
    layer("archive", "rules for the archive and its files"),
    layer("calls", "rules for the library"),
    layer("results", "formats and baselines of what is found"),
];

const SIMULATION: &[Layer] = &[
    layer("run", "a simulation of one FMU: experiment, inputs, integrator, records"),
    layer("systems", "several FMUs: files, wiring, masters"),
];

const BUILDER: &[Layer] = &[
    layer("own_files", "the sources of Coupler that the program carries, folders"),
    layer("models", "the models of a package as values, the contents of their FMUs"),
    layer("libraries", "compiled libraries, players, toolchains"),
    layer("commands", "the work of each command, without printing"),
    layer("cli", "arguments, and a file for each command"),
];

const MECHANICS: &[Layer] = &[
    layer("assembly", "the interface for model texts, and its result, the netlist"),
    layer("declaration", "the macros that declare components"),
    layer("world", "the inertial frame and gravity"),
    layer("compile", "from the netlist to the equations, private"),
    layer("mechanism", "Jacobians, mass matrix, bias and forces as numbers"),
    layer("prelude", "the names that every model text needs"),
];

/// The language, and the trait of the components that speak it.
const LANGUAGE: &[&str] = &[
    "ids",
    "statements::algebra",
    "statements::spatial",
    "statements::motion",
    "statements::laws",
    "statements::contact",
    "statements::contributions",
    "component",
];

/// The phases of the compiler.
const PHASES: &[&str] = &[
    "compile::collection",
    "compile::tree",
    "compile::topology",
    "compile::states",
    "compile::kinematics",
    "compile::loads",
    "compile::dynamics",
    "compile::publication",
];

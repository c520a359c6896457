//! Tests of the rules that OpenModelica's `importFMU` has beyond the standard, for every FMU.
//!
//! They were found with its compiler, which `cargo xtask importers` runs where it is installed.

use std::collections::BTreeMap;

use coupler_tests::openmodelica::{imported_name, set_parameters, try_to_set_parameters};
use coupler_tests::{Fmu, FmuType, Harness, Instance, Status};
use fmu_builder::model_description::{Base, ScalarVariable};

/// The section of the page for users of OpenModelica.
pub const DOCUMENT: &str = "
## OpenModelica

OpenModelica imports Model Exchange, not Co-Simulation. Its command `importFMU` writes a Modelica model that calls the
FMU; in OMEdit this is *File > Import > FMU*.

1. Every FMU with states needs the compiler's flag `--allowNonStandardModelica=reinitInAlgorithms`, also if OpenModelica
   itself exported it. In OMEdit it is *Enable FMU Import* in *Tools > Options > Simulation > Translation Flags*, in a
   script `setCommandLineOptions(\"--allowNonStandardModelica=reinitInAlgorithms\")`.
2. In names, `.`, `[`, `]`, `(`, `)`, `,` and blanks become `_`: `inertia1.J` is `inertia1_J`. `fmu build` refuses names
   that would become equal; `fmu check` notes names that are words of Modelica, such as `flow`.
3. Parameters are those of the dialog of the imported model. The compiled simulation also takes them without a new
   translation: `-override=inertia1_J=2`. Fixed parameters act as if they had been set before initialization. If only
   tunable parameters change, they take effect at the start time, as in an event: initial values that follow from them
   remain as they were. The start value of an input is not used: an input that is not connected is 0.
   Enumerations cannot be changed, which is why `solver.method` is an Integer.
4. A folder for the files of `importFMU`, its second argument, must be an absolute path or left out: with `\".\"` the
   compiled simulation does not find the FMU.
5. If the integration diverges, or a value cannot be set, the simulation ends with the FMU's sentence, which names the
   variable: `Surfaces: t=0.985 position.v = 1.9e50 is out of range: the integration diverges`.

```text
loadModel(Modelica);
setCommandLineOptions(\"--allowNonStandardModelica=reinitInAlgorithms\");
importFMU(\"Fourbar2.fmu\");
loadFile(\"Fourbar2_me_FMU.mo\");
simulate(Fourbar2_me_FMU, stopTime=5, tolerance=1e-7);
```

| release | what it does | what follows |
|---|---|---|
| all | it declares constants (`variability=\"constant\"`) without their values, and does not compile | FMUs of Coupler have fixed local variables instead, and `fmu check` notes constants |
| all | `fmi2Discard` from a function that sets states ends the simulation | states are accepted, and the functions that evaluate are discarded |
| up to 1.27.0 | it sets parameters after `fmi2ExitInitializationMode`; since August 2026 before | FMUs accept this, and are initialized again |
| 1.27.0, and 1.28.0-dev until August 2026 | it reads Booleans wrongly (corrected since), so that events do not end or outputs have wrong values | local Boolean variables are Integers, 0 or 1; `fmu build --booleans boolean` keeps their type. Boolean inputs, outputs and parameters have their type in any case, because others connect and set them; RestingBall has such an output |

Why local Booleans are Integers: nobody can connect or set them, so their type matters for display only; the result files
of Modelica's tools hold Booleans as numbers; and all importers above read Integers.

In November 2026, a compiler built from the sources of OpenModelica (1.28.0-dev of June 2026, with Modelica 4.1)
imported, compiled and simulated all 66 models without an error, with dassl at tolerance 1e-7. The largest differences
from Co-Simulation are 6e-6 (median), at most 1e-3 for 62 models, 4e-3 for TumblingBody, and larger for the impulses of
contacts in Cp1, Cp2 and NewtonsCradle, which jump at instants that dassl finds a little earlier or later. The same is
true with the compiler of July 2026 and the run time of August 2026. Releases with an installer, and OMEdit, have not been tried.
";

#[test]
fn the_modelica_model_of_every_fmu_compiles() {
    for fmu in Fmu::all() {
        let variables = &fmu.description.variables;
        let constant = variables.iter().find(|v| v.variability == "constant");
        assert!(constant.is_none(), "{}: a constant would have no value", fmu.name());
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for v in variables {
            let other = seen.insert(imported_name(&v.name), &v.name);
            assert_eq!(other, None, "{}: {} is declared twice", fmu.name(), v.name);
        }
    }
}

/// An initialized instance, whose log is empty.
fn initialized<'f>(harness: &'f Harness, fmu: &'f Fmu, starts: &[(&str, f64)]) -> Instance<'f> {
    let instance = harness.instantiate(fmu, FmuType::ModelExchange);
    starts.iter().for_each(|(name, value)| instance.set(name, *value));
    instance.setup(None, 0.0, None).then("enter_initialization").then("exit_initialization");
    instance
}

/// All values, derivatives and indicators in the first Event Mode and after it.
fn observed(instance: &Instance) -> Vec<u64> {
    let (states, indicators) =
        (instance.fmu.states().len(), instance.fmu.description.number_of_event_indicators);
    let mut all = instance.everything_but_work();
    let mut add = |command: &str, length: usize| {
        all.extend(instance.vector(command, length).into_iter().map(f64::to_bits));
    };
    add("get_states", states);
    add("get_derivatives", states);
    add("get_indicators", indicators);
    instance.iterate_events();
    instance.then("enter_continuous");
    add("get_states", states);
    add("get_derivatives", states);
    all.extend(instance.everything_but_work());
    all
}

// FMI: A058
#[test]
fn parameters_that_are_set_after_initialization_to_their_start_values_change_no_bit() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let plain = initialized(&harness, &fmu, &[]);
        let set = initialized(&harness, &fmu, &[]);
        set_parameters(&set, &[]);
        assert!(observed(&set) == observed(&plain), "{}", fmu.name());
        plain.free();
        set.free();
    }
}

/// A value near the start value that the limits allow.
fn changed(v: &ScalarVariable) -> Option<f64> {
    let start = v.start_number()?;
    match v.base {
        Base::Boolean => Some(1.0 - start),
        Base::Real => {
            let step = 0.01 * if start == 0.0 { 1.0 } else { start.abs() };
            let fits = |value: &f64| {
                v.attributes.min.is_none_or(|min| *value >= min)
                    && v.attributes.max.is_none_or(|max| *value <= max)
            };
            [start + step, start - step].into_iter().find(fits)
        }
        _ => None,
    }
}

/// The calls for the types follow each other, so that a tunable parameter is set before fixed ones.
// FMI: A058
#[test]
fn parameters_of_all_kinds_can_change_together_after_initialization() {
    let mut compared = 0;
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let mut variables = fmu.description.variables.iter();
        let is_tunable = |v: &&ScalarVariable| {
            v.base == Base::Real && v.causality == "parameter" && v.variability == "tunable"
        };
        let Some(tunable) = variables.find(is_tunable) else { continue };
        let Some(value) = changed(tunable) else { continue };
        let tunable = (tunable.name.as_str(), value);
        let fixed = ("solver.method", 1.0);
        let once = initialized(&harness, &fmu, &[fixed, tunable]);
        let late = initialized(&harness, &fmu, &[]);
        set_parameters(&late, &[tunable, fixed]);
        assert!(observed(&late) == observed(&once), "{}: {tunable:?}", fmu.name());
        compared += 1;
        once.free();
        late.free();
    }
    assert!(compared > 40, "only {compared} models have tunable parameters");
}

// FMI: A058
#[test]
fn a_fixed_parameter_that_is_changed_after_initialization_acts_as_if_set_before() {
    let (mut compared, mut influential) = (0, 0);
    for fmu in Fmu::compiled() {
        let harness = Harness::new(&fmu);
        let variables = fmu.description.variables.iter();
        let fixed = variables.filter(|v| {
            v.causality == "parameter" && v.variability == "fixed" && !v.name.starts_with("solver.")
        });
        let changes: Vec<(&str, f64)> =
            fixed.filter_map(|v| Some((v.name.as_str(), changed(v)?))).collect();
        let plain = initialized(&harness, &fmu, fmu.starts());
        let usual = observed(&plain);
        plain.free();
        // Some models have hundreds of parameters of equal parts.
        for &change in changes.iter().step_by(changes.len().div_ceil(12).max(1)) {
            let what = format!("{}: {} = {}", fmu.name(), change.0, change.1);
            let early = harness.instantiate(&fmu, FmuType::ModelExchange);
            fmu.starts().iter().for_each(|(name, value)| early.set(name, *value));
            early.set(change.0, change.1);
            early.setup(None, 0.0, None).then("enter_initialization");
            let possible = early.call("exit_initialization", "").status() == Status::Ok;

            let late = initialized(&harness, &fmu, fmu.starts());
            let with: Vec<(&str, f64)> = fmu.starts().iter().copied().chain([change]).collect();
            assert_eq!(try_to_set_parameters(&late, &with), Status::Ok, "{what}");
            if possible {
                let (early, late) = (observed(&early), observed(&late));
                assert!(early == late, "{what}");
                compared += 1;
                influential += usize::from(late != usual);
            } else {
                let states = fmu.states().len().to_string();
                assert_eq!(late.call("get_states", &states).status(), Status::Error, "{what}");
            }
            early.free();
            late.free();
        }
    }
    assert!(compared > 250 && influential > 250, "{compared}, {influential}");
}

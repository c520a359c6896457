//! Hand-written systems: described and evaluated once before they become FMUs.

use std::path::Path;

use fmu_runtime::equations::{self as runtime, RunnableModel};
use fmu_runtime::system::{Info, System};

mod written_results;

use written_results::try_out;

/// A hand-written system, identified by its type and not yet evaluated.
#[derive(Clone, Copy)]
pub struct HandWritten {
    info: &'static Info,
    model: fn(&'static Info) -> Box<dyn RunnableModel>,
}

/// A hand-written system with its description, which has been evaluated once.
pub struct DescribedSystem {
    /// The description for importers, and the facts for the run time.
    pub facts: equations::SystemDescription,
    /// Its equations, which live as long as the process.
    pub model: &'static dyn RunnableModel,
    /// The text of its file.
    pub source: &'static str,
}

impl HandWritten {
    /// A system by its type.
    pub fn of<T: System>() -> HandWritten {
        fn never<T>() -> T {
            unreachable!("only its type is asked for")
        }
        HandWritten { info: &T::INFO, model: |info| runtime::described(never::<T>, info) }
    }

    /// The name that the author gives it.
    pub fn name(&self) -> &'static str {
        self.info.name
    }

    /// Describes a system and evaluates it once; `name` is the name of its FMU, and the files of
    /// its tables are in `resources`. Panics of the system are not caught.
    ///
    /// # Errors
    /// A message about the first mistake.
    pub fn describe(
        self,
        name: &str,
        source: &'static str,
        documentation: &str,
        resources: &Path,
    ) -> Result<DescribedSystem, String> {
        let own = self.name();
        if own != name {
            return Err(format!("its Info has the name {own}, but that of its file is {name}"));
        }
        let facts = equations::SystemDescription::new(self.info, source, documentation);
        let facts = facts.map_err(|error| error.to_string())?;
        let model: &'static dyn RunnableModel = Box::leak((self.model)(facts.info()));
        try_out(model, resources)?;
        Ok(DescribedSystem { facts, model, source })
    }
}

/// The text of a library with a system. Its file is a module that begins on the first line, so that
/// line numbers stay the same. The name `coupler` in the file denotes the run time here.
pub fn library(described: &DescribedSystem) -> String {
    let DescribedSystem { facts, source, .. } = described;
    format!(
        "#[allow(dead_code, unused_imports, reason = \"its tests are left out\")] \
         mod model {{ {source}\n}}\n{}{EXPORT}",
        facts.emit()
    )
}

const EXPORT: &str = "
extern crate fmu_runtime as coupler;

static MODEL: std::sync::LazyLock<Box<dyn fmu_runtime::equations::RunnableModel>> =
    std::sync::LazyLock::new(|| fmu_runtime::equations::described(model::model, &INFO));

struct Exported;

impl fmu_runtime::equations::ModelLoader for Exported {
    fn model(_: Option<&std::ffi::CStr>) -> Result<fmu_runtime::equations::LoadedModel, String> {
        let place = INFO.name.to_owned();
        Ok(fmu_runtime::equations::LoadedModel { model: &**MODEL, place })
    }
}

fmu_runtime::export!(Exported);
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::model_description::{self, Metadata};
    use check;
    use fmu_runtime::Simulation;
    use fmu_runtime::system::{Discrete, Env, Scalar, Solved, Source, Stage, State, Variable};

    /// `der(x) = v`, `der(v) = -k x`; `NOT` selects a value that it does not compute.
    struct Swing<const NOT: usize>;

    const NOTHING: usize = 0;
    const INITIAL_VALUE: usize = 1;
    const DERIVATIVE: usize = 2;
    const OUTPUT: usize = 3;
    const PARAMETER: usize = 4;

    const K: Variable = Variable::new("k", Source::Parameter(0)).unit("1/s2").min(0.0);
    const POWER: Variable = Variable::new("power", Source::Reported(0, Stage::Dynamics)).output();
    const INFO: Info = Info::new("Swing")
        .parameters(&[4.0, 1.0])
        .states(&[State::new("x").position(), State::new("v")])
        .reals(&[K, Variable::new("x", Source::State(0)).start(1).unit("m"), POWER]);

    impl<const NOT: usize> System for Swing<NOT> {
        const INFO: Info = INFO;

        fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
            e.x[0] = e.p[1];
            if NOT != INITIAL_VALUE {
                e.x[1] = S::from(0.0);
            }
            Ok(())
        }

        fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
            if stage == Stage::Dynamics {
                e.dx[0] = e.x[1];
                if NOT != DERIVATIVE {
                    e.dx[1] = -(e.p[0] * e.x[0]);
                }
                assert!(NOT != PARAMETER || e.p.len() > 2, "p[2] is missing");
            }
            Ok(())
        }

        fn report<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
            if stage == Stage::Dynamics && NOT != OUTPUT {
                e.w[0] = e.dx[1] * e.x[1];
            }
            Ok(())
        }
    }

    fn looked_at<T: System>(info: &'static Info) -> Result<DescribedSystem, String> {
        let written = HandWritten { info, ..HandWritten::of::<T>() };
        written.describe("Swing", "source", "A swing.\n\nMore.", Path::new(""))
    }

    #[test]
    fn states_and_derivatives_become_variables() {
        let described = looked_at::<Swing<NOTHING>>(&INFO).unwrap_or_else(|e| panic!("{e}"));
        let description = described.facts.description();
        let names: Vec<&str> = description.variables.iter().map(|v| v.name.as_str()).collect();
        assert_eq!(names, ["k", "x", "power", "der(x)", "v", "der(v)"]);
        assert_eq!(description.description, "A swing.");
        let text = model_description::write(description, &Metadata::default()).unwrap();
        assert_eq!(check::description(text.as_bytes()), []);
        assert!(text.contains("unit=\"m/s\"") && text.contains("derivative=\"2\""), "{text}");
        let mut swing = Simulation::of(described.model).unwrap();
        swing.start(Some(1e-9)).unwrap();
        swing.run_to(1.0).unwrap();
        assert!((swing.read("der(v)").unwrap() + 4.0 * 2.0_f64.cos()).abs() < 1e-6);
    }

    #[test]
    fn the_guid_tells_sources_apart() {
        let guid = |source| {
            let described =
                HandWritten::of::<Swing<NOTHING>>().describe("Swing", source, "", Path::new(""));
            described.unwrap_or_else(|e| panic!("{e}")).facts.info().guid
        };
        assert_eq!(guid("one"), guid("one"));
        assert_ne!(guid("one"), guid("another"));
    }

    #[test]
    fn a_value_that_a_system_does_not_compute_is_named() {
        let answer = |result: Result<DescribedSystem, String>| result.err().expect("a mistake");
        assert_eq!(
            answer(looked_at::<Swing<INITIAL_VALUE>>(&INFO)),
            "v: `initial` does not write x[1]"
        );
        assert_eq!(
            answer(looked_at::<Swing<DERIVATIVE>>(&INFO)),
            "v: it has no derivative, `advance` does not write dx[1]"
        );
        assert_eq!(
            answer(looked_at::<Swing<OUTPUT>>(&INFO)),
            "power: `advance` or `report` does not write w[0]"
        );
    }

    #[test]
    fn a_panic_of_a_system_is_a_sentence() {
        use crate::models::{IntoText, ModelText, Variant};
        let text = || (|| Swing::<PARAMETER>).into_text();
        let model = ModelText { name: "swing", source: "", text };
        let code = model.code(Path::new(""), Variant::default());
        let answer = code.err().expect("a mistake").to_string();
        assert!(answer.starts_with("swing: the system panicked at "), "{answer}");
        assert!(answer.ends_with(": p[2] is missing"), "{answer}");
    }

    #[test]
    fn mistakes_in_an_info_are_reported_in_a_sentence() {
        const fn with(v: &'static [Variable]) -> Info {
            INFO.reals(v)
        }
        const OTHER: Info = Info { name: "Other", ..INFO };
        const SLOT: Info = with(&[Variable::new("d", Source::Parameter(2)), POWER]);
        const STATE: Info = with(&[Variable::new("x", Source::State(2)), POWER]);
        const MODE: Info = with(&[Variable::new("mode", Source::Discrete(0)), POWER]);
        const START: Info = with(&[Variable::new("x", Source::State(0)).start(7), POWER]);
        const TWICE: Info = with(&[K, Variable::new("k", Source::State(0)), POWER]);
        const TIME: Info = with(&[Variable::new("time", Source::Parameter(0)), POWER]);
        const NAME: Info = with(&[Variable::new("a b", Source::Parameter(0)), POWER]);
        const UNIT: Info = with(&[K.unit("furlong"), POWER]);
        const LEVEL: Info = with(&[K.min(5.0), POWER]);
        const TUNABLE: Info = with(&[K, POWER.tunable()]);
        const WHOLE: Info = INFO.integers(&[Variable::new("n", Source::Constant(0.5))]);
        const NOMINAL: Info = INFO.states(&[State::new("x").nominal(0.0), State::new("v")]);
        const MODES: Info = INFO.discretes(&[Discrete::new("mode", f64::NAN)]);
        const END: Info = INFO.stop_time(0.0);
        const LINES: Info = with(&[K.describe("two\nlines"), POWER]);
        for (info, sentence) in [
            (&OTHER, "its Info has the name Other, but that of its file is Swing"),
            (&SLOT, "d: it is p[2], but p has 2 elements"),
            (&STATE, "x: it is x[2], but x has 2 elements"),
            (&MODE, "mode: it is m[0], but m has 0 elements"),
            (&START, "x: its start value is p[7], but p has 2 elements"),
            (&TWICE, "k: the name is used twice, by a parameter and by a state"),
            (&TIME, "time: the name is used twice, by the independent variable and by a parameter"),
            (&NAME, "\"a b\" is not a name by the structured naming convention"),
            (&UNIT, "k: the unit furlong is not known"),
            (&LEVEL, "k = 4 1/s2: must be at least 5 1/s2"),
            (&TUNABLE, "power: FMI has no tunable variable that is an output"),
            (&WHOLE, "n: the value 0.5 does not fit its type"),
            (&NOMINAL, "Swing: the nominal value of x is 0"),
            (&MODES, "Swing: mode starts at NaN"),
            (&END, "Swing: stop_time = 0 s: must be after start_time = 0 s"),
            (&LINES, "k: the description is not one line"),
        ] {
            assert_eq!(looked_at::<Swing<NOTHING>>(info).err().as_deref(), Some(sentence));
        }
    }
}

//! A traced model, or a described hand-written system: the source of FMUs.

use std::path::PathBuf;
use std::sync::Arc;

use equations::Program;
use equations::description::Description;
use fmu_runtime::{Simulation, equations as runtime};
use report::Diagram;

use crate::models::diagram;
use crate::models::hand_written::DescribedSystem;
use crate::models::licenses::Terms;
use crate::models::model_description::Metadata;
use fmus::error::Error;
use fmus::wording::counted;

/// The file in the FMU's folder of resources with the shapes of a mechanism.
pub const SCENE: &str = "scene.json";

/// A compiled model or a described system, from which an FMU is made.
pub struct Traced {
    /// Its name, in snake case.
    pub name: String,
    /// Its equations, with the description.
    pub code: ModelCode,
    /// Version, author and licence of its package.
    pub metadata: Metadata,
    /// The licence terms of the model.
    pub terms: Terms,
    /// The folder with files for the FMU's folder `resources`, if there is one.
    pub resources: Option<PathBuf>,
}

/// The code of a model.
pub enum ModelCode {
    /// A program as data.
    Program(Box<Program>),
    /// A hand-written system, whose equations are Rust code.
    HandWritten(Box<DescribedSystem>),
}

impl ModelCode {
    /// The description for importers.
    pub fn description(&self) -> &Description {
        match self {
            ModelCode::Program(program) => program.description(),
            ModelCode::HandWritten(described) => described.facts.description(),
        }
    }

    /// Messages that the author should know.
    pub fn notes(&self) -> &[String] {
        match self {
            ModelCode::Program(program) => program.notes(),
            ModelCode::HandWritten(_) => &[],
        }
    }

    /// The diagram of the model, if it consists of components.
    pub fn diagram(&self) -> Option<Diagram> {
        match self {
            ModelCode::Program(program) => {
                diagram::of_model(program.schematic(), program.description())
            }
            ModelCode::HandWritten(_) => None,
        }
    }

    /// The text files that the model provides for the FMU's folder of resources: name and content.
    pub fn resources(&self) -> &[(String, String)] {
        match self {
            ModelCode::Program(program) => program.resources(),
            ModelCode::HandWritten(_) => &[],
        }
    }

    /// Whether it describes the shapes of its parts, in the file [`SCENE`].
    pub fn has_scene(&self) -> bool {
        self.resources().iter().any(|(file, _)| file == SCENE)
    }
}

impl Traced {
    /// The model of a program that belongs to no package.
    pub fn of(name: &str, program: Program) -> Traced {
        Traced::with(name, ModelCode::Program(Box::new(program)))
    }

    /// A model that belongs to no package.
    pub fn with(name: &str, code: ModelCode) -> Traced {
        Traced {
            name: name.to_owned(),
            code,
            metadata: Metadata::default(),
            terms: Terms::none(name),
            resources: None,
        }
    }

    /// Its program as data.
    ///
    /// # Errors
    /// If it is a hand-written system, which has none, or contains controllers that are compiled
    /// code.
    pub fn program(&self) -> Result<&Program, Error> {
        match &self.code {
            ModelCode::Program(program) => match program.controllers().next() {
                None => Ok(program),
                Some(controller) => Err(Error::Request(format!(
                    "{}: the controller {controller} is compiled code, which a player cannot run; \
                     build the FMU without --interpreted",
                    self.name
                ))),
            },
            ModelCode::HandWritten(_) => Err(Error::Request(format!(
                "{} is a system written by hand: there is no program as data to interpret",
                self.name
            ))),
        }
    }

    /// What the author should know about values at the start: one that is not a finite number. An
    /// importer may set inputs and parameters with which it is.
    pub fn note_at_start(&self) -> Option<String> {
        // What prevents the start is reported elsewhere.
        let mut simulation = self.simulation().ok()?;
        simulation.start_at(self.code.description().experiment.start_time, None).ok()?;
        // Each derivative is a variable, too; the first sentence about it is the better one.
        let derivative = simulation.derivatives().err().map(|error| error.to_string());
        let names = simulation.info().all_variables().map(|(_, _, variable)| variable.name);
        let values: Vec<String> =
            names.filter_map(|name| Some(simulation.read(name).err()?.to_string())).collect();
        let first = derivative.or_else(|| values.first().cloned())?;
        Some(match values.len().saturating_sub(1) {
            0 => first,
            others => format!("{first} (and {} at the start)", counted(others, "other value")),
        })
    }

    /// A simulation of it in this process, before its start.
    ///
    /// # Errors
    /// If a file of a table cannot be read.
    pub fn simulation(&self) -> Result<Simulation, Error> {
        let of = |model: &dyn runtime::RunnableModel| match &self.resources {
            Some(folder) => Simulation::with_resources(model, folder),
            None => Simulation::of(model),
        };
        let named = |e| Error::Build(format!("{}: {e}", self.name));
        match &self.code {
            ModelCode::Program(program) => {
                let simulation = of(&Arc::new(program.taped())).map_err(named)?;
                Ok(simulation.with_aliases(program.aliases()))
            }
            ModelCode::HandWritten(described) => of(described.model).map_err(named),
        }
    }
}

#[cfg(test)]
mod tests {
    use equations::{Ex, Model};

    use super::Traced;

    #[test]
    fn a_value_that_is_not_finite_at_the_start_is_noted() {
        let note = |divisor: f64| {
            let mut m = Model::new("Quotients");
            let u: Ex = m.input("u", divisor).into();
            let x = m.state("x", 1.0).done();
            m.derivative(x, 1.0);
            m.output("quotient", 4.0 / u).done();
            Traced::of("quotients", m.compile().unwrap()).note_at_start()
        };
        let sentence = "t=0 quotient is not a finite number: its value is infinite, as after a \
                        division by zero";
        assert_eq!(note(0.0).as_deref(), Some(sentence));
        assert_eq!(note(2.0), None);
    }
}

//! The texts of all models, compiled into the tests.

use equations::{Error, Model, Program};
use mechanics::Assembly;

#[path = "../../models/bouncing_ball/src/model.rs"]
mod bouncing_ball;
#[path = "../../models/coupled_clutches/src/model.rs"]
mod coupled_clutches;
#[path = "../../models/drivetrain/src/model.rs"]
mod drivetrain;
#[path = "../../models/fourbar1/src/model.rs"]
mod fourbar1;
#[path = "../../models/fourbar2/src/model.rs"]
mod fourbar2;
#[path = "../../models/test_bench/src/model.rs"]
mod test_bench;
#[path = "../../models/torque_source/src/model.rs"]
mod torque_source;

/// A model text: equations, or an assembly of components.
enum Text {
    Equations(fn(&mut Model)),
    Mechanics(fn(&mut Assembly)),
}

/// A model.
pub struct ModelText {
    /// The name of its crate.
    pub package: &'static str,
    /// Its FMI name.
    pub name: &'static str,
    source: &'static str,
    /// The folder with its resources.
    pub resources: &'static str,
    text: Text,
}

macro_rules! models {
    ($($package:ident $name:literal $kind:ident;)*) => {
        /// All models.
        pub const ALL: &[ModelText] = &[$(ModelText {
            package: stringify!($package),
            name: $name,
            source: include_str!(concat!("../../models/", stringify!($package), "/src/model.rs")),
            resources: concat!(
                env!("CARGO_MANIFEST_DIR"), "/../models/", stringify!($package), "/resources"
            ),
            text: Text::$kind($package::$package),
        },)*];
    };
}

models! {
    bouncing_ball "BouncingBall" Equations;
    coupled_clutches "CoupledClutches" Mechanics;
    drivetrain "Drivetrain" Mechanics;
    fourbar1 "Fourbar1" Mechanics;
    fourbar2 "Fourbar2" Mechanics;
    test_bench "TestBench" Mechanics;
    torque_source "TorqueSource" Equations;
}

impl ModelText {
    /// Traces and orders the model, as its build script does.
    ///
    /// # Errors
    /// The first mistake in the model.
    pub fn program(&self) -> Result<Program, Error> {
        let documentation = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        let documentation: Vec<&str> =
            documentation.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        equations::compile_named(self.name, &documentation.join("\n"), |model| {
            model.resources(self.resources);
            match self.text {
                Text::Equations(text) => text(model),
                Text::Mechanics(text) => {
                    if let Err(error) = mechanics::assemble(text, model) {
                        model.refuse(Error::Definition(error.to_string()));
                    }
                }
            }
        })
    }
}

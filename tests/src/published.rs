//! The models with results that the Modelica Association has published.

use std::path::{Path, PathBuf};

use crate::curves::{TimeSeries, read};
use crate::root;

/// The folder of the whole published curves, if the environment variable `COUPLER_REFERENCE` names
/// one.
pub fn reference_folder() -> Option<PathBuf> {
    std::env::var_os("COUPLER_REFERENCE").map(PathBuf::from)
}

/// A model whose results are published.
#[derive(Clone, Copy, Debug)]
pub struct PublishedExample {
    /// The FMI name of the model.
    pub model: &'static str,
    /// The file of the published curves: `<Package>/<Example>`.
    pub example: &'static str,
    /// The largest error that a signal may have, relative to its range.
    pub limit: f64,
    /// The largest difference in s of the instants at which a mode changes.
    pub instants: f64,
    /// Columns of modes that the equations do not determine; the note gives the reason.
    pub open: &'static [&'static str],
    /// Remarks that are needed to judge the comparison; may be empty.
    pub note: &'static str,
}

/// All models whose results are published.
pub const PUBLISHED: &[PublishedExample] = &[
    of("ActuatedDrive", "MultiBody.Rotational3DEffects/ActuatedDrive"),
    of("Backlash", "Rotational/Backlash"),
    of("BevelGear1d", "MultiBody.Rotational3DEffects/BevelGear1D"),
    of("Brake", "Translational/Brake"),
    of("CoupledClutches", "Rotational/CoupledClutches").within(2e-4).instants_within(1e-5),
    of("Damper", "Translational/Damper"),
    of("DoublePendulum", "MultiBody.Elementary/DoublePendulum"),
    of("ElastoGap", "Translational/ElastoGap"),
    of("Engine1a", "MultiBody.Loops/Engine1a"),
    of("Engine1b", "MultiBody.Loops/Engine1b"),
    of("EngineV6", "MultiBody.Loops/EngineV6").within(2e-3).noted(
        "The first state of the filter follows the gas torque, which jumps. It is sensitive to \
         the instants of these jumps in the published simulation. The engine's speed agrees to \
         5.2e-5.",
    ),
    of("First", "Rotational/First"),
    of("FirstGrounded", "Rotational/FirstGrounded"),
    of("ForceAndTorque", "MultiBody.Elementary/ForceAndTorque"),
    of("Fourbar1", "MultiBody.Loops/Fourbar1"),
    of("Fourbar2", "MultiBody.Loops/Fourbar2"),
    of("FourbarAnalytic", "MultiBody.Loops/Fourbar_analytic"),
    of("FreeBody", "MultiBody.Elementary/FreeBody"),
    of("GearConstraint", "MultiBody.Rotational3DEffects/GearConstraint"),
    of("InitSpringConstant", "MultiBody.Elementary/InitSpringConstant"),
    of("LineForceWithTwoMasses", "MultiBody.Elementary/LineForceWithTwoMasses"),
    of("LossyGearDemo1", "Rotational/LossyGearDemo1"),
    of("LossyGearDemo2", "Rotational/LossyGearDemo2").open(SHARED).noted(
        "Gear and bearing act on the same shaft. While it is at rest, one of them is stuck, and \
         the mode of the other is arbitrary. The modes are therefore not compared.",
    ),
    of("MultibodyHeatLosses", "MultiBody.Elementary/HeatLosses"),
    of("OneWayClutch", "Rotational/OneWayClutch"),
    of("Oscillator", "Translational/Oscillator"),
    of("Pendulum", "MultiBody.Elementary/Pendulum"),
    of("PlanarFourbar", "MultiBody.Loops/PlanarFourbar"),
    of("PointGravity", "MultiBody.Elementary/PointGravity").within(4e-2).noted(
        "The published motion of the second body differs by 3 ms from Kepler's equation after two \
         revolutions, which is visible where the body is fast. The FMU agrees with the equation.",
    ),
    of("RevoluteConstraint", "MultiBody.Constraints/RevoluteConstraint"),
    of("RollingWheel", "MultiBody.Elementary/RollingWheel").within(2e-3).noted(
        "The wheel nearly falls over several times and then turns fast, which amplifies small \
         differences. The FMU's own result changes by 3e-6 from tolerance 1e-6 to 1e-11.",
    ),
    of("RollingWheelSetDriving", "MultiBody.Elementary/RollingWheelSetDriving"),
    of("RotationalEddyCurrentBrake", "Rotational/EddyCurrentBrake"),
    of("RotationalFriction", "Rotational/Friction"),
    of("RotationalGenerationOfFmus", "Rotational/GenerationOfFMUs").noted(UNDAMPED),
    of("SignConvention", "Translational/SignConvention"),
    of("SphericalConstraint", "MultiBody.Constraints/SphericalConstraint"),
    of("Surfaces", "MultiBody.Elementary/Surfaces"),
    of("ThreeSprings", "MultiBody.Elementary/ThreeSprings"),
    of("TranslationalEddyCurrentBrake", "Translational/EddyCurrentBrake"),
    of("TranslationalFriction", "Translational/Friction"),
    of("TranslationalGenerationOfFmus", "Translational/GenerationOfFMUs").noted(UNDAMPED),
    of("UserDefinedGravityField", "MultiBody.Elementary/UserDefinedGravityField"),
    of("Vehicle", "Translational/Vehicle"),
];

/// Modes of two elements that hold the same shaft.
const SHARED: &[&str] = &[
    "gear.mode",
    "bearingFriction.mode",
    "bearingFriction.startForward",
    "bearingFriction.startBackward",
];

const UNDAMPED: &str = "The published oscillation on the spring without damping differs by 9.3e-4 \
                        from the solution in closed form, with which the FMU agrees.";

const fn of(model: &'static str, example: &'static str) -> PublishedExample {
    PublishedExample { model, example, limit: 1e-3, instants: 1e-4, open: &[], note: "" }
}

impl PublishedExample {
    /// With another largest error, relative to the range of the signal.
    const fn within(self, limit: f64) -> PublishedExample {
        PublishedExample { limit, ..self }
    }

    /// With another largest difference of instants, in s.
    const fn instants_within(self, instants: f64) -> PublishedExample {
        PublishedExample { instants, ..self }
    }

    /// With remarks that are needed to judge the comparison.
    const fn noted(self, note: &'static str) -> PublishedExample {
        PublishedExample { note, ..self }
    }

    /// With modes that the equations do not determine.
    const fn open(self, open: &'static [&'static str]) -> PublishedExample {
        PublishedExample { open, ..self }
    }

    /// The example's full name in the Modelica Standard Library.
    pub fn title(&self) -> String {
        let (package, example) = self.example.split_once('/').expect("<Package>/<Example>");
        let (library, group) = package.split_once('.').unwrap_or((package, ""));
        let group = if group.is_empty() { String::new() } else { format!("{group}.") };
        format!("Modelica.Mechanics.{library}.Examples.{group}{example}")
    }

    /// The whole curves, in a folder that [`reference_folder`] names.
    pub fn curves(&self, folder: &Path) -> TimeSeries {
        let path = folder.join(format!("{}.csv", self.example));
        assert!(path.is_file(), "{} is missing", path.display());
        read(&path)
    }

    /// The path of the figures that the repository quotes.
    pub fn figures_path(&self) -> PathBuf {
        root().join(format!("tests/figures/{}.csv", self.model))
    }

    /// The figures that the repository quotes from the curves.
    pub fn figures(&self) -> TimeSeries {
        read(&self.figures_path())
    }
}

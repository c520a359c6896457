//! Names of the Modelica Standard Library before version 4, which are read as those of version 4.

use std::cell::RefCell;
use std::collections::BTreeSet;

/// Classes that have another place, which is a continuation of a place in this table if their
/// package has another one too.
const CLASSES: &[(&str, &str)] = &[
    ("Modelica.SIunits", "Modelica.Units.SI"),
    ("Modelica.Units.SI.Conversions", "Modelica.Units.Conversions"),
    ("Modelica.Units.SI.Icons", "Modelica.Units.Icons"),
    ("Modelica.Units.SI.Temp_C", "Modelica.Units.NonSI.Temperature_degC"),
    ("Modelica.Units.SI.Temp_K", "Modelica.Units.SI.Temperature"),
    ("Modelica.Units.Conversions.NonSIunits", "Modelica.Units.NonSI"),
    ("Modelica.Icons.Library", "Modelica.Icons.Package"),
    ("Modelica.Icons.Library2", "Modelica.Icons.Package"),
    ("Modelica.Icons.Info", "Modelica.Icons.Information"),
    ("Modelica.Icons.BaseLibrary", "Modelica.Icons.BasesPackage"),
    ("Modelica.Icons.GearIcon", "Modelica.Mechanics.Rotational.Icons.Gearbox"),
    ("Modelica.Icons.RotationalSensor", "Modelica.Icons.RoundSensor"),
    ("Modelica.Icons.TranslationalSensor", "Modelica.Icons.RectangularSensor"),
    ("Modelica.Blocks.Interfaces.BlockIcon", "Modelica.Blocks.Icons.Block"),
    ("Modelica.Blocks.Interfaces.BooleanBlockIcon", "Modelica.Blocks.Icons.BooleanBlock"),
    ("Modelica.Blocks.Interfaces.DiscreteBlockIcon", "Modelica.Blocks.Icons.DiscreteBlock"),
    ("Modelica.Blocks.Interfaces.IntegerBlockIcon", "Modelica.Blocks.Icons.IntegerBlock"),
    (
        "Modelica.Blocks.Interfaces.partialBooleanBlockIcon",
        "Modelica.Blocks.Icons.PartialBooleanBlock",
    ),
    ("Modelica.Blocks.Sources.Clock", "Modelica.Blocks.Sources.ContinuousClock"),
    ("Modelica.Blocks.Tables.CombiTable1D", "Modelica.Blocks.Tables.CombiTable1Dv"),
    ("Modelica.Blocks.Tables.CombiTable2D", "Modelica.Blocks.Tables.CombiTable2Ds"),
    ("Modelica.Blocks.Types.InitPID", "Modelica.Blocks.Types.Init"),
    ("Modelica.Math.baseIcon1", "Modelica.Math.Icons.AxisLeft"),
    ("Modelica.Math.baseIcon2", "Modelica.Math.Icons.AxisCenter"),
    (
        "Modelica.Mechanics.MultiBody.Sensors.Internal.ZeroForceAndTorque",
        "Modelica.Mechanics.MultiBody.Forces.Internal.ZeroForceAndTorque",
    ),
    (
        "Modelica.Mechanics.MultiBody.Sensors.TansformAbsoluteVector",
        "Modelica.Mechanics.MultiBody.Sensors.TransformAbsoluteVector",
    ),
    (
        "Modelica.Mechanics.MultiBody.Sensors.TansformRelativeVector",
        "Modelica.Mechanics.MultiBody.Sensors.TransformRelativeVector",
    ),
];

/// Elements with another name: the ends of the names of their classes, both names.
const ELEMENTS: &[(&[&str], &str, &str)] = &[
    (&["Sources.Sine", "Sources.Cosine", "Sources.ExpSine"], "freqHz", "f"),
    (FRICTION, "mue_pos", "mu_pos"),
    (FRICTION, "mue0", "mu0"),
    (&["MultiBody.World"], "mue", "mu"),
    (&["Rotational.Sources.SignTorque"], "tau_constant", "tau_nominal"),
    (WHEEL, "wheelRadius", "radius"),
    (WHEEL, "wheelMass", "m"),
    (WHEEL, "wheel_I_axis", "I_axis"),
    (WHEEL, "wheel_I_long", "I_long"),
    (WHEEL, "wheelColor", "color"),
    (&["Joints.RollingWheelSet"], "wheelRadius", "radius"),
    (&["Joints.RollingWheelSet", "Parts.RollingWheelSet"], "wheelDistance", "track"),
    (&["Parts.RollingWheelSet"], "wheelRadius", "R_wheel"),
    (&["Parts.RollingWheelSet"], "wheelMass", "m_wheel"),
    (&["Parts.RollingWheelSet"], "wheel_I_axis", "I_wheelAxis"),
    (&["Parts.RollingWheelSet"], "wheel_I_long", "I_wheelLong"),
    (&["Parts.RollingWheelSet"], "wheelWidth", "width_wheel"),
    (&["Parts.RollingWheelSet"], "wheelColor", "color"),
];

const FRICTION: &[&str] = &["Components.Brake", "Components.Clutch", "Components.OneWayClutch"];

const WHEEL: &[&str] = &["Joints.RollingWheel", "Parts.RollingWheel"];

/// Elements that were for pictures only and do not exist any more.
const OF_PICTURES: &[&str] =
    &["N_to_m", "Nm_to_m", "arrowDiameter", "forceDiameter", "torqueDiameter"];

/// What texts contain of these names.
#[derive(Debug, Default)]
pub struct Former {
    notes: RefCell<BTreeSet<String>>,
}

impl Former {
    /// What users should know.
    pub fn notes(&self) -> Vec<String> {
        self.notes.borrow().iter().cloned().collect()
    }

    fn note(&self, name: &str, present: &str) {
        let note = format!("{name} is read as {present}: its name in version 4 of the library");
        self.notes.borrow_mut().insert(note);
    }

    /// The present name of a class.
    pub fn class(&self, path: &str) -> Option<&'static str> {
        let (_, present) = CLASSES.iter().find(|(former, _)| *former == path)?;
        self.note(path, present);
        Some(present)
    }

    /// The present name of an element of a class.
    pub fn element(&self, class: &str, name: &str) -> Option<Present> {
        if OF_PICTURES.contains(&name) && class.contains(".MultiBody.") {
            return Some(Present::Nothing);
        }
        let is_of = |ends: &[&str]| ends.iter().any(|end| class.ends_with(end));
        let (_, _, present) =
            ELEMENTS.iter().find(|(of, former, _)| *former == name && is_of(of))?;
        self.note(&format!("{class}.{name}"), present);
        Some(Present::Element(present))
    }
}

/// What an element of an earlier version is at present.
#[derive(Clone, Copy, Debug)]
pub enum Present {
    /// An element of this name.
    Element(&'static str),
    /// It was for pictures only.
    Nothing,
}

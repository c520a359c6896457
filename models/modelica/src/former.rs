//! Names of the Modelica Standard Library before version 4, which are read as those of version 4.

use crate::library::{ClassNode, Library};
use crate::modifier::Modifier;
use crate::source::Checked;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

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
}

impl Library {
    /// The class of this name in a class, which may be its name in an earlier version of the
    /// standard library.
    ///
    /// # Errors
    /// A file is wrong.
    pub fn named(
        &self,
        class: &Rc<ClassNode>,
        name: &str,
        depth: usize,
    ) -> Checked<Option<Rc<ClassNode>>> {
        if let Some(found) = self.member(class, name, depth)? {
            return Ok(Some(found));
        }
        let path = format!("{}.{name}", class.path);
        let Some((_, present)) = CLASSES.iter().find(|(former, _)| *former == path) else {
            return Ok(None);
        };
        self.former.note(&path, present);
        self.find(present).map(Some)
    }

    /// What a text says about an instance of a class, with the present names of its elements.
    pub fn with_present_names(&self, class: &ClassNode, mut modifier: Modifier) -> Modifier {
        if !class.path.starts_with("Modelica.") || modifier.elements.is_empty() {
            return modifier;
        }
        let names: Vec<Rc<str>> = modifier.elements.keys().cloned().collect();
        for name in names.into_iter().filter(|name| !declares(class, name)) {
            if OF_PICTURES.contains(&&*name) && class.path.contains(".MultiBody.") {
                modifier.elements.remove(&name);
                continue;
            }
            let is_of = |ends: &[&str]| ends.iter().any(|end| class.path.ends_with(end));
            let known = ELEMENTS.iter().find(|(of, former, _)| *former == &*name && is_of(of));
            let Some((_, _, present)) = known else { continue };
            if let Some(of) = modifier.elements.remove(&name) {
                self.former.note(&format!("{}.{name}", class.path), present);
                modifier.elements.insert((*present).into(), of);
            }
        }
        modifier
    }

    /// A class of this name in a package of a package of the standard library, in words:
    /// `Rotational.Inertia` has been `Rotational.Components.Inertia` since version 3.
    pub fn nearby(&self, class: &Rc<ClassNode>, name: &str) -> String {
        let is_standard = class.path.starts_with("Modelica.");
        let inner = if is_standard { self.children(class) } else { Ok(Vec::new()) };
        let mut inner = inner.unwrap_or_default().into_iter();
        let found = inner.find_map(|inner| self.child(&inner, name).ok().flatten());
        found.map_or(String::new(), |found| format!("; there is {}", found.path))
    }
}

/// Whether an element stands in the text of a class.
fn declares(class: &ClassNode, name: &str) -> bool {
    class.elements().iter().any(|element| match &element.kind {
        crate::syntax::ElementKind::Component(of) => &*of.name.text == name,
        _ => false,
    })
}

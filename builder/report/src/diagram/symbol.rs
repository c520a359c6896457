//! The symbols of components: the symbol of each component, the places of its connectors, and the
//! variables that move the symbol.

use serde::{Deserialize, Serialize};

use super::icons;

/// The kind of a connector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// A flange of rotational mechanics.
    Flange,
    /// A flange of translational mechanics.
    TranslationalFlange,
    /// A frame in space.
    Frame,
    /// A heat port.
    Heat,
    /// A pin of a circuit.
    Pin,
    /// An input signal.
    Input,
    /// An input signal of type Boolean.
    BooleanInput,
    /// An input signal of type Integer.
    IntegerInput,
    /// The source of a signal.
    Output,
    /// The source of a signal of type Boolean.
    BooleanOutput,
    /// The source of a signal of type Integer.
    IntegerOutput,
}

impl Kind {
    /// Whether it is an input signal.
    pub fn is_input(self) -> bool {
        matches!(self, Kind::Input | Kind::BooleanInput | Kind::IntegerInput)
    }

    /// Whether it is the source of a signal.
    pub fn is_output(self) -> bool {
        matches!(self, Kind::Output | Kind::BooleanOutput | Kind::IntegerOutput)
    }

    /// Whether it is an input signal or the source of one.
    pub fn is_signal(self) -> bool {
        self.is_input() || self.is_output()
    }
}

/// What a component looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Symbol {
    /// A rotating mass: a disc, which turns.
    Disc,
    /// A sliding mass.
    Mass,
    /// A point at rest.
    Ground,
    /// A torsion spring.
    TorsionSpring,
    /// A torsion spring and a damper.
    TorsionSpringDamper,
    /// A rotational damper.
    TorsionDamper,
    /// A torsion spring with backlash.
    Backlash,
    /// A coil spring.
    Spring,
    /// A coil spring and a damper.
    SpringDamper,
    /// A damper.
    Damper,
    /// A spring that is in contact only while it is compressed.
    Gap,
    /// Two gear wheels.
    Gear,
    /// A wheel or a pinion between rotation and translation.
    Rack,
    /// Two plates that are pressed together.
    Clutch,
    /// Two plates that slide in one direction only.
    Freewheel,
    /// A plate that is pressed against the housing.
    Brake,
    /// A source of torque, force or motion.
    Source,
    /// A sensor.
    Sensor,
    /// The axes of the world.
    World,
    /// A body in space.
    Body,
    /// A rigid bar without mass.
    Bar,
    /// A joint that turns about an axis.
    Revolute,
    /// A joint that slides along an axis.
    Prismatic,
    /// A joint that turns about a point.
    Spherical,
    /// What circuits, heat and blocks have in common: a drawing for each type.
    Icon,
    /// Any other component.
    Box,
}

/// The side of a symbol at which a connector is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

impl Side {
    /// The side of the symbol's mirror image.
    pub fn mirrored(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
            other => other,
        }
    }
}

/// Names of variables that may move a symbol; the first one that the FMU has does. See
/// [`Moves`](super::Moves).
#[derive(Clone, Copy, Debug, Default)]
pub struct Locals {
    pub a: &'static [&'static str],
    pub b: &'static [&'static str],
    pub length: &'static [&'static str],
    pub force: &'static [&'static str],
    pub mode: &'static [&'static str],
}

/// Names of types, without their packages, and their symbols in rotation and elsewhere.
const SYMBOLS: &[(&str, Symbol, Symbol)] = &[
    ("Inertia", Symbol::Disc, Symbol::Disc),
    ("Disc", Symbol::Disc, Symbol::Disc),
    ("Rotor1D", Symbol::Disc, Symbol::Disc),
    ("Mass", Symbol::Mass, Symbol::Mass),
    ("Rod", Symbol::Mass, Symbol::Mass),
    ("Fixed", Symbol::Ground, Symbol::Ground),
    ("Spring", Symbol::TorsionSpring, Symbol::Spring),
    ("Damper", Symbol::TorsionDamper, Symbol::Damper),
    ("SpringDamper", Symbol::TorsionSpringDamper, Symbol::SpringDamper),
    ("SpringDamperParallel", Symbol::SpringDamper, Symbol::SpringDamper),
    ("SpringDamperSeries", Symbol::SpringDamper, Symbol::SpringDamper),
    ("ElastoBacklash", Symbol::Backlash, Symbol::Backlash),
    ("ElastoBacklash2", Symbol::Backlash, Symbol::Backlash),
    ("ElastoGap", Symbol::Gap, Symbol::Gap),
    ("IdealGear", Symbol::Gear, Symbol::Gear),
    ("LossyGear", Symbol::Gear, Symbol::Gear),
    ("Gearbox", Symbol::Gear, Symbol::Gear),
    ("IdealGearR2T", Symbol::Rack, Symbol::Rack),
    ("IdealRollingWheel", Symbol::Rack, Symbol::Rack),
    ("Clutch", Symbol::Clutch, Symbol::Clutch),
    ("OneWayClutch", Symbol::Freewheel, Symbol::Freewheel),
    ("Brake", Symbol::Brake, Symbol::Brake),
    ("BearingFriction", Symbol::Brake, Symbol::Brake),
    ("SupportFriction", Symbol::Brake, Symbol::Brake),
    ("World", Symbol::World, Symbol::World),
    ("Body", Symbol::Body, Symbol::Body),
    ("BodyShape", Symbol::Body, Symbol::Body),
    ("BodyBox", Symbol::Body, Symbol::Body),
    ("BodyCylinder", Symbol::Body, Symbol::Body),
    ("SimpleBody", Symbol::Body, Symbol::Body),
    ("PointMass", Symbol::Body, Symbol::Body),
    ("FixedTranslation", Symbol::Bar, Symbol::Bar),
    ("FixedRotation", Symbol::Bar, Symbol::Bar),
    ("Revolute", Symbol::Revolute, Symbol::Revolute),
    ("PlanarRevolute", Symbol::Revolute, Symbol::Revolute),
    ("Prismatic", Symbol::Prismatic, Symbol::Prismatic),
    ("Spherical", Symbol::Spherical, Symbol::Spherical),
];

/// Ends of the names of sources in one-dimensional mechanics.
const SOURCES: [&str; 9] = [
    "Torque",
    "Torque2",
    "TorqueStep",
    "Force",
    "Force2",
    "ForceStep",
    "Speed",
    "Position",
    "Move",
];

/// The side of a pin of a component that has so many of them.
fn pin_side(name: &str, pins: usize) -> Side {
    match name {
        "p" | "in_p" | "in_n" | "pin_ap" | "pc" => Side::Left,
        "p1" | "dc_p1" | "dc_n1" | "dc_p" | "dc_n" => Side::Left,
        "n1" if pins == 4 => Side::Left,
        "contact" | "VMax" | "pv" => Side::Top,
        "VMin" | "nv" | "pin_ep" | "pin_en" => Side::Bottom,
        _ => Side::Right,
    }
}

impl Symbol {
    /// The symbol of a type.
    pub fn of(type_name: &str) -> Symbol {
        let (package, name) = type_name.rsplit_once('.').unwrap_or(("", type_name));
        let rotates = package.contains("Rotational");
        if let Some((_, turning, other)) = SYMBOLS.iter().find(|(known, ..)| *known == name) {
            return if rotates { *turning } else { *other };
        }
        if icons::of(type_name).is_some() {
            return Symbol::Icon;
        }
        let is_source = SOURCES.iter().any(|end| name.ends_with(end)) || name == "Accelerate";
        match () {
            () if name.ends_with("Sensor") => Symbol::Sensor,
            () if is_source && !package.contains("MultiBody") => Symbol::Source,
            () => Symbol::Box,
        }
    }

    /// The side at which a connector is, of a component with these kinds of connectors.
    pub fn side(self, connector: &str, kind: Kind, kinds: &[Kind]) -> Side {
        let signals = kinds.iter().all(|kind| kind.is_signal());
        let pins = kinds.iter().filter(|kind| **kind == Kind::Pin).count();
        let alone = pins == 1 && self == Symbol::Icon;
        match (kind, connector) {
            _ if kind.is_output() && (signals || alone || self == Symbol::Sensor) => Side::Right,
            _ if kind.is_input() && (signals || self == Symbol::Source) => Side::Left,
            _ if kind.is_signal() => Side::Top,
            (Kind::Pin, name) => pin_side(name, pins),
            (Kind::Flange | Kind::TranslationalFlange, "flange") if pins > 0 => Side::Top,
            (_, "supportR" | "supportT" | "heatPort" | "frame_resolve") => Side::Bottom,
            (_, "support" | "bearing") => Side::Bottom,
            (_, "axis") => Side::Top,
            (_, name) if name.ends_with("_a") || name.ends_with("_ia") => Side::Left,
            (_, "flangeR" | "sun" | "solid") => Side::Left,
            (_, "flange" | "frame" | "port") if self == Symbol::Sensor => Side::Left,
            _ => Side::Right,
        }
    }

    /// The variables that move it.
    pub fn moves(self) -> Locals {
        let both = Locals {
            a: &["flange_a.phi", "flange_a.s"],
            b: &["flange_b.phi", "flange_b.s"],
            ..Locals::default()
        };
        let elastic = Locals { force: &["tau", "f"], length: &["s_rel"], ..both };
        match self {
            Symbol::Disc => Locals { a: &["phi", "flange_a.phi"], ..Locals::default() },
            Symbol::Mass => Locals { a: &["s", "flange_a.s"], ..Locals::default() },
            Symbol::TorsionSpring
            | Symbol::TorsionSpringDamper
            | Symbol::TorsionDamper
            | Symbol::Backlash => Locals { length: &[], ..elastic },
            Symbol::Spring | Symbol::SpringDamper | Symbol::Damper | Symbol::Gap => {
                Locals { a: &[], b: &[], ..elastic }
            }
            Symbol::Gear => both,
            Symbol::Rack => Locals {
                a: &["flangeR.phi", "flange_a.phi"],
                b: &["flangeT.s", "flange_b.s"],
                ..Locals::default()
            },
            Symbol::Clutch | Symbol::Freewheel => Locals { mode: &["mode"], ..both },
            Symbol::Brake => Locals {
                a: &["flange_a.phi", "phi", "flange_a.s", "s"],
                mode: &["mode"],
                ..Locals::default()
            },
            Symbol::Source => Locals { force: &["flange.tau", "flange.f"], ..Locals::default() },
            Symbol::Revolute => Locals { a: &["phi"], ..Locals::default() },
            Symbol::Prismatic => Locals { length: &["s"], ..Locals::default() },
            _ => Locals::default(),
        }
    }
}

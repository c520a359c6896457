//! The two domains of 1-D mechanics, with the names of their variables.
//!
//! Components of both domains are written once, in a module `rotational` with the names of
//! rotation. The attribute [`two_domains`] translates it into a module `translational`, in which
//! `phi` is `s`, `w` is `v` and `tau` is `f`; where more than words differs,
//! `either!(rotation, translation)` contains both alternatives.

pub use mechanics_macros::two_domains;

/// A kind of variable: its name within a component and its unit.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Name within a component.
    pub local: &'static str,
    /// Unit.
    pub unit: &'static str,
}

/// A domain: rotation about one axis, or translation along one.
///
/// Both have the same equations, so a component states them once for its domain.
#[derive(Debug)]
pub struct Domain {
    /// Position of a flange.
    pub position: Word,
    /// Speed of a flange.
    pub speed: Word,
    /// Acceleration of a flange.
    pub acceleration: Word,
    /// Position of `flange_b` minus that of `flange_a`.
    pub relative_position: Word,
    /// Derivative of the relative position.
    pub relative_speed: Word,
    /// Derivative of the relative speed.
    pub relative_acceleration: Word,
    /// The flow variable of a flange, positive into the component.
    pub flow: Word,
    /// The type of a flange in model texts.
    pub port: &'static str,
    /// Descriptions of the position and of the flow of a flange.
    pub of_flange: [&'static str; 2],
    /// Whether a source publishes the torque (or force) that drives the connected parts; otherwise
    /// it publishes the cut torque (or force) of its flange.
    pub shows_accelerating: bool,
}

impl Domain {
    /// Position, speed and acceleration of a flange.
    pub fn motion(&'static self) -> [&'static Word; 3] {
        [&self.position, &self.speed, &self.acceleration]
    }

    /// The motion of `flange_b` relative to `flange_a`.
    pub fn relative_motion(&'static self) -> [&'static Word; 3] {
        [&self.relative_position, &self.relative_speed, &self.relative_acceleration]
    }
}

/// A kind of variable.
pub const fn word(local: &'static str, unit: &'static str) -> Word {
    Word { local, unit }
}

/// Rotation: `phi` in rad, `tau` in N.m.
pub static ROTATIONAL: Domain = Domain {
    position: word("phi", "rad"),
    speed: word("w", "rad/s"),
    acceleration: word("a", "rad/s2"),
    relative_position: word("phi_rel", "rad"),
    relative_speed: word("w_rel", "rad/s"),
    relative_acceleration: word("a_rel", "rad/s2"),
    flow: word("tau", "N.m"),
    port: "Flange",
    of_flange: ["Absolute rotation angle", "Cut torque, positive into the component"],
    shows_accelerating: true,
};

/// Translation: `s` in m, `f` in N.
pub static TRANSLATIONAL: Domain = Domain {
    position: word("s", "m"),
    speed: word("v", "m/s"),
    acceleration: word("a", "m/s2"),
    relative_position: word("s_rel", "m"),
    relative_speed: word("v_rel", "m/s"),
    relative_acceleration: word("a_rel", "m/s2"),
    flow: word("f", "N"),
    port: "TranslationalFlange",
    of_flange: ["Absolute position", "Cut force, positive into the component"],
    shows_accelerating: false,
};

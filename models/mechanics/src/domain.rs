//! The two domains of 1-D mechanics: how their variables are called.

/// A kind of variable: its name within a component, its unit, and what it is.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Name within a component.
    pub local: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Description.
    pub describe: &'static str,
}

/// A domain: rotation about one axis, or translation along one.
///
/// Both have the same equations; a component states them once for its domain.
#[derive(Debug)]
pub struct Domain {
    /// Position of a flange.
    pub position: Word,
    /// Its derivative.
    pub speed: Word,
    /// The derivative of the speed.
    pub acceleration: Word,
    /// Position of `flange_b` less that of `flange_a`.
    pub relative_position: Word,
    /// Its derivative.
    pub relative_speed: Word,
    /// The derivative of the relative speed.
    pub relative_acceleration: Word,
    /// The flow variable of a flange, positive into the component.
    pub flow: Word,
    /// What its sources are called.
    pub source: SourceWords,
}

impl Domain {
    /// Position, speed and acceleration of a flange.
    pub fn motion(&'static self) -> [&'static Word; 3] {
        [&self.position, &self.speed, &self.acceleration]
    }

    /// The same of `flange_b` relative to `flange_a`.
    pub fn relative_motion(&'static self) -> [&'static Word; 3] {
        [&self.relative_position, &self.relative_speed, &self.relative_acceleration]
    }
}

/// How the parameters and variables of a domain's sources are called.
#[derive(Debug)]
pub struct SourceWords {
    /// A constant torque (or force).
    pub constant: Word,
    /// The height of a step.
    pub step: Word,
    /// The value before a step.
    pub offset: Word,
    /// The torque (or force) at nominal speed.
    pub nominal: Word,
    /// Nominal speed.
    pub nominal_speed: Word,
    /// The speed below which a law is another one.
    pub small_speed: Word,
    /// A prescribed constant speed.
    pub fixed_speed: Word,
    /// Whether the sign of a torque (or force) does not depend on that of the speed.
    pub direction: &'static str,
    /// What a source shows of itself: true for the torque that accelerates the outside, false for
    /// the cut force of its flange.
    pub shows_accelerating: bool,
}

/// A word.
pub const fn word(local: &'static str, unit: &'static str, describe: &'static str) -> Word {
    Word { local, unit, describe }
}

/// Rotation: `phi` in rad, `tau` in N.m.
pub static ROTATIONAL: Domain = Domain {
    position: word("phi", "rad", "Absolute rotation angle"),
    speed: word("w", "rad/s", "Absolute angular velocity"),
    acceleration: word("a", "rad/s2", "Absolute angular acceleration"),
    relative_position: word("phi_rel", "rad", "Relative rotation angle"),
    relative_speed: word("w_rel", "rad/s", "Relative angular velocity"),
    relative_acceleration: word("a_rel", "rad/s2", "Relative angular acceleration"),
    flow: word("tau", "N.m", "Cut torque, positive into the component"),
    source: SourceWords {
        constant: word("tau_constant", "N.m", "Constant torque; negative brakes forward motion"),
        step: word("stepTorque", "N.m", "Height of the step"),
        offset: word("offsetTorque", "N.m", "Torque before the step"),
        nominal: word("tau_nominal", "N.m", "Nominal torque; negative acts as a load"),
        nominal_speed: word("w_nominal", "rad/s", "Nominal speed"),
        small_speed: word("w0", "rad/s", "Speed below which the torque is regularised"),
        fixed_speed: word("w_fixed", "rad/s", "Fixed speed"),
        direction: "TorqueDirection",
        shows_accelerating: true,
    },
};

/// Translation: `s` in m, `f` in N.
pub static TRANSLATIONAL: Domain = Domain {
    position: word("s", "m", "Absolute position"),
    speed: word("v", "m/s", "Absolute velocity"),
    acceleration: word("a", "m/s2", "Absolute acceleration"),
    relative_position: word("s_rel", "m", "Relative distance"),
    relative_speed: word("v_rel", "m/s", "Relative velocity"),
    relative_acceleration: word("a_rel", "m/s2", "Relative acceleration"),
    flow: word("f", "N", "Cut force, positive into the component"),
    source: SourceWords {
        constant: word("f_constant", "N", "Constant force; negative brakes forward motion"),
        step: word("stepForce", "N", "Height of the step"),
        offset: word("offsetForce", "N", "Force before the step"),
        nominal: word("f_nominal", "N", "Nominal force; negative acts as a load"),
        nominal_speed: word("v_nominal", "m/s", "Nominal speed"),
        small_speed: word("v0", "m/s", "Speed below which the force is regularised"),
        fixed_speed: word("v_fixed", "m/s", "Fixed speed"),
        direction: "ForceDirection",
        shows_accelerating: false,
    },
};

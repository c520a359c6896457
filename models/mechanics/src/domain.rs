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
    /// What a source shows of itself: true for the torque that accelerates the outside, false for
    /// the cut force of its flange.
    pub shows_accelerating: bool,
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
    shows_accelerating: true,
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
    shows_accelerating: false,
};

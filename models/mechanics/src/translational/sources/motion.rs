//! Prescribed motions of a flange.

use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::drive::{self, Following, following};
use crate::start::{Start, fixed};
use crate::{ports, setters};

/// Forced movement of a flange at a constant speed.
///
/// # Equations
/// `der(s) = v_fixed` with `s = flange.s - support.s`; the support takes the reaction.
///
/// # Variables
/// `v_fixed` in m/s; `s` in m is a state whose start value is a guess.
/// `f` in N: what the drive exerts on the flange, from the support.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.ConstantSpeed.
#[derive(Clone, Debug)]
pub struct ConstantSpeed {
    v_fixed: f64,
    s: Start,
}

ports! {
    /// Ports and variables of a [`ConstantSpeed`].
    pub struct ConstantSpeedPorts {
        /// The driven flange.
        flange: translational_flange,
        /// Housing; held if it is not connected.
        support: translational_flange,
        /// Position relative to the support in m.
        s: quantity,
        /// Velocity relative to the support in m/s.
        v: quantity,
        /// Force of the drive on the flange in N.
        f: quantity,
    }
}

impl ConstantSpeed {
    /// At `v_fixed` in m/s.
    pub fn v_fixed(v_fixed: f64) -> Self {
        ConstantSpeed { v_fixed, s: Start::default() }
    }
}

setters! {
    impl ConstantSpeed {
        /// Start value of the position in m.
        s: Start,
    }
}

impl OldComponent for ConstantSpeed {
    type Ports = ConstantSpeedPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        drive::constant_speed(c, &TRANSLATIONAL, self.v_fixed, self.s)
    }
}

/// Forced movement of a flange at a speed that a signal gives.
///
/// # Equations
/// With `s = flange.s - support.s`. `exact`: `v = der(s) = v_ref`. Otherwise, through a
/// filter of first order: `a = der(v) = (v_ref - v) 2 pi f_crit`, `v = v_ref` at the start.
///
/// # Variables
/// Input `v_ref` in m/s; `f_crit` in Hz, positive; `s` in m and (filtered) `v` in m/s are states;
/// `s` starts at its start value, 0. With `exact`, an input of the FMU counts as constant between
/// events: it has no acceleration.
/// `f` in N: what the drive exerts on the flange, from the support.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.Speed.
#[derive(Clone, Debug)]
pub struct Speed {
    following: Following,
    s: Start,
}

ports! {
    /// Ports and variables of a [`Speed`].
    pub struct SpeedPorts {
        /// The driven flange.
        flange: translational_flange,
        /// Housing; held if it is not connected.
        support: translational_flange,
        /// Reference velocity in m/s.
        v_ref: input,
        /// Position relative to the support in m.
        s: quantity,
        /// Velocity relative to the support in m/s.
        v: quantity,
        /// Acceleration relative to the support in m/s2.
        a: quantity,
        /// Force of the drive on the flange in N.
        f: quantity,
    }
}

following!(Speed);

impl Default for Speed {
    /// Followed through a filter of 50 Hz.
    fn default() -> Self {
        Speed { following: Following::default(), s: fixed(0.0) }
    }
}

setters! {
    impl Speed {
        /// Start value of the position in m.
        s: Start,
    }
}

impl OldComponent for Speed {
    type Ports = SpeedPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        drive::speed(c, &TRANSLATIONAL, "v_ref", self.following, self.s)
    }
}

/// Forced movement of a flange along a position that a signal gives.
///
/// # Equations
/// With `s = flange.s - support.s`. `exact`: `s = s_ref`. Otherwise, through a Bessel filter
/// of second order: `v = der(s)`, `a = der(v) = ((s_ref - s) wc - 1.3617 v) wc / 0.6180` with
/// `wc = 2 pi f_crit`, `s = s_ref` at the start.
///
/// # Variables
/// Input `s_ref` in m; `f_crit` in Hz, positive; filtered, `s` in m and `v` in m/s are states. With
/// `exact`, an input of the FMU counts as constant between events: it has no speed.
/// `f` in N: what the drive exerts on the flange, from the support.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.Position.
#[derive(Clone, Debug, Default)]
pub struct Position {
    following: Following,
    v: Start,
}

ports! {
    /// Ports and variables of a [`Position`].
    pub struct PositionPorts {
        /// The driven flange.
        flange: translational_flange,
        /// Housing; held if it is not connected.
        support: translational_flange,
        /// Reference position in m.
        s_ref: input,
        /// Position relative to the support in m.
        s: quantity,
        /// Velocity relative to the support in m/s.
        v: quantity,
        /// Acceleration relative to the support in m/s2.
        a: quantity,
        /// Force of the drive on the flange in N.
        f: quantity,
    }
}

following!(Position);

setters! {
    impl Position {
        /// Start value of the velocity in m/s, if filtered.
        v: Start,
    }
}

impl OldComponent for Position {
    type Ports = PositionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        drive::position(c, &TRANSLATIONAL, "s_ref", self.following, self.v)
    }
}

/// Forced movement of a flange with an acceleration that a signal gives.
///
/// # Equations
/// `der(s) = v`, `der(v) = a_ref` with `s = flange.s - support.s`.
///
/// # Variables
/// Input `a_ref` in m/s2; `s` in m and `v` in m/s are states that start at 0.
/// `f` in N: what the drive exerts on the flange, from the support.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.Accelerate.
#[derive(Clone, Debug)]
pub struct Accelerate {
    s: Start,
    v: Start,
}

ports! {
    /// Ports and variables of an [`Accelerate`].
    pub struct AcceleratePorts {
        /// The driven flange.
        flange: translational_flange,
        /// Housing; held if it is not connected.
        support: translational_flange,
        /// Acceleration in m/s2.
        a_ref: input,
        /// Position relative to the support in m.
        s: quantity,
        /// Velocity relative to the support in m/s.
        v: quantity,
        /// Acceleration relative to the support in m/s2.
        a: quantity,
        /// Force of the drive on the flange in N.
        f: quantity,
    }
}

impl Default for Accelerate {
    fn default() -> Self {
        Accelerate { s: fixed(0.0), v: fixed(0.0) }
    }
}

setters! {
    impl Accelerate {
        /// Start value of the position in m.
        s: Start,
        /// Start value of the velocity in m/s.
        v: Start,
    }
}

impl OldComponent for Accelerate {
    type Ports = AcceleratePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let starts = Starts { position: self.s, speed: self.v };
        drive::accelerate(c, &TRANSLATIONAL, "a_ref", starts)
    }
}

/// Forced movement of a flange with position, speed and acceleration that signals give.
///
/// # Equations
/// `s = u[1]`, its first derivative is `u[2]` and its second `u[3]`, with `s = flange.s -
/// support.s`. The signals have to fit each other.
///
/// # Variables
/// Inputs `u[1]` in m, `u[2]` in m/s, `u[3]` in m/s2.
/// `f` in N: what the drive exerts on the flange, from the support.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sources.Move.
#[derive(Clone, Debug, Default)]
pub struct Move;

ports! {
    /// Ports and variables of a [`Move`].
    pub struct MovePorts {
        /// The driven flange.
        flange: translational_flange,
        /// Housing; held if it is not connected.
        support: translational_flange,
        /// Position in m.
        u1: input = "u[1]",
        /// Velocity in m/s.
        u2: input = "u[2]",
        /// Acceleration in m/s2.
        u3: input = "u[3]",
        /// Position relative to the support in m.
        s: quantity,
        /// Velocity relative to the support in m/s.
        v: quantity,
        /// Acceleration relative to the support in m/s2.
        a: quantity,
        /// Force of the drive on the flange in N.
        f: quantity,
    }
}

impl OldComponent for Move {
    type Ports = MovePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        drive::prescribe(c, &TRANSLATIONAL)
    }
}

//! Prescribed motions of a flange.

use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::drive::{self, Following, following};
use crate::start::{Start, fixed};
use crate::{ports, setters};

/// Forced movement of a flange at a constant speed.
///
/// # Equations
/// `der(phi) = w_fixed` with `phi = flange.phi - support.phi`; the support takes the reaction.
///
/// # Variables
/// `w_fixed` in rad/s; `phi` in rad is a state whose start value is a guess.
/// `tau` in N.m: what the drive exerts on the flange, from the support.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.ConstantSpeed.
#[derive(Clone, Debug)]
pub struct ConstantSpeed {
    w_fixed: f64,
    phi: Start,
}

ports! {
    /// Ports and variables of a [`ConstantSpeed`].
    pub struct ConstantSpeedPorts {
        /// The driven flange.
        flange: flange,
        /// Housing; held if it is not connected.
        support: flange,
        /// Angle relative to the support in rad.
        phi: quantity,
        /// Angular velocity relative to the support in rad/s.
        w: quantity,
        /// Torque of the drive on the flange in N.m.
        tau: quantity,
    }
}

impl ConstantSpeed {
    /// At `w_fixed` in rad/s.
    pub fn w_fixed(w_fixed: f64) -> Self {
        ConstantSpeed { w_fixed, phi: Start::default() }
    }
}

setters! {
    impl ConstantSpeed {
        /// Start value of the angle in rad.
        phi: Start,
    }
}

impl OldComponent for ConstantSpeed {
    type Ports = ConstantSpeedPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        drive::constant_speed(c, &ROTATIONAL, self.w_fixed, self.phi)
    }
}

/// Forced movement of a flange at a speed that a signal gives.
///
/// # Equations
/// With `phi = flange.phi - support.phi`. `exact`: `w = der(phi) = w_ref`. Otherwise, through a
/// filter of first order: `a = der(w) = (w_ref - w) 2 pi f_crit`, `w = w_ref` at the start.
///
/// # Variables
/// Input `w_ref` in rad/s; `f_crit` in Hz, positive; `phi` in rad and (filtered) `w` in rad/s are
/// states; `phi` starts at its start value, 0. With `exact`, an input of the FMU counts as constant
/// between events: it has no acceleration.
/// `tau` in N.m: what the drive exerts on the flange, from the support.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.Speed.
#[derive(Clone, Debug)]
pub struct Speed {
    following: Following,
    phi: Start,
}

ports! {
    /// Ports and variables of a [`Speed`].
    pub struct SpeedPorts {
        /// The driven flange.
        flange: flange,
        /// Housing; held if it is not connected.
        support: flange,
        /// Reference angular velocity in rad/s.
        w_ref: input,
        /// Angle relative to the support in rad.
        phi: quantity,
        /// Angular velocity relative to the support in rad/s.
        w: quantity,
        /// Angular acceleration relative to the support in rad/s2.
        a: quantity,
        /// Torque of the drive on the flange in N.m.
        tau: quantity,
    }
}

following!(Speed);

impl Default for Speed {
    /// Followed through a filter of 50 Hz.
    fn default() -> Self {
        Speed { following: Following::default(), phi: fixed(0.0) }
    }
}

setters! {
    impl Speed {
        /// Start value of the angle in rad.
        phi: Start,
    }
}

impl OldComponent for Speed {
    type Ports = SpeedPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        drive::speed(c, &ROTATIONAL, "w_ref", self.following, self.phi)
    }
}

/// Forced movement of a flange along an angle that a signal gives.
///
/// # Equations
/// With `phi = flange.phi - support.phi`. `exact`: `phi = phi_ref`. Otherwise, through a Bessel
/// filter of second order: `w = der(phi)`, `a = der(w) = ((phi_ref - phi) wc - 1.3617 w) wc /
/// 0.6180` with `wc = 2 pi f_crit`, `phi = phi_ref` at the start.
///
/// # Variables
/// Input `phi_ref` in rad; `f_crit` in Hz, positive; filtered, `phi` in rad and `w` in rad/s are
/// states. With `exact`, an input of the FMU counts as constant between events: it has no speed.
/// `tau` in N.m: what the drive exerts on the flange, from the support.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.Position.
#[derive(Clone, Debug, Default)]
pub struct Position {
    following: Following,
    w: Start,
}

ports! {
    /// Ports and variables of a [`Position`].
    pub struct PositionPorts {
        /// The driven flange.
        flange: flange,
        /// Housing; held if it is not connected.
        support: flange,
        /// Reference angle in rad.
        phi_ref: input,
        /// Angle relative to the support in rad.
        phi: quantity,
        /// Angular velocity relative to the support in rad/s.
        w: quantity,
        /// Angular acceleration relative to the support in rad/s2.
        a: quantity,
        /// Torque of the drive on the flange in N.m.
        tau: quantity,
    }
}

following!(Position);

setters! {
    impl Position {
        /// Start value of the angular velocity in rad/s, if filtered.
        w: Start,
    }
}

impl OldComponent for Position {
    type Ports = PositionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        drive::position(c, &ROTATIONAL, "phi_ref", self.following, self.w)
    }
}

/// Forced movement of a flange with an acceleration that a signal gives.
///
/// # Equations
/// `der(phi) = w`, `der(w) = a_ref` with `phi = flange.phi - support.phi`.
///
/// # Variables
/// Input `a_ref` in rad/s2; `phi` in rad and `w` in rad/s are states that start at 0.
/// `tau` in N.m: what the drive exerts on the flange, from the support.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.Accelerate.
#[derive(Clone, Debug)]
pub struct Accelerate {
    phi: Start,
    w: Start,
}

ports! {
    /// Ports and variables of an [`Accelerate`].
    pub struct AcceleratePorts {
        /// The driven flange.
        flange: flange,
        /// Housing; held if it is not connected.
        support: flange,
        /// Angular acceleration in rad/s2.
        a_ref: input,
        /// Angle relative to the support in rad.
        phi: quantity,
        /// Angular velocity relative to the support in rad/s.
        w: quantity,
        /// Angular acceleration relative to the support in rad/s2.
        a: quantity,
        /// Torque of the drive on the flange in N.m.
        tau: quantity,
    }
}

impl Default for Accelerate {
    fn default() -> Self {
        Accelerate { phi: fixed(0.0), w: fixed(0.0) }
    }
}

setters! {
    impl Accelerate {
        /// Start value of the angle in rad.
        phi: Start,
        /// Start value of the angular velocity in rad/s.
        w: Start,
    }
}

impl OldComponent for Accelerate {
    type Ports = AcceleratePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let starts = Starts { position: self.phi, speed: self.w };
        drive::accelerate(c, &ROTATIONAL, "a_ref", starts)
    }
}

/// Forced movement of a flange with angle, speed and acceleration that signals give.
///
/// # Equations
/// `phi = u[1]`, its first derivative is `u[2]` and its second `u[3]`, with `phi = flange.phi -
/// support.phi`. The signals have to fit each other.
///
/// # Variables
/// Inputs `u[1]` in rad, `u[2]` in rad/s, `u[3]` in rad/s2.
/// `tau` in N.m: what the drive exerts on the flange, from the support.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sources.Move.
#[derive(Clone, Debug, Default)]
pub struct Move;

ports! {
    /// Ports and variables of a [`Move`].
    pub struct MovePorts {
        /// The driven flange.
        flange: flange,
        /// Housing; held if it is not connected.
        support: flange,
        /// Angle in rad.
        u1: input = "u[1]",
        /// Angular velocity in rad/s.
        u2: input = "u[2]",
        /// Angular acceleration in rad/s2.
        u3: input = "u[3]",
        /// Angle relative to the support in rad.
        phi: quantity,
        /// Angular velocity relative to the support in rad/s.
        w: quantity,
        /// Angular acceleration relative to the support in rad/s2.
        a: quantity,
        /// Torque of the drive on the flange in N.m.
        tau: quantity,
    }
}

impl OldComponent for Move {
    type Ports = MovePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        drive::prescribe(c, &ROTATIONAL)
    }
}

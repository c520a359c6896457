//! Losses of machines: friction, brushes, iron, and stray load.

use equations::{Ex, select};
use mechanics::declaration::{group, prelude::*};

group! {
    /// Losses of a DC machine, beside those of its windings. Without a value of their own, the
    /// reference values are the nominal ones of the machine.
    pub struct Losses(losses) {
        /// Friction losses at their reference speed
        friction_p_ref "frictionParameters.PRef": Real["W", >= 0, structural zero] = 0,
        /// Speed to which the friction losses refer
        friction_w_ref "frictionParameters.wRef"?: Real["rad/s", > 0],
        /// Exponent of the friction torque over the speed
        friction_power_w "frictionParameters.power_w": Real["1", > 0] = 2,
        /// Core losses at their reference voltage
        core_p_ref "coreParameters.PRef": Real["W", >= 0, constant] = 0,
        /// Induced voltage to which the core losses refer
        core_v_ref "coreParameters.VRef"?: Real["V", > 0],
        /// Stray load losses at their reference current and speed
        stray_p_ref "strayLoadParameters.PRef": Real["W", >= 0, structural zero] = 0,
        /// Current to which the stray load losses refer
        stray_i_ref "strayLoadParameters.IRef"?: Real["A", > 0],
        /// Speed to which the stray load losses refer
        stray_w_ref "strayLoadParameters.wRef"?: Real["rad/s", > 0],
        /// Exponent of the stray load torque over the speed
        stray_power_w "strayLoadParameters.power_w": Real["1", > 0] = 1,
        /// Voltage drop of all brushes
        brush_v "brushParameters.V": Real["V", >= 0, structural zero] = 0,
        /// Current below which the voltage drop of the brushes is linear
        brush_i_linear "brushParameters.ILinear"?: Real["A", > 0],
    }
    variables {
        /// Lost power of friction
        friction_loss "friction.lossPower": Real["W"],
        /// Lost power in the core
        core_loss "core.lossPower": Real["W"],
        /// Lost power of the stray load
        stray_loss "strayLoad.lossPower": Real["W"],
        /// Lost power of the brushes
        brush_loss "brush.lossPower": Real["W"],
    }
}

/// The nominal operation, to which losses refer without values of their own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nominal {
    /// Armature current.
    pub current: Ex,
    /// Speed.
    pub speed: Ex,
}

/// Part of the reference speed below which friction is linear.
const LINEAR: f64 = 1e-3;

/// `sign(w) (|w| / reference)^exponent`.
fn odd_power(w: Ex, reference: Ex, exponent: Ex) -> Ex {
    let magnitude = (w.abs() / reference).pow(exponent);
    select(w.ge(0.0), magnitude, -magnitude)
}

/// The torque against a speed that takes `part` of a power at a reference speed, with an exponent.
pub(super) fn braking(w: Ex, part: Ex, [power, reference, exponent]: [Ex; 3]) -> Ex {
    if power.is_constant_zero() {
        return Ex::zero();
    }
    power / reference * part * odd_power(w, reference, exponent)
}

/// The torque of friction against a speed, which takes a power at a reference speed, with an
/// exponent; it is linear at low speeds.
pub(super) fn friction(w: Ex, [power, reference, exponent]: [Ex; 3]) -> Ex {
    if power.is_constant_zero() {
        return Ex::zero();
    }
    let torque = power / reference;
    let linear = torque * Ex::from(LINEAR).pow(exponent) * w / (reference * LINEAR);
    select(w.abs().gt(reference * LINEAR), torque * odd_power(w, reference, exponent), linear)
}

impl Losses {
    /// The torque of friction against a speed.
    pub(super) fn friction(&self, w: Ex, nominal: Nominal) -> Ex {
        let reference = self.friction_w_ref.unwrap_or(nominal.speed);
        friction(w, [self.friction_p_ref, reference, self.friction_power_w])
    }

    /// The torque of the stray load against a speed at a current.
    pub(super) fn stray_load(&self, w: Ex, i: Ex, nominal: Nominal) -> Ex {
        let reference = self.stray_w_ref.unwrap_or(nominal.speed);
        let part = i / self.stray_i_ref.unwrap_or(nominal.current);
        braking(w, part.square(), [self.stray_p_ref, reference, self.stray_power_w])
    }

    /// The conductance of the core, across which `induced` is the nominal induced voltage.
    pub(super) fn core(&self, induced: Ex) -> Ex {
        // The structure of the circuit depends on whether there are losses.
        if self.core_p_ref == 0.0 {
            return Ex::zero();
        }
        self.core_p_ref / self.core_v_ref.unwrap_or(induced).square()
    }

    /// The voltage drop of the brushes at a current.
    pub(super) fn brushes(&self, i: Ex, nominal: Nominal) -> Ex {
        if self.brush_v.is_constant_zero() {
            return Ex::zero();
        }
        let linear = self.brush_i_linear.unwrap_or(nominal.current.abs() * 0.01);
        self.brush_v * (i / linear).max(-1.0).min(1.0)
    }
}

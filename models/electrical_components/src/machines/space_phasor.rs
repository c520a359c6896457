//! Space phasors: three values of phases as two components and their mean.

use equations::Ex;
use std::f64::consts::TAU;

/// The angle of the axis of a phase, counted from 0.
fn axis(phase: usize) -> f64 {
    phase as f64 * TAU / 3.0
}

/// The components along the axis of the first phase and across it, whose amplitude is that of the
/// phases. A value that all phases have in common is not part of them.
pub(super) fn phasor(phases: [Ex; 3]) -> [Ex; 2] {
    let sum = |direction: fn(f64) -> f64| {
        let parts = phases.iter().enumerate().map(|(k, &value)| direction(axis(k)) * value);
        parts.fold(Ex::zero(), |sum, part| sum + part) * (2.0 / 3.0)
    };
    [sum(f64::cos), sum(f64::sin)]
}

/// The values of the phases whose mean is zero.
pub(super) fn phases([along, across]: [Ex; 2]) -> [Ex; 3] {
    [0, 1, 2].map(|k| axis(k).cos() * along + axis(k).sin() * across)
}

/// The mean of the phases.
pub(super) fn mean(phases: [Ex; 3]) -> Ex {
    (phases[0] + phases[1] + phases[2]) / 3.0
}

/// The components in axes that are turned by an angle.
pub(super) fn turned([along, across]: [Ex; 2], angle: Ex) -> [Ex; 2] {
    let (sin, cos) = (angle.sin(), angle.cos());
    [cos * along + sin * across, cos * across - sin * along]
}

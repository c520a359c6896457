//! The axes of a drive train that is mounted at several frames have the same direction.

use super::moving_parts::MovingParts;
use crate::error::Error;
use crate::ids::VariableId;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::drive_trains::MountedFlange;
use crate::vector::{Vector, cross};
use equations::{Ex, Model};
use std::collections::BTreeSet;

/// Largest difference of unit axes, and largest angular velocity across them per unit of a speed,
/// that count as none.
const TOLERANCE: f64 = 1e-9;

/// Largest difference of unit axes after parameters have changed.
const CHANGE: f64 = 1e-7;

/// Refuses trains whose torques would not balance, because their axes differ or may turn apart.
pub fn check(parts: MovingParts<'_>, numeric: &Numeric, model: &mut Model) -> Result<(), Error> {
    for pair in &parts.structure.drive_trains.parallel {
        let gap: Vec<Ex> = gap(pair, parts).iter().copied().collect();
        let apart = numeric.all(&gap).iter().map(|x| x * x).sum::<f64>().sqrt();
        let names = pair.map(|mounted| parts.structure.names[mounted.component].as_str());
        let complaint = format!(
            "{} and {}: one drive train is mounted at the frames of both",
            names[0], names[1]
        );
        let advice = "give n the same direction in both, or connect the shafts by a BevelGear1D";
        if apart.is_nan() || apart > TOLERANCE {
            return Err(Error::Structure(format!(
                "{complaint}, but the directions of their axes differ by {:.3} rad, so its torques \
                 do not balance: {advice}",
                2.0 * (apart / 2.0).min(1.0).asin()
            )));
        }
        let across = numeric.all(&across(pair, parts));
        if across.iter().any(|x| x.is_nan() || x.abs() > TOLERANCE) {
            return Err(Error::Structure(format!(
                "{complaint}, but these parts turn against each other about another axis, so its \
                 torques do not balance: {advice}"
            )));
        }
        for gap in gap.into_iter().filter(|_| on_one_link(pair, parts)) {
            if model.can_be_set(gap) {
                let complaint = format!("{complaint}, but the directions of their axes differ");
                model.require(&[], gap.abs().le(CHANGE), &complaint);
            }
        }
    }
    Ok(())
}

/// Whether the frames move as one.
fn on_one_link(pair: &[MountedFlange; 2], parts: MovingParts<'_>) -> bool {
    let [a, b] = pair.map(|mounted| mounted.frame.map(|f| parts.frames.placement(f).link));
    a == b
}

/// The axis of a mounted flange, in the axes of the link if both are on one, else of the world.
fn axis(mounted: &MountedFlange, in_world: bool, parts: MovingParts<'_>) -> Vector {
    let Some(frame) = mounted.frame else { return mounted.axis };
    let t =
        if in_world { parts.frames.pose(frame).t } else { parts.frames.placement(frame).pose.t };
    t.transpose() * mounted.axis
}

/// The difference of the axes.
fn gap(pair: &[MountedFlange; 2], parts: MovingParts<'_>) -> Vector {
    let in_world = !on_one_link(pair, parts);
    let [a, b] = pair.map(|mounted| axis(&mounted, in_world, parts));
    a - b
}

/// The components of the parts' relative angular velocities across the axis, for each speed.
fn across(pair: &[MountedFlange; 2], parts: MovingParts<'_>) -> Vec<Ex> {
    let [Some(a), Some(b)] = pair.map(|mounted| mounted.frame) else { return Vec::new() };
    if on_one_link(pair, parts) {
        return Vec::new();
    }
    let numbering = parts.coordinates.numbering();
    let e = axis(&pair[0], true, parts);
    let moving: BTreeSet<VariableId> = parts.frames.moving(&[a, b]);
    let speeds = moving.into_iter().filter(|&v| !numbering.is_violation(v));
    let turns = speeds.flat_map(|v| {
        let [of_a, of_b] = [a, b]
            .map(|frame| parts.frames.pose(frame).t.transpose() * parts.frames.partial(frame, v).w);
        cross(&(of_a - of_b), &e).iter().copied().collect::<Vec<Ex>>()
    });
    turns.collect()
}

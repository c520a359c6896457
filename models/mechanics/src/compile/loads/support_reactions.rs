//! Drive trains on moving parts: flanges whose reaction acts on a frame, rotors whose carrier
//! moves.
//!
//! The reaction of a flange constraint does no virtual work if the flanges move as the constraint
//! prescribes. The constraint relates angles relative to the housing. If the housing is a moving
//! frame, a virtual rotation of this frame changes these angles, and violates the constraint by the
//! part of the rotation that is about the constraint's axis. The equation of motion of each
//! coordinate that turns the frame therefore contains the equation of the violation, inertia
//! included, times this part.

use super::mass_and_forces::MassAndForces;
use super::moving_parts::MovingParts;
use crate::error::Error;
use crate::ids::VariableId;
use crate::statements::contributions::drive_trains::LineReaction;
use crate::statements::motion::ends::FrameEnd;
use crate::statements::motion::frames::FrameMotions;
use crate::vector::{Vector, dot, norm, scale};
use equations::{Ex, select};
use std::collections::BTreeMap;

/// How fast the frames move along their line, by independent speeds and weighted by `shares`.
fn along_line(line: &LineReaction, frames: &FrameMotions) -> BTreeMap<VariableId, Ex> {
    let [a, b] = line.ends.map(|end| frames.pose(end));
    let r = b.r - a.r;
    let length = norm(&r);
    let s = select(length.gt(line.s_small), length, line.s_small);
    let mut along = BTreeMap::new();
    for ((end, pose), share) in line.ends.into_iter().zip([a, b]).zip(line.shares) {
        let place = frames.placement(end);
        let direction = scale(&(pose.t * r), Ex::from(share) / s);
        for (&k, twist) in &frames.partials[place.link] {
            let h = dot(&direction, &twist.at(&place.pose).v);
            if !h.is_constant_zero() {
                *along.entry(k).or_insert_with(Ex::zero) += h;
            }
        }
    }
    along
}

/// How fast a frame turns about a vector of its own, by independent speeds.
pub fn turning(frames: &FrameMotions, frame: FrameEnd, n: &Vector) -> BTreeMap<VariableId, Ex> {
    let place = frames.placement(frame);
    let partials = frames.partials[place.link].iter();
    partials
        .map(|(&k, twist)| (k, dot(n, &(place.pose.t * twist.w))))
        .filter(|(_, h)| !h.is_constant_zero())
        .collect()
}

/// The reactions of supports on frames: virtual motions of frames that violate flange constraints.
/// Each entry is the variable of a violation, and the violation by a unit of each speed. An entry
/// comes after all entries that change its row.
#[derive(Clone, Debug, Default)]
pub struct SupportReactions {
    all: Vec<(VariableId, BTreeMap<VariableId, Ex>)>,
}

impl SupportReactions {
    /// Of all flange constraints that are mounted on frames.
    pub fn new(parts: MovingParts<'_>) -> Result<SupportReactions, Error> {
        let MovingParts { structure, frames, coordinates } = parts;
        let numbering = coordinates.numbering();
        let mut unordered = Vec::new();
        for support in &structure.drive_trains.supports {
            let Some(frame) = support.frame else { continue };
            let turning = turning(frames, frame, &support.n);
            unordered.push((support.component, numbering.violation(support.constraint), turning));
        }
        for line in &structure.drive_trains.lines {
            let moving = along_line(line, frames);
            unordered.push((line.component, numbering.violation(line.constraint), moving));
        }
        let mut all = Vec::new();
        while !unordered.is_empty() {
            let changed =
                |variable: VariableId| unordered.iter().any(|w| w.2.contains_key(&variable));
            let Some(next) = unordered.iter().position(|w| !changed(w.1)) else {
                let names = unordered.iter().map(|w| structure.names[w.0].as_str());
                let names: Vec<&str> = names.collect();
                return Err(Error::Structure(format!(
                    "{}: a drive train moves the frame that has to hold it, so its reaction is not \
                     determined",
                    names.join(", ")
                )));
            };
            let (_, variable, turning) = unordered.remove(next);
            all.push((variable, turning));
        }
        Ok(SupportReactions { all })
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds the reactions of the flange constraints to the rows of the coordinates that move their
    /// frames.
    pub fn react(&self, sums: &mut MassAndForces) {
        for (violation, turning) in &self.all {
            for (&i, &h) in turning {
                sums.add_row(i, *violation, h);
            }
        }
    }

    /// Generalised forces of a torque that acts along a motion of flanges.
    pub fn project(&self, partials: &BTreeMap<VariableId, Ex>) -> BTreeMap<VariableId, Ex> {
        let mut all = partials.clone();
        for (violation, turning) in &self.all {
            let Some(&share) = all.get(violation) else { continue };
            for (&i, &h) in turning {
                *all.entry(i).or_insert_with(Ex::zero) += h * share;
            }
        }
        all
    }
}

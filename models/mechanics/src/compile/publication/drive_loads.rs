//! Torques and forces of prescribed motions: what their drives have to give.
//!
//! With the accelerations known, a drive is given a freedom of its own. What all inertias require
//! along it, less all that acts, is the load of the drive: the principle of virtual power. Only who
//! reads the load looks at it; the equations of motion know nothing of that freedom.

use crate::compile::kinematics::motion::{Moving, partial_velocities, sums};
use crate::compile::kinematics::recursion::Kinematics;
use crate::compile::kinematics::state_variables::BallState;
use crate::compile::laws::evaluation::{Evaluation, Frames};
use crate::compile::loads::mass_matrix::Partials;
use crate::compile::loads::support_reaction::Housings;
use crate::compile::motion::coordinates::{Coordinates, Motion};
use crate::compile::topology::plan::Plan;
use crate::error::Error;
use equations::Ex;
use std::collections::BTreeMap;

/// Motions as they are if drives give way.
pub(crate) struct DriveLoads {
    coordinates: Coordinates,
}

impl DriveLoads {
    /// Takes from the plan's motions what they are if drives give way; `None` without drives.
    pub fn take(plan: &mut Plan) -> Option<DriveLoads> {
        let drives = plan.coordinates.numbering().drives();
        if drives.is_empty() {
            return None;
        }
        let coordinates = plan.coordinates.clone();
        plan.coordinates.change_motions(|motion| {
            motion.partials.retain(|variable, _| !drives.contains(variable));
        });
        Some(DriveLoads { coordinates })
    }

    /// Partial velocities of all links by the variables of drives.
    pub fn partials(&mut self, plan: &Plan, frames: &Frames, balls: &[BallState]) -> Vec<Partials> {
        let numbering = self.coordinates.numbering();
        let all = 0..plan.structure.coordinates.len();
        let motions: Vec<Motion> =
            all.map(|c| self.coordinates.variable(numbering.coordinate(c))).collect();
        let at = Moving { motions: &motions, balls };
        let (structure, tree) = (&plan.structure, &frames.tree);
        let kinematics = Kinematics { structure, tree, at: &at, base: 0 };
        partial_velocities(&kinematics, &frames.poses, &motions, |v| {
            numbering.drives().contains(&v)
        })
    }

    /// Publishes the loads, positive where a drive pushes forward, as far as components have not
    /// done so.
    pub fn publish(mut self, plan: &Plan, e: &mut Evaluation<'_>) -> Result<(), Error> {
        let numbering = self.coordinates.numbering();
        self.coordinates.change_motions(|motion| {
            motion.bias = e.second_derivative(motion);
            motion.partials.retain(|&v, _| numbering.is_given(v));
        });
        let given = |(by_speeds, by_drives): (&Partials, &Partials)| -> Partials {
            let violations = by_speeds.iter().filter(|(v, _)| numbering.is_violation(**v));
            violations.chain(by_drives).map(|(&v, &twist)| (v, twist)).collect()
        };
        let mut partials: Vec<Partials> =
            e.frames.partials.iter().zip(&e.frames.by_drives).map(given).collect();
        let mut branches = BTreeMap::new();
        let mut exchange = |e: &mut Evaluation<'_>| {
            std::mem::swap(e.coordinates, &mut self.coordinates);
            std::mem::swap(&mut e.frames.partials, &mut partials);
            std::mem::swap(&mut e.frames.branches, &mut branches);
        };
        exchange(e);
        let loads = loads(plan, e);
        exchange(e);
        for (relation, load) in loads? {
            let relation = &plan.structure.relations[relation];
            let Some((end, _)) = relation.ends.first() else { continue };
            let word = &plan.structure.flange_ends[end.end].domain.flow;
            e.component = relation.component;
            if !e.is_known(word.local) {
                e.variable(word.local, load).unit(word.unit);
            }
        }
        Ok(())
    }
}

/// The loads of drives by their relations, where accelerations are those of all motions.
fn loads(plan: &Plan, e: &mut Evaluation<'_>) -> Result<Vec<(usize, Ex)>, Error> {
    let mut sums = sums(plan, e);
    for (motion, force) in &e.contact_forces {
        sums.torque(motion, *force);
    }
    Housings::new(plan, e.frames)?.react(&mut sums);
    let numbering = e.coordinates.numbering();
    let relations = plan.structure.relations.iter().enumerate();
    let drives = relations.filter_map(|(r, relation)| Some((r, relation.drive?)));
    Ok(drives.map(|(r, drive)| (r, -sums.force(numbering.drive(drive)))).collect())
}

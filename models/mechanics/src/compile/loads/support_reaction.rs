//! Drive trains on moving parts: flanges whose reaction acts on a frame, rotors whose carrier
//! moves.
//!
//! A relation between flanges does no virtual work if its flanges move as it says. Where its
//! housing is a moving frame, a virtual motion of that frame violates the relation by the rotation
//! along the relation's axis: the row of each coordinate that turns the frame gets that share of
//! the row of the violation, inertia included. The relation itself is one between angles relative
//! to the frame.

use crate::compile::contributions::{FlangeEnd, FrameEnd, Inertial, Structure};
use crate::compile::laws::evaluation::{Evaluation, Frames};
use crate::compile::loads::mass_matrix::Sums;
use crate::compile::motion::coordinates::Motion;
use crate::compile::topology::plan::Plan;
use crate::error::Error;
use crate::vector::{Vector, cross, dot, norm, scale};
use equations::{Ex, select};
use std::collections::BTreeMap;

/// A relation whose housing is a frame.
#[derive(Clone, Copy, Debug)]
pub struct Mount {
    /// The component that states it.
    pub component: usize,
    /// The relation: an index into [`Structure::relations`].
    pub relation: usize,
    /// The frame; `None` where nothing is connected to it.
    pub frame: Option<FrameEnd>,
    /// The part that carries the frame feels the torque `n` times the multiplier of the relation;
    /// in frame axes.
    pub n: Vector,
}

/// A relation between flanges along the line between two frames.
#[derive(Clone, Copy, Debug)]
pub struct LineMount {
    /// The component that states it.
    pub component: usize,
    /// The relation: an index into [`Structure::relations`].
    pub relation: usize,
    /// The frames.
    pub ends: [FrameEnd; 2],
    /// What carries a frame feels so much of the multiplier of the relation as a force, in the
    /// direction from the first frame to the second.
    pub shares: [f64; 2],
    /// The direction is a unit vector from this distance on; m.
    pub s_small: Ex,
}

/// A rotational inertia whose flange turns about an axis of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Rotor {
    /// The component that states it.
    pub component: usize,
    /// The flange; its angle is relative to the frame.
    pub end: FlangeEnd,
    /// The frame; `None` where nothing is connected to it.
    pub frame: Option<FrameEnd>,
    /// The unit axis in frame axes.
    pub axis: Vector,
    /// Moment of inertia in kg.m2.
    pub inertia: Ex,
    /// Whether the rotation of the frame accelerates the rotor.
    pub exact: bool,
}

impl Structure {
    /// Decides between drive trains whose reactions act on frames and plain ones; the latter rotors
    /// are nothing but inertias.
    pub fn settle_drive_trains(&mut self, names: &[String]) -> Result<(), Error> {
        for mount in &self.line_mounts {
            self.relations[mount.relation].reaction = true;
        }
        if self.drive_trains_1d {
            self.mounts.clear();
            let plain = self.rotors.drain(..).map(|r| Inertial { end: r.end, inertia: r.inertia });
            self.inertias.extend(plain);
            return Ok(());
        }
        let mounts = self.mounts.iter().map(|m| (m.component, m.frame));
        let mut all = mounts.chain(self.rotors.iter().map(|r| (r.component, r.frame)));
        if let Some((component, _)) = all.find(|(_, frame)| frame.is_none()) {
            return Err(Error::Connection(format!(
                "{}.frame_a: it is not connected; without a carrier the world must have \
                 driveTrainMechanics3D = false",
                names[component]
            )));
        }
        for mount in &self.mounts {
            self.relations[mount.relation].reaction = true;
        }
        Ok(())
    }

    /// The frames that drive trains and contacts act on.
    pub fn carriers(&self) -> impl Iterator<Item = FrameEnd> + '_ {
        let mounts = self.mounts.iter().filter_map(|mount| mount.frame);
        let rotors = self.rotors.iter().filter_map(|rotor| rotor.frame);
        let on_lines = self.line_mounts.iter().flat_map(|mount| mount.ends);
        mounts.chain(rotors).chain(on_lines).chain(self.contacts.iter().flatten().copied())
    }
}

impl LineMount {
    /// How fast the frames move along their line, by independent speeds and weighted by `shares`.
    fn moving(&self, frames: &Frames) -> BTreeMap<usize, Ex> {
        let [a, b] = self.ends.map(|end| frames.tree.pose(&frames.poses, end.node));
        let r = b.r - a.r;
        let length = norm(&r);
        let s = select(length.gt(self.s_small), length, self.s_small);
        let mut along = BTreeMap::new();
        for ((end, pose), share) in self.ends.into_iter().zip([a, b]).zip(self.shares) {
            let place = &frames.tree.places[&end.node];
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
}

/// How fast a frame turns about a vector of its own, by independent speeds.
fn turning(frames: &Frames, frame: FrameEnd, n: &Vector) -> BTreeMap<usize, Ex> {
    let place = &frames.tree.places[&frame.node];
    let partials = frames.partials[place.link].iter();
    partials
        .map(|(&k, twist)| (k, dot(n, &(place.pose.t * twist.w))))
        .filter(|(_, h)| !h.is_constant_zero())
        .collect()
}

/// Angular velocity of a frame in its own axes.
fn angular_velocity(frames: &Frames, frame: FrameEnd) -> Vector {
    let place = &frames.tree.places[&frame.node];
    place.pose.t * frames.velocities[place.link].w
}

/// Angular acceleration of a frame about an axis of its own, as far as `frames` knows it.
fn angular_acceleration(frames: &Frames, frame: FrameEnd, axis: &Vector) -> Ex {
    let place = &frames.tree.places[&frame.node];
    dot(axis, &(place.pose.t * frames.accelerations[place.link].w))
}

impl Rotor {
    /// Adds the rotor's inertia and what it does to its carrier, which contains the rotor already
    /// as if it were locked.
    fn add(&self, frame: FrameEnd, motion: &Motion, frames: &Frames, sums: &mut Sums) {
        let j = self.inertia;
        sums.inertia(motion, j);
        let along = turning(frames, frame, &self.axis);
        let z = angular_acceleration(frames, frame, &self.axis);
        if self.exact {
            for (&i, &p) in &motion.partials {
                for (&k, &h) in &along {
                    sums.add_directed(i, k, j * (p * h));
                }
                sums.add_force(i, -(j * (p * z)));
            }
        }
        for (&i, &h) in &along {
            for (&k, &other) in along.range(i..) {
                sums.add_mass(i, k, -(j * (h * other)));
            }
            sums.add_force(i, j * (h * z));
        }
        let spin = cross(&angular_velocity(frames, frame), &self.axis) * (j * motion.v);
        for (i, h) in turning(frames, frame, &spin) {
            sums.add_force(i, -h);
        }
    }
}

/// Adds all rotors.
pub(crate) fn rotors(plan: &Plan, evaluation: &mut Evaluation<'_>, sums: &mut Sums) {
    for rotor in &plan.structure.rotors {
        let Some(frame) = rotor.frame else { continue };
        let motion = evaluation.flange(rotor.end);
        rotor.add(frame, &motion, evaluation.frames, sums);
    }
}

/// Kinetic energy of the rotors beyond what their carriers contain.
pub(crate) fn kinetic_energy(plan: &Plan, evaluation: &mut Evaluation<'_>) -> Ex {
    let mut energy = Ex::zero();
    for rotor in &plan.structure.rotors {
        let Some(frame) = rotor.frame else { continue };
        let w = evaluation.flange(rotor.end).v;
        let carried = dot(&rotor.axis, &angular_velocity(evaluation.frames, frame));
        energy += rotor.inertia * w * (w * 0.5 + carried);
    }
    energy
}

/// How that changes if speeds jump: those of links by `twists`, that of a motion by `jump`.
pub(crate) fn kinetic_jump(
    plan: &Plan,
    evaluation: &mut Evaluation<'_>,
    twists: &[crate::compile::contributions::Twist],
    jump: impl Fn(&Motion) -> Ex,
) -> Ex {
    let mut change = Ex::zero();
    for rotor in &plan.structure.rotors {
        let Some(frame) = rotor.frame else { continue };
        let motion = evaluation.flange(rotor.end);
        let place = &evaluation.frames.tree.places[&frame.node];
        let carried = dot(&rotor.axis, &angular_velocity(evaluation.frames, frame));
        let carrier = dot(&rotor.axis, &(place.pose.t * twists[place.link].w));
        let (w, own) = (motion.v, jump(&motion));
        change += rotor.inertia * (own * (w + own * 0.5 + carried + carrier) + w * carrier);
    }
    change
}

/// The torques of the rotors' flanges, into them.
pub(crate) fn flange_torques(plan: &Plan, evaluation: &mut Evaluation<'_>) -> Vec<(FlangeEnd, Ex)> {
    let mut torques = Vec::new();
    for rotor in &plan.structure.rotors {
        let Some(frame) = rotor.frame else { continue };
        let motion = evaluation.flange(rotor.end);
        let mut a = evaluation.second_derivative(&motion);
        if rotor.exact {
            a += angular_acceleration(evaluation.frames, frame, &rotor.axis);
        }
        torques.push((rotor.end, rotor.inertia * a));
    }
    torques
}

/// Virtual motions of frames that violate relations: the variable of the violation, and by how much
/// a unit of each speed violates it. Each one comes after those that change its row.
#[derive(Clone, Debug, Default)]
pub struct Housings {
    all: Vec<(usize, BTreeMap<usize, Ex>)>,
}

impl Housings {
    /// Of all relations that are mounted on frames.
    pub(crate) fn new(plan: &Plan, frames: &Frames) -> Result<Housings, Error> {
        let numbering = plan.coordinates.numbering();
        let mut waiting: Vec<_> = Vec::new();
        for mount in &plan.structure.mounts {
            let Some(frame) = mount.frame else { continue };
            let turning = turning(frames, frame, &mount.n);
            waiting.push((mount.component, numbering.violation(mount.relation), turning));
        }
        for mount in &plan.structure.line_mounts {
            let moving = mount.moving(frames);
            waiting.push((mount.component, numbering.violation(mount.relation), moving));
        }
        let mut all = Vec::new();
        while !waiting.is_empty() {
            let changed = |variable: usize| waiting.iter().any(|w| w.2.contains_key(&variable));
            let Some(next) = waiting.iter().position(|w| !changed(w.1)) else {
                let names: Vec<&str> = waiting.iter().map(|w| plan.names[w.0].as_str()).collect();
                return Err(Error::Structure(format!(
                    "{}: a drive train moves the frame that has to hold it, so its reaction is not \
                     determined",
                    names.join(", ")
                )));
            };
            let (_, variable, turning) = waiting.remove(next);
            all.push((variable, turning));
        }
        Ok(Housings { all })
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds the reactions of the relations to the rows of the coordinates that move their frames.
    pub fn react(&self, sums: &mut Sums) {
        for (violation, turning) in &self.all {
            for (&i, &h) in turning {
                sums.add_row(i, *violation, h);
            }
        }
    }

    /// Generalised forces of a torque that acts along a motion of flanges.
    pub fn project(&self, partials: &BTreeMap<usize, Ex>) -> BTreeMap<usize, Ex> {
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

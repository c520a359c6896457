//! Contributions to contacts and impulses.

use super::Contribution;
use crate::statements::contact::{self, ContactLaw, Geometry};
use crate::statements::motion::ends::FrameEnd;
use crate::statements::spatial::pose::Pose;
use equations::{Bool, Ex};
use std::rc::Rc;

impl Contribution<'_> {
    /// States that impulses, or contact forces, act on two frames.
    pub fn impulse_frames(&mut self, ends: [FrameEnd; 2]) {
        self.structure.multibody.contacts.push(ends);
        self.impulses();
    }

    /// States that impulses act at events.
    pub fn impulses(&mut self) {
        self.structure.impulsive = true;
    }

    /// A contact between two frames, with its geometry as a function of their poses.
    pub fn contact(
        &mut self,
        ends: [FrameEnd; 2],
        law: ContactLaw,
        shape: impl Fn([&Pose; 2]) -> Geometry + 'static,
    ) {
        self.impulse_frames(ends);
        let shape: contact::ContactGeometryLaw = Rc::new(shape);
        self.law(move |e| contact::declare(e, ends, &shape, law));
    }

    /// A contact of surfaces with edges. `inside` gives for each edge the distance of the contact
    /// point from it, positive inside; the passage of an edge is an event. The geometry receives,
    /// for each edge, whether the point is inside.
    pub fn bordered_contact(
        &mut self,
        ends: [FrameEnd; 2],
        law: ContactLaw,
        inside: impl Fn([&Pose; 2]) -> Vec<Ex> + 'static,
        shape: impl Fn([&Pose; 2], &[Bool]) -> Geometry + 'static,
    ) {
        self.impulse_frames(ends);
        self.law(move |e| {
            let poses = ends.map(|end| e.pose(end));
            let name = e.name().to_owned();
            let within = inside([&poses[0], &poses[1]]).into_iter().enumerate().map(|(k, far)| {
                let name = format!("{name}: inside edge {}", k + 1);
                e.model().relation(&name, far).done()
            });
            let within: Vec<Bool> = within.collect();
            let shape: contact::ContactGeometryLaw = Rc::new(move |poses| shape(poses, &within));
            contact::declare(e, ends, &shape, law)
        });
    }
}

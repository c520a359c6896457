//! What a component says about contacts and impulses.

use super::Contribution;
use crate::compile::contact::{self, Geometry, Law};
use crate::compile::structure::{FrameEnd, Pose};
use std::rc::Rc;

impl Contribution<'_> {
    /// Says that impulses, or contact forces, act on two frames.
    pub fn impulse_frames(&mut self, ends: [FrameEnd; 2]) {
        self.structure.contacts.push(ends);
        self.impulses();
    }

    /// Says that impulses act at events.
    pub fn impulses(&mut self) {
        self.structure.impulsive = true;
    }

    /// A contact between two frames, with its geometry as a function of their poses.
    pub fn contact(
        &mut self,
        ends: [FrameEnd; 2],
        law: Law,
        shape: impl Fn([&Pose; 2]) -> Geometry + 'static,
    ) {
        self.impulse_frames(ends);
        let shape: contact::Shape = Rc::new(shape);
        self.law(move |e| contact::declare(e, ends, &shape, law));
    }
}

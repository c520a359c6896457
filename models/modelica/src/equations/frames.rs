//! Frames of components whose texts have equations: position and orientation, which the mechanics
//! gives, and cut force and cut torque, which equations determine.

use super::connectors::FramePort;
use super::ports::Connected;
use super::symbols::Meaning;
use super::system::Equations;
use crate::evaluate::Evaluator;
use crate::instance::{Content, Instance, Variable};
use crate::source::{Checked, Complaint, Complaints, Span};
use std::rc::Rc;

impl Equations {
    /// Declares the flows of a frame.
    pub(super) fn declare_frame(
        &mut self,
        evaluator: &Evaluator<'_>,
        owner: &Rc<Instance>,
        (frame, span): (&Rc<Instance>, &Span),
    ) -> Checked<()> {
        let variable = |name: &str| -> Checked<Option<Rc<Variable>>> {
            let Some(member) = frame.members(evaluator.library)?.get(name) else {
                return Ok(None);
            };
            Ok(match evaluator.content(frame, member)? {
                Content::Variable(variable) => Some(variable),
                _ => None,
            })
        };
        let (Some(f), Some(t)) = (variable("f")?, variable("t")?) else { return Ok(()) };
        if let Some(binding) = variable("r_0")?.and_then(|of| of.modifier.value.clone()) {
            let sentence = "a value for the position of a frame is not supported";
            return Err(Complaint::at(&binding.expression.span, sentence));
        }
        let (name, owner_of) = (frame.name.as_str().into(), Rc::clone(owner));
        let (is_inside, span) = (false, span.clone());
        self.frame_by_name.insert(Rc::clone(&name), self.frames.len());
        self.frames.push(FramePort { name, owner: owner_of, is_inside, span });
        self.declare(evaluator, owner, &f)?;
        self.declare(evaluator, owner, &t)
    }

    /// The frame to which a variable belongs.
    fn frame_of(&self, name: &str) -> Option<usize> {
        let mut dots = name.match_indices('.').map(|(at, _)| at);
        dots.find_map(|at| self.frame_by_name.get(&name[..at]).copied())
    }

    /// Whether a variable is the position or the orientation of a frame.
    pub(super) fn is_of_frame(&self, name: &str) -> bool {
        let local = self.frame_of(name).map(|at| &name[self.frames[at].name.len() + 1..]);
        local.is_some_and(|local| {
            ["r_0[", "R.T[", "R.w["].iter().any(|prefix| local.starts_with(prefix))
        })
    }

    /// Whether a variable is an element of a force or torque of a frame.
    pub(super) fn is_flow_of_frame(&self, name: &str) -> bool {
        let local = self.frame_of(name).map(|at| &name[self.frames[at].name.len() + 1..]);
        local.is_some_and(|local| local.starts_with("f[") || local.starts_with("t["))
    }

    /// The complaint that no equation determines an element of a force or torque of a frame.
    pub(super) fn undetermined_flow(&self, name: &str) -> Option<Complaint> {
        let frame = &self.frames[self.frame_of(name).filter(|_| self.is_flow_of_frame(name))?];
        let (whole, _) = name.split_once('[')?;
        let sentence = format!(
            "no equation determines {whole}: a law for {} states its force and its torque, also \
             where one of them is zero",
            frame.name
        );
        Some(Complaint::at(&frame.span, sentence))
    }

    /// Whether equations name a variable of a frame.
    pub(super) fn has_frame(&self, name: &str) -> bool {
        self.frame_by_name.get(name).is_some_and(|at| {
            let frame = &self.frames[*at];
            self.has_flows(frame) || !frame.potentials(&self.symbols).is_empty()
        })
    }

    fn has_flows(&self, frame: &FramePort) -> bool {
        frame.flows().iter().flatten().any(|flow| self.symbols.variable(flow).is_some())
    }

    /// Decides on which side of their components frames are connected, and lets equations determine
    /// all flows of those that they name.
    pub(super) fn check_frames(&mut self, connected: &Connected<'_>) -> Result<(), Complaints> {
        let mut complaints = Vec::new();
        for at in 0..self.frames.len() {
            let FramePort { name, owner, span, .. } = &self.frames[at];
            let [inside, outside] = (connected.faces)(name);
            let has_flows = self.has_flows(&self.frames[at]);
            if has_flows && inside && outside {
                let sentence = format!(
                    "the force and the torque of {name} are those of a connection, because it is \
                     connected inside of its component too; a sensor measures them"
                );
                complaints.push(Complaint::at(span, sentence));
            }
            let is_used = outside || self.has_frame(name);
            if has_flows || is_used && !inside && !owner.name.is_empty() {
                for flow in self.frames[at].flows().iter().flatten() {
                    let declared = self.by_name.get(&**flow);
                    let declared = declared.map(|at| &self.unknowns[*at].variable);
                    let meaning = Meaning::Variable(flow.as_str().into());
                    self.symbols.number(meaning, declared, span);
                }
            }
            self.frames[at].is_inside = inside && !outside;
        }
        for (name, message, span) in &self.connections_needed {
            if !(connected.faces)(name).into_iter().any(|side| side) {
                complaints.push(Complaint::at(span, format!("{name}: {message}")));
            }
        }
        if complaints.is_empty() { Ok(()) } else { Err(complaints) }
    }
}

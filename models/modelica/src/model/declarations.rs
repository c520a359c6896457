//! The places where the components of a model are declared, for mistakes that only its equations
//! show.

use crate::source::{Complaint, Complaints, Span};
use std::collections::HashMap;

/// The places of the declarations of components and variables, by their names in the model.
#[derive(Debug, Default)]
pub struct Declarations(HashMap<String, Span>);

impl Declarations {
    /// Adds the declaration of a component or of a variable.
    pub(super) fn add(&mut self, name: String, place: &Span) {
        self.0.insert(name, place.clone());
    }

    /// A mistake that the equations of the model show, at the declaration of what it names first.
    /// Its sentence begins with names: `a.phi, b.phi: ...`.
    pub fn complaint(&self, sentence: &str) -> Complaint {
        let names = match sentence.split_once(": ") {
            Some((names, _)) => names,
            None => sentence.split(' ').next().unwrap_or_default(),
        };
        let span = names.split([' ', ',']).find_map(|name| self.place_of(name)).cloned();
        Complaint { span, sentence: sentence.to_owned() }
    }

    /// Complaints with their places, if the equations know none.
    pub(super) fn placed(&self, complaints: Complaints) -> Complaints {
        let placed = |complaint: Complaint| match complaint.span {
            Some(_) => complaint,
            None => self.complaint(&complaint.sentence),
        };
        complaints.into_iter().map(placed).collect()
    }

    /// The place at which the model declares a component, or the one that contains it.
    pub(super) fn use_of(&self, name: &str) -> Option<&Span> {
        let ends = name.match_indices(['.', '[']).map(|(at, _)| at).chain([name.len()]);
        ends.into_iter().find_map(|end| self.0.get(&name[..end]))
    }

    /// The place of what has this name, or of the component around it: `drive.motor` is that of
    /// `drive.motor.flange_a.phi`.
    fn place_of(&self, name: &str) -> Option<&Span> {
        let mut names =
            std::iter::successors(Some(name), |name| Some(&name[..name.rfind(['.', '['])?]));
        names.find_map(|name| self.0.get(name))
    }
}

//! Initial conditions that signals give to a flange.

use crate::component::Contribution;
use crate::domain::Domain;

/// How the inputs and variables of a component that initializes a flange are called.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// Inputs: position, speed and acceleration at the start.
    pub start: [&'static str; 3],
    /// Variables: position and speed of the flange.
    pub flange: [&'static str; 2],
}

/// Gives `flange` the initial position, speed and acceleration that are connected.
pub fn flange(c: &mut Contribution<'_>, domain: &'static Domain, names: Names) {
    let flange = c.flange(domain, "flange");
    for (order, input) in names.start.into_iter().enumerate() {
        c.unit_of(input, domain.motion()[order].unit);
        if let Some(source) = c.optional_input(input) {
            c.initial_condition(flange, order, move |e| e.read(source));
        }
    }
    c.law(move |e| {
        let motion = e.flange(flange);
        let words = [(&domain.position, motion.q), (&domain.speed, motion.v)];
        for (local, (word, value)) in names.flange.into_iter().zip(words) {
            e.variable(local, value).unit(word.unit).describe(word.describe);
        }
        Ok(())
    });
}

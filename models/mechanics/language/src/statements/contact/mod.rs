//! Contacts between frames: the rows along which they act (`contact_rows`), their part in impacts,
//! and the elements that keep a contact closed (`closed_contact`).
//!
//! A contact is open, touches, or is kept closed. A contact that touches and approaches is active
//! in an impact (`dynamics::impacts`). A contact that has touched without a speed along its normal
//! is kept closed. A closed contact either presses, with a constant gap, or is unloaded, and its
//! frames separate. A pressing contact sticks or slides.

mod closed_contact;
#[doc(hidden)]
pub mod contact_law;
mod contact_rows;
#[doc(hidden)]
pub mod delayed_impact_friction;

pub use contact_law::{ContactFriction, ContactLaw};
pub use contact_rows::{ContactGeometryLaw, ContactRows, Geometry};

use crate::error::Error;
use crate::statements::contact::delayed_impact_friction::DelayedFriction;
use crate::statements::laws::acceleration_view::{AccelerationView, ContactForce};
use crate::statements::laws::friction_element::FrictionState;
use crate::statements::laws::impulse_rows::{ContactState, ImpulseRows};
use crate::statements::laws::signal_view::SignalView;
use crate::statements::laws::velocity_view::VelocityView;
use crate::statements::motion::ends::FrameEnd;
use closed_contact::ClosedContact;
use contact_law::{ContactConditions, NO_SPEED};
use equations::{Bool, DeclaredRelation, DiscreteVariable, Ex, Model, select};
use std::ops::Range;

/// Frames touch from this gap on; m.
const TOUCHING: f64 = 1e-9;

/// Declares a contact: its part in the equations of motion, in impacts, and its variables.
///
/// # Errors
/// If no impulse can move either frame.
pub fn declare(
    e: &mut VelocityView<'_>,
    ends: [FrameEnd; 2],
    shape: &ContactGeometryLaw,
    law: ContactLaw,
) -> Result<(), Error> {
    let tangents = !matches!(law.friction, ContactFriction::None);
    let rows = ContactRows::new(e, ends, shape, tangents);
    let numbering = e.coordinates().numbering();
    if rows.motions[0].partials.keys().all(|&v| numbering.is_given(v)) {
        let why = "both of its frames rest or move as prescribed, so that nothing can give way";
        return Err(Error::Connection(format!("{}: {why}", e.name())));
    }
    let modes = ContactModes::declare(e, &law);
    let conditions = modes.conditions(e.model(), &rows, &law);
    let elements = match &modes.closed {
        Some(closed) => closed.elements(e, &rows, &law),
        None => Vec::new(),
    };
    let numbers = e.add_rows(&rows.motions);
    e.later(move |e| {
        let states: Vec<FrictionState> =
            elements.iter().map(|&element| e.friction_state(element)).collect();
        modes.decide(e, &rows, numbers, &law, conditions, &states);
        Ok(())
    });
    Ok(())
}

/// The discrete part of a contact.
#[derive(Clone, Debug)]
struct ContactModes {
    touches: DeclaredRelation,
    approaches: DeclaredRelation,
    closed: Option<ClosedContact>,
    impacts: DiscreteVariable,
    impulse: Vec<DiscreteVariable>,
}

impl ContactModes {
    fn declare(e: &mut SignalView<'_>, law: &ContactLaw) -> ContactModes {
        let name = e.name().to_owned();
        let full = |local: &str| format!("{name}.{local}");
        let model = e.model();
        let touches = model.declare_relation(&format!("{name}: frames touch"));
        let approaches = model.declare_relation(&format!("{name}: frames approach"));
        let closed = law.rests.then(|| ClosedContact::declare(e, law));
        let model = e.model();
        let impacts = model.discrete(&full("impacts"), 0.0).integer().as_output().done();
        let components = if law.friction.coulomb().is_some() { 3 } else { 1 };
        let impulse = (0..components).map(|k| {
            let local = if k == 0 { "impulse".to_owned() } else { format!("impulse_t[{k}]") };
            model.discrete(&full(&local), 0.0).as_output().done()
        });
        let impulse = impulse.collect();
        ContactModes { touches, approaches, closed, impacts, impulse }
    }

    /// Declares whether the frames touch and approach each other.
    fn conditions(
        &self,
        model: &mut Model,
        rows: &ContactRows,
        law: &ContactLaw,
    ) -> ContactConditions {
        let gap = &rows.motions[0];
        let no_speed = law.v_small * NO_SPEED;
        let never = Bool::constant(false);
        let kept = self.closed.as_ref().map_or(never, |closed| closed.kept.pre_bool());
        model.define_relation(self.touches, TOUCHING - gap.q, !kept);
        let touches_open = self.touches.truth() & !kept;
        model.define_relation(self.approaches, -gap.v - no_speed, touches_open);
        let holds = self.closed.as_ref().map_or(never, |closed| closed.holds(model, rows, law));
        // By a relation while the contact is open, by the speed while it is kept closed.
        let approaches = (touches_open & self.approaches.truth()) | (holds & gap.v.lt(-no_speed));
        ContactConditions { touches_open, touches: touches_open | holds, approaches }
    }

    /// With the accelerations: relations, the next modes, the part in impacts, variables.
    fn decide(
        &self,
        e: &mut AccelerationView<'_>,
        rows: &ContactRows,
        numbers: Range<usize>,
        law: &ContactLaw,
        conditions: ContactConditions,
        states: &[FrictionState],
    ) {
        let gap = &rows.motions[0];
        let initial = e.model().initial();
        let impact = ContactState {
            touches: conditions.touches & !initial,
            separates: gap.v.gt(law.v_small * NO_SPEED),
            approaches: conditions.approaches & !initial,
            elasticity: law.elasticity,
            friction: law.friction.coulomb(),
            v_small: if law.rests { law.v_small } else { Ex::zero() },
        };
        if let Some(closed) = &self.closed {
            closed.decide(e, rows, law, conditions, states);
        }
        let forces = rows.motions.iter().cloned().zip(states);
        let forces = forces.map(|(row, state)| ContactForce { row, force: -state.tau });
        e.contact_forces.extend(forces);
        self.publish(e, rows, law, states);
        let delayed = match law.friction {
            ContactFriction::Delayed { mu, duration, small } => {
                let delayed = DelayedFriction::declare(e, [mu, duration, small]);
                delayed.act(e, rows, numbers.clone(), self.impulse[0].pre());
                Some(delayed)
            }
            ContactFriction::None | ContactFriction::Coulomb { .. } => None,
        };
        let (impacts, impulse) = (self.impacts, self.impulse.clone());
        let component = e.component;
        e.add_impulses(ImpulseRows {
            component,
            rows: numbers.start..numbers.start + impulse.len(),
            contact: Some(impact),
            known: None,
            source: false,
            done: Box::new(move |model, outcome| {
                let hit = outcome.active & outcome.p[0].gt(0.0);
                model.update(impacts, impacts.pre() + select(hit, 1.0, 0.0));
                for (&discrete, &p) in impulse.iter().zip(&outcome.p) {
                    model.update(discrete, select(hit, p, discrete.pre()));
                }
                if let Some(delayed) = delayed {
                    delayed.begin(model, hit);
                }
            }),
        });
    }

    fn publish(
        &self,
        e: &mut SignalView<'_>,
        rows: &ContactRows,
        law: &ContactLaw,
        states: &[FrictionState],
    ) {
        e.define("impacts", self.impacts.pre());
        e.define("impulse", self.impulse[0].pre());
        e.offer("gap", rows.geometry.gap);
        e.offer("v_n", rows.motions[0].v);
        if let Some(closed) = &self.closed {
            closed.publish(e, rows, law, states);
        }
    }
}

//! The view of laws on positions and speeds: beyond every other view, they can state friction
//! elements and impulse rows, and postpone a part of themselves until accelerations are known.

use super::acceleration_view::AccelerationLaw;
use super::friction_element::Friction;
use super::signal_view::SignalView;
use crate::error::Error;
use crate::ids::{ComponentId, FrictionId, List};
use crate::statements::motion::coordinates::Motion;
use equations::{Bool, Ex, select};
use std::ops::{Deref, DerefMut, Range};

/// A law on positions and speeds: run once, when these are known.
pub type VelocityLaw = Box<dyn FnOnce(&mut VelocityView<'_>) -> Result<(), Error>>;

/// How fast a stuck element comes to rest while its initial speed is sought, in 1/s. It is so small
/// that a condition prefers a start value with another influence.
const RATE_OF_REST: f64 = 1e-4;

/// The view of a law on positions and speeds: a [`SignalView`].
///
/// Accelerations, reactions and the states of friction elements are not known yet, so that this
/// does not compile:
///
/// ```compile_fail,E0599
/// # use mechanics::statements::laws::velocity_view::VelocityView;
/// # use mechanics::statements::motion::coordinates::Motion;
/// fn law(e: &mut VelocityView<'_>, motion: &Motion) {
///     e.second_derivative(motion);
/// }
/// ```
///
/// ```
/// # use mechanics::statements::laws::velocity_view::VelocityView;
/// # use mechanics::statements::motion::coordinates::Motion;
/// fn law(e: &mut VelocityView<'_>, motion: Motion) {
///     e.later(move |e| {
///         e.second_derivative(&motion);
///         Ok(())
///     });
/// }
/// ```
pub struct VelocityView<'a> {
    evaluation: SignalView<'a>,
    statements: Statements,
}

/// The statements of laws on positions and speeds.
#[derive(Default)]
pub struct Statements {
    /// Friction elements.
    pub friction: List<FrictionId, Friction>,
    /// Rows along which impulses may act.
    pub rows: Vec<Motion>,
    /// Laws that need accelerations, with their components.
    #[doc(hidden)]
    pub later: Vec<(ComponentId, AccelerationLaw)>,
}

impl<'a> Deref for VelocityView<'a> {
    type Target = SignalView<'a>;

    fn deref(&self) -> &SignalView<'a> {
        &self.evaluation
    }
}

impl<'a> DerefMut for VelocityView<'a> {
    fn deref_mut(&mut self) -> &mut SignalView<'a> {
        &mut self.evaluation
    }
}

impl<'a> VelocityView<'a> {
    /// Evaluates laws in their order, each with its component; returns their statements.
    #[doc(hidden)]
    pub fn evaluate(
        evaluation: SignalView<'a>,
        laws: Vec<(ComponentId, VelocityLaw)>,
    ) -> Result<(SignalView<'a>, Statements), Error> {
        let mut view = VelocityView { evaluation, statements: Statements::default() };
        for (component, law) in laws {
            view.component = component;
            law(&mut view)?;
        }
        Ok((view.evaluation, view.statements))
    }

    /// Postpones a part of the law until accelerations are known.
    pub fn later(
        &mut self,
        law: impl FnOnce(&mut super::acceleration_view::AccelerationView<'_>) -> Result<(), Error>
        + 'static,
    ) {
        self.statements.later.push((self.evaluation.component, Box::new(law)));
    }

    /// The negative relative acceleration of a stuck element while its initial speed is sought. It
    /// makes the speed zero, which a zero acceleration would not imply.
    pub fn comes_to_rest(&mut self, locked: Bool, speed: Ex) -> Ex {
        match self.searches_start() {
            true => select(self.evaluation.model.initial() & locked, speed * RATE_OF_REST, 0.0),
            false => Ex::zero(),
        }
    }

    /// Adds a friction element; returns its number.
    pub fn add_friction(&mut self, friction: Friction) -> FrictionId {
        self.statements.friction.push(friction)
    }

    /// Adds rows along which impulses may act at events; returns their numbers.
    pub fn add_rows(&mut self, rows: &[Motion]) -> Range<usize> {
        let first = self.statements.rows.len();
        self.statements.rows.extend_from_slice(rows);
        first..self.statements.rows.len()
    }
}

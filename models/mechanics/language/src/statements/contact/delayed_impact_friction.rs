//! Delayed friction of an impact, as in MultiBondLib: an impulse at half the contact's duration
//! after the impact, and a correction at its end.
//!
//! The impulse is `mu` times that of the impact, opposite to the relative velocity; only its part
//! along the surfaces acts. Where it has reversed components of the velocity in world axes, the
//! correction stops the sliding in the direction of these components.

use super::contact_rows::ContactRows;
use crate::statements::laws::impulse_rows::{ImpulseOutcome, ImpulseRows};
use crate::statements::laws::signal_view::SignalView;
use crate::vector::{Vector, X, constant, dot, norm, scale};
use equations::{Bool, DiscreteVariable, Ex, Model, select};
use std::ops::Range;

/// What is waited for.
const NOTHING: f64 = 0.0;
const FRICTION: f64 = 1.0;
const CORRECTION: f64 = 2.0;

/// The discrete variables of delayed friction.
#[derive(Clone, Copy, Debug)]
pub struct DelayedFriction {
    mu: Ex,
    small: Ex,
    awaited: DiscreteVariable,
    /// The instant of the impact.
    impact: DiscreteVariable,
    /// Half of the velocity that the friction reversed, in world axes.
    reversed: [DiscreteVariable; 3],
    friction: Bool,
    correction: Bool,
}

impl DelayedFriction {
    /// With the coefficient of friction, the duration in s, and a small speed in m/s.
    pub fn declare(e: &mut SignalView<'_>, [mu, duration, small]: [Ex; 3]) -> DelayedFriction {
        let names = ["stage", "impactTime", "VF[1]", "VF[2]", "VF[3]"].map(|local| e.full(local));
        let model = e.model();
        let awaited = model.discrete(&names[0], NOTHING).integer().done();
        let impact = model.discrete(&names[1], 0.0).done();
        let reversed = [2, 3, 4].map(|k| model.discrete(&names[k], 0.0).done());
        let mut due = |stage: f64, name: &str, after: Ex| {
            let awaits = awaited.pre().equals(stage);
            let instant = select(awaits, impact.pre() + after, f64::INFINITY);
            awaits & model.time_relation(name, instant)
        };
        let friction = due(FRICTION, "time of the friction impulse", duration * 0.5);
        let correction = due(CORRECTION, "time of the correction", duration);
        DelayedFriction { mu, small, awaited, impact, reversed, friction, correction }
    }

    /// The impulses of delayed friction; `normal` is that of the impact.
    pub fn act(
        self,
        e: &mut SignalView<'_>,
        rows: &ContactRows,
        numbers: Range<usize>,
        normal: Ex,
    ) {
        let (component, directions) = (e.component, rows.directions.clone());
        let world = rows.clone();
        e.add_impulses(ImpulseRows {
            component,
            rows: numbers.clone(),
            contact: None,
            source: false,
            known: Some(Box::new(move |_, v| {
                let size = v.iter().map(|v| v.square()).sum::<Ex>().sqrt();
                let per_size = select(size.gt(0.0), 1.0 / size, 0.0);
                let friction = |k: usize| match k {
                    0 => Ex::zero(),
                    _ => -(self.mu * normal * v[k] * per_size),
                };
                (self.friction, (0..v.len()).map(friction).collect())
            })),
            done: Box::new(move |model, outcome| {
                let reversed = reversed(&world, &outcome);
                for (discrete, reversed) in self.reversed.into_iter().zip(reversed.iter()) {
                    model.update(discrete, select(self.friction, *reversed, discrete.pre()));
                }
            }),
        });
        let velocity = Vector::from(self.reversed.map(DiscreteVariable::pre));
        e.add_impulses(ImpulseRows {
            component,
            rows: numbers,
            contact: None,
            source: false,
            known: Some(Box::new(move |w, v| {
                let size = norm(&velocity);
                let axis = velocity.zip_map(&constant(X), |component, x| {
                    select(size.lt(self.small), x, component / size)
                });
                let along: Vec<Ex> = directions.iter().map(|d| dot(d, &axis)).collect();
                let weighted =
                    |row: &Vec<Ex>| -> Ex { row.iter().zip(&along).map(|(&w, &a)| w * a).sum() };
                let inertia: Ex = w.iter().zip(&along).map(|(row, &a)| a * weighted(row)).sum();
                let speed: Ex = v.iter().zip(&along).map(|(&v, &a)| v * a).sum();
                let p = 2.0 * (size - speed) / inertia;
                let acts = self.correction & size.gt(0.0);
                (acts, along.into_iter().map(|a| p * a).collect())
            })),
            done: Box::new(|_, _| {}),
        });
    }

    /// What follows an impact.
    pub fn begin(self, model: &mut Model, hit: Bool) {
        let next = select(self.friction, CORRECTION, self.awaited.pre());
        let next = select(self.correction, NOTHING, next);
        model.update(self.awaited, select(hit, FRICTION, next));
        let time = model.time();
        model.update(self.impact, select(hit, time, self.impact.pre()));
    }
}

/// Half of each component of the velocity that an impulse reversed.
fn reversed(rows: &ContactRows, outcome: &ImpulseOutcome) -> Vector {
    let before = rows.vector(&outcome.before);
    let mean = before + scale(&rows.vector(&outcome.change), Ex::from(0.5));
    before.zip_map(&mean, |before, mean| {
        let goes_on = (before.sign() * mean).ge(before.abs() * 0.5);
        select(goes_on, 0.0, mean - before * 0.5)
    })
}

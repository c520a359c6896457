//! Impulses of simultaneous contact impacts, as expressions.

use std::sync::Arc;

use crate::fold;
use crate::graph::{self, Contact, Id, Node, Pass};
use crate::ops::{Bool, Ex};
use crate::solve::outputs;

/// A contact in a pass of impacts.
#[derive(Clone, Copy, Debug)]
pub struct ContactImpact {
    /// Whether the contact takes part: its points touch and approach each other.
    pub active: Bool,
    /// Coefficient of restitution, from 0 (plastic) to 1 (elastic).
    pub restitution: Ex,
    /// Coefficient of friction; without it the contact is smooth.
    pub friction: Option<Ex>,
}

/// Impulses of all rows in one pass of impacts, zero for contacts that are not active.
///
/// A contact has a normal row, positive where its points separate, and with friction two more,
/// along orthogonal tangents. `w` contains the changes of velocities per impulse (in 1/kg); it is
/// symmetric and semidefinite, and only its upper triangle is read. `v` are the velocities before
/// the impact (in m/s), and impulses are in N.s. Rows of contacts that are not active are not read.
///
/// # Equations
/// With `v⁺ = v + W p`: normal impulses `p ≥ 0`, `v⁺ + e min(v, 0) ≥ 0`, complementary; then
/// tangential impulses in the discs `|p_t| ≤ μ p_n` that leave the least energy.
///
/// Impulses are for event equations: they are piecewise smooth and have no derivative as
/// expressions. [`crate::differentiate`] panics if they depend on its direction.
///
/// # Panics
/// If the sizes do not match.
///
/// # Reference
/// `kernels::impact`.
pub fn impulses(w: &[Vec<Ex>], v: &[Ex], contacts: &[ContactImpact]) -> Vec<Ex> {
    let rows = |contact: &ContactImpact| if contact.friction.is_some() { 3 } else { 1 };
    let n = v.len();
    assert_eq!(contacts.iter().map(rows).sum::<usize>(), n, "rows of contacts and velocities");
    assert!(w.len() == n && w.iter().all(|row| row.len() == n), "the matrix has all rows");
    let mut candidates = Vec::new();
    let mut part = Vec::new();
    let mut first = 0;
    for contact in contacts {
        if fold::truth_value(contact.active.0) != Some(false) {
            part.extend(first..first + rows(contact));
            candidates.push(Contact {
                active: contact.active.0,
                restitution: contact.restitution.0,
                friction: contact.friction.map(|friction| friction.0),
            });
        }
        first += rows(contact);
    }
    let mut impulses = vec![Ex::zero(); n];
    if part.is_empty() {
        return impulses;
    }
    let matrix: Arc<[Id]> =
        part.iter().flat_map(|&i| part.iter().map(move |&j| w[i.min(j)][i.max(j)].0)).collect();
    let before: Arc<[Id]> = part.iter().map(|&i| v[i].0).collect();
    let pass = Pass { w: matrix, v: before, contacts: candidates.into() };
    let call = graph::intern(Node::Impulses(Arc::new(pass)));
    for (&row, impulse) in part.iter().zip(outputs(call, part.len())) {
        impulses[row] = impulse;
    }
    impulses
}

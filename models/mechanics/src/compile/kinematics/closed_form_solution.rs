//! Positions of loops during the motion in closed form.
//!
//! The solution continues that at the last accepted point, the anchor: on the same branch, and with
//! angles in the same turn.

use super::block_closed_form::BlockClosedForm;
use super::followed::{Followed, Kind};
use super::loop_limits::{LoopSystem, is_large_enough, keeps_sign, limited};
use super::newton_solution::{initial_values, set_anchors};
use crate::compile::build_context::BuildContext;
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::loop_structure::LoopBlock;
use equations::{Anchor, Bool, ClosedFormBlock, Ex, Slopes, depends_on, substitute};

/// The dependent coordinates of a block as functions of the others, whose values are in `by`.
pub fn solve(
    basis: MotionBasis<'_>,
    block: &LoopBlock,
    closed_form: &BlockClosedForm,
    by: &[(Ex, Ex)],
    build: &mut BuildContext<'_>,
) -> Vec<Ex> {
    let system = LoopSystem::new(basis.topology, block, by);
    let kinds: Vec<Kind> = closed_form.turns().into_iter().map(Kind::of).collect();
    let start = initial_values(basis, block);
    let stored_at_start: Vec<Ex> =
        kinds.iter().zip(&start).flat_map(|(kind, &q)| kind.stored_at(q)).collect();
    let sign_at_start = substitute(&[system.determinant()], &at(&system, &start))[0].sign();
    let (mut solution, mut last_sign) = (Vec::new(), Ex::zero());
    let numeric = &build.numeric;
    let solve = |anchor: &Anchor| {
        let last = Kind::read(&kinds, &anchor.solution);
        let now = continued(&kinds, &last, closed_form, anchor.sign, by);
        let values: Vec<Ex> = now.iter().map(Followed::value).collect();
        let slopes = system.slopes(&values);
        let ratios = slopes.by_other.concat();
        let [determinant, on_tangent] = determinants(
            &system,
            closed_form,
            anchor,
            [&values, &on_tangent(&system, anchor, &last)],
            by,
        );
        let regular = limited(near(&system, anchor, &last, &now), anchor)
            & system.is_far_from_dead_points(numeric, &ratios, Ex::one())
            & is_large_enough(numeric, closed_form.discriminant(), by)
            & keeps_sign(determinant, anchor.determinant)
            & keeps_sign(on_tangent, anchor.determinant);
        let stored = now.iter().flat_map(Followed::stored).collect();
        (solution, last_sign) = (now, anchor.sign);
        ClosedFormBlock { stored, regular, slopes: Slopes { determinant, ..slopes } }
    };
    let initial = (&stored_at_start[..], sign_at_start);
    let ((kind, name), unknowns) = (system.name(), system.unknowns.len());
    let sign =
        build.model.closed_form_block((kind, &name), unknowns, initial, &system.others(), solve);
    set_anchors(&[&stored_at_start[..], &[sign_at_start]].concat(), build);
    solution.iter().map(|unknown| unknown.checked(sign, last_sign).value()).collect()
}

/// The symbols of the unknowns with their values.
fn at(system: &LoopSystem<'_>, values: &[Ex]) -> Vec<(Ex, Ex)> {
    system.unknowns.iter().copied().zip(values.iter().copied()).collect()
}

/// The solution on the branch with this sign; the last one where the sign is not known yet, while
/// initial values are determined.
fn continued(
    kinds: &[Kind],
    last: &[Followed],
    closed_form: &BlockClosedForm,
    sign: Ex,
    by: &[(Ex, Ex)],
) -> Vec<Followed> {
    let values = closed_form.chosen(sign);
    let unknowns = kinds.iter().zip(last).zip(values);
    unknowns
        .map(|((kind, last), value)| {
            let now = kind.continued(value, last, by);
            if depends_on(&[value], sign) { now.or(last, sign.equals(0.0)) } else { now }
        })
        .collect()
}

/// Whether no angle has moved too far for its turn to be known.
fn near(system: &LoopSystem<'_>, anchor: &Anchor, last: &[Followed], now: &[Followed]) -> Bool {
    let moved = |i: usize| now[i].moved_from(&last[i]);
    system.is_near(anchor, &moved, &|i| now[i].is_near(&last[i]))
}

/// The unknowns on the tangent at the anchor. Their error is of second order in the distance; so is
/// that of the first two terms of sine and cosine.
fn on_tangent(system: &LoopSystem<'_>, anchor: &Anchor, last: &[Followed]) -> Vec<Ex> {
    let moves = anchor.moves(&system.others());
    last.iter().zip(moves).map(|(last, by)| last.on_tangent(by).value()).collect()
}

/// The determinant at the solution and on the tangent, up to a positive constant factor.
fn determinants(
    system: &LoopSystem<'_>,
    closed_form: &BlockClosedForm,
    anchor: &Anchor,
    [solution, on_tangent]: [&[Ex]; 2],
    by: &[(Ex, Ex)],
) -> [Ex; 2] {
    match closed_form.determinants(anchor.sign, on_tangent) {
        Some(both) => both.map(|determinant| substitute(&[determinant], by)[0]),
        None => [solution, on_tangent]
            .map(|values| substitute(&[system.determinant()], &at(system, values))[0]),
    }
}

//! Free loops near change points, where their equations become dependent.
//!
//! There the direction in which a loop can move does not follow from the equations at one point,
//! but the direction is smooth along the motion. The direction and its derivative are interpolated
//! between four points on the way. A loop that only comes near to a change point turns there. Its
//! direction then differs from the interpolated direction, and follows from the equations.

use super::loop_place::LoopPlace;
use super::projection::{Projection, scaled};
use crate::compile::topology::loop_equations::LoopEquations;
use crate::compile::topology::loop_structure::FreeLoop;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::motion::coordinates::{Coordinates, Motion};
use equations::{Bool, Ex, Factor, select, while_regular};

/// A loop is near a change point, or at it, if a combination of its scaled equations changes by
/// less than this with any motion of the coordinates, in rad or lengths of the largest lever arm:
/// rounding errors of directions are 1e-10, or the equations determine nothing.
const NEAR: f64 = 1e-3;
const AT: f64 = 1e-5;

/// The size of rounding errors in the matrix of squares of such changes, added to the squares to
/// keep the matrix regular.
const ROUNDING: f64 = 1e-14;

/// A vector that is shorter counts as zero.
const SHORTEST: f64 = 1e-150;

/// The distance of the points in between in rad, or in lengths of the largest lever arm.
const APART: f64 = 1e-2;

/// The largest difference of the direction from the interpolated one, on the way through a change
/// point.
const SMOOTH: f64 = 1e-5;

/// The largest curvature, per rad or length of the largest lever arm, and the largest difference of
/// the directions on both sides that follows from it. A loop that misses a change point turns more
/// sharply there.
const SHARPEST: f64 = 10.0;
const STRAIGHT: f64 = 2.0 * APART * SHARPEST;

/// The motions of the coordinates of a loop that can come near to change points, and where it is.
pub fn motions(
    (loops, group): (&LoopEquations, &FreeLoop),
    (before, v): (&LoopPlace, &[Ex]),
    coordinates: &Coordinates,
    numeric: &Numeric,
) -> (Vec<Motion>, LoopPlace) {
    let at = before.positions((loops, group), coordinates);
    let closeness = closeness(&scaled(&loops.jacobian, group, &at));
    let [near, at] = [NEAR, AT].map(|limit| closeness.le(limit * limit));
    let name = loops.block_name(&group.block());
    let direction = unit(&per_nominal(v, &group.nominals));
    let shifted = |by: Ex| {
        let shift = direction.iter().zip(&group.nominals).map(|(&d, &nominal)| d * by * nominal);
        let place = before.moved(group, &shift.collect::<Vec<Ex>>());
        Projection::new((loops, group), (&place, v), coordinates, numeric)
    };
    if group.freedoms.len() > 1 || group.is_driven(loops) {
        let projection = shifted(Ex::zero());
        let motions = projection.motions(coordinates);
        return keep(&name, motions, &projection.place, !at);
    }
    let here = shifted(select(at, APART, 0.0));
    let mut motions = here.motions(coordinates);
    let near = near & (at | curvature(&motions, &group.nominals).le(SHARPEST));
    let along = |projection: &Projection<'_>| tangent(projection, &direction);
    let [back2, back1, on1, on2] =
        [-2.0, -1.0, 1.0, 2.0].map(|k| along(&shifted(select(near, k * APART, 0.0))));
    let path = Path::through([&back2, &back1, &on1, &on2]);
    let bends = distance(&along(&here), &path.direction).le(SMOOTH);
    let smooth = near & ((at & distance(&on1, &back1).le(STRAIGHT)) | (!at & bends));
    path.follow(&mut motions, (group, loops), v, smooth);
    keep(&name, motions, &before.or(at, &here.place), smooth | !at)
}

/// The square of a lower bound of the change of any combination of equations, with the best motion
/// of the coordinates; near a change point it is close to the least one.
fn closeness(rows: &[Vec<Ex>]) -> Ex {
    let dot = |a: &[Ex], b: &[Ex]| a.iter().zip(b).map(|(&a, &b)| a * b).sum::<Ex>();
    let mut product: Vec<Vec<Ex>> =
        rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect();
    // So its inverse exists at a change point, too.
    product.iter_mut().enumerate().for_each(|(k, row)| row[k] += ROUNDING);
    let factor = Factor::symmetric(&product);
    let inverse = (0..rows.len()).map(|k| {
        let unit: Vec<Ex> =
            (0..rows.len()).map(|i| Ex::from(if i == k { 1.0 } else { 0.0 })).collect();
        factor.solve(&unit)[k]
    });
    1.0 / inverse.sum::<Ex>()
}

/// The curvature of the way on which coordinates move.
fn curvature(motions: &[Motion], nominals: &[f64]) -> Ex {
    let square = |of: &dyn Fn(&Motion) -> Ex| -> Ex {
        let pairs = motions.iter().zip(nominals);
        pairs.map(|(motion, &nominal)| (of(motion) / nominal).square()).sum()
    };
    let [bias, speed] = [square(&|motion| motion.bias), square(&|motion| motion.v)];
    bias.sqrt() / speed.max(f64::MIN_POSITIVE)
}

/// The motions at a place; it fails unless a condition holds.
fn keep(
    name: &str,
    mut motions: Vec<Motion>,
    place: &LoopPlace,
    when: Bool,
) -> (Vec<Motion>, LoopPlace) {
    let place = place.map(|values| while_regular(name, values, when));
    for (motion, &q) in motions.iter_mut().zip(&place.q) {
        motion.q = q;
    }
    (motions, place)
}

/// The direction of a loop with one degree of freedom, on from where it comes, and its derivative
/// by the distance.
struct Path {
    direction: Vec<Ex>,
    curvature: Vec<Ex>,
}

impl Path {
    /// That between two points before and two behind, at equal distances.
    fn through([back2, back1, on1, on2]: [&[Ex]; 4]) -> Path {
        let each = || (0..on1.len()).map(|k| [back2[k], back1[k], on1[k], on2[k]]);
        let mean = |[a, b, c, d]: [Ex; 4]| ((b + c) * 4.0 - (a + d)) / 6.0;
        let slope = |[a, b, c, d]: [Ex; 4]| ((c - b) * 8.0 - (d - a)) / (12.0 * APART);
        let direction = unit(&each().map(mean).collect::<Vec<Ex>>());
        Path { direction, curvature: each().map(slope).collect() }
    }

    /// Lets motions follow the path where it is `smooth`.
    fn follow(
        &self,
        motions: &mut [Motion],
        (group, loops): (&FreeLoop, &LoopEquations),
        v: &[Ex],
        smooth: Bool,
    ) {
        let speed = dot(&per_nominal(v, &group.nominals), &self.direction);
        for (k, motion) in motions.iter_mut().enumerate() {
            let nominal = group.nominals[k];
            let [direction, curvature] =
                [&self.direction, &self.curvature].map(|all| all[k] * nominal);
            motion.v = select(smooth, direction * speed, motion.v);
            motion.bias = select(smooth, curvature * speed.square(), motion.bias);
            for &freedom in &group.freedoms {
                let share = motion.partials.entry(loops.unknowns[freedom].variable);
                share.and_modify(|share| *share = select(smooth, direction, *share));
            }
        }
    }
}

/// The direction in which a loop with one degree of freedom can move, on from where it comes.
fn tangent(projection: &Projection<'_>, from: &[Ex]) -> Vec<Ex> {
    let free: Vec<Ex> = projection.free.iter().map(|of| of[0]).collect();
    let sign = select(dot(&free, from).ge(0.0), 1.0, -1.0);
    unit(&free).into_iter().map(|d| d * sign).collect()
}

fn per_nominal(values: &[Ex], nominals: &[f64]) -> Vec<Ex> {
    values.iter().zip(nominals).map(|(&value, &nominal)| value / nominal).collect()
}

fn dot(a: &[Ex], b: &[Ex]) -> Ex {
    a.iter().zip(b).map(|(&a, &b)| a * b).sum()
}

fn distance(a: &[Ex], b: &[Ex]) -> Ex {
    let square: Ex = a.iter().zip(b).map(|(&a, &b)| (a - b).square()).sum();
    square.sqrt()
}

/// A vector of length one; a shorter one where the square of its length underflows.
fn unit(vector: &[Ex]) -> Vec<Ex> {
    let length = dot(vector, vector).sqrt().max(SHORTEST);
    vector.iter().map(|&component| component / length).collect()
}

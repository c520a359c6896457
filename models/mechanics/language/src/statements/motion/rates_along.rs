//! Functions of the motions of two frames, and their derivatives along these motions.

use crate::statements::spatial::pose::{Acceleration, Pose, Twist};
use crate::vector::{Matrix, Vector, cross};
use equations::{Ex, differentiate, substitute};

/// How a frame moves.
#[derive(Clone, Copy)]
pub struct End {
    /// Its pose in the world.
    pub pose: Pose,
    /// Its velocity in its own axes.
    pub velocity: Twist,
    /// Its acceleration in its own axes.
    pub acceleration: Acceleration,
}

/// Placeholders for the motions of two frames, with the derivatives of these.
pub struct FramePlaceholders {
    /// Pose and velocity of each frame.
    pub ends: [(Pose, Twist); 2],
    /// Placeholders with the values that they stand for.
    pub values: Vec<(Ex, Ex)>,
    /// Placeholders with the derivatives of these values.
    rates: Vec<(Ex, Ex)>,
}

impl FramePlaceholders {
    /// For the motions of two frames.
    pub fn new(ends: &[End; 2]) -> Self {
        let (mut values, mut rates) = (Vec::new(), Vec::new());
        let mut place = |value: Ex, rate: Ex| {
            let symbol = Ex::symbol();
            values.push((symbol, value));
            rates.push((symbol, rate));
            symbol
        };
        let placed = ends.map(|End { pose, velocity, acceleration }| {
            let (w, to_world) = (&velocity.w, pose.t.transpose());
            let mut vector =
                |value: &Vector, rate: Vector| Vector::from_fn(|i, _| place(value[i], rate[i]));
            let r = vector(&pose.r, to_world * velocity.v);
            let columns: Vec<Vector> = (0..3)
                .map(|j| {
                    let column: Vector = pose.t.column(j).into();
                    vector(&column, -cross(w, &column))
                })
                .collect();
            let turning = Twist {
                w: vector(w, acceleration.z),
                v: vector(&velocity.v, acceleration.a - cross(w, &velocity.v)),
            };
            (Pose { r, t: Matrix::from_columns(&columns) }, turning)
        });
        FramePlaceholders { ends: placed, values, rates }
    }

    /// The derivatives of expressions of the placeholders.
    pub fn rates_of(&self, expressions: &[Ex]) -> Vec<Ex> {
        substitute(&differentiate(expressions, &self.rates), &self.values)
    }
}

/// A function of two poses and its first two derivatives along their motions.
pub fn along(ends: &[End; 2], function: impl Fn(&Pose, &Pose) -> Ex) -> [Ex; 3] {
    let placeholders = FramePlaceholders::new(ends);
    let [(a, va), (b, vb)] = &placeholders.ends;
    let value = function(a, b);
    let mut seeds = Vec::new();
    for (pose, velocity) in [(a, va), (b, vb)] {
        let rate = pose.t.transpose() * velocity.v;
        seeds.extend(pose.r.iter().copied().zip(rate.iter().copied()));
        for j in 0..3 {
            let column: Vector = pose.t.column(j).into();
            let rate = -cross(&velocity.w, &column);
            seeds.extend(column.iter().copied().zip(rate.iter().copied()));
        }
    }
    let rate = differentiate(&[value], &seeds)[0];
    let present = substitute(&[value, rate], &placeholders.values);
    [present[0], present[1], placeholders.rates_of(&[rate])[0]]
}

/// Functions of the poses and velocities of two frames, and their derivatives along the motions.
pub fn rates_along(
    ends: &[End; 2],
    functions: impl Fn([&Pose; 2], [&Twist; 2]) -> Vec<Ex>,
) -> (Vec<Ex>, Vec<Ex>) {
    let placeholders = FramePlaceholders::new(ends);
    let [(a, va), (b, vb)] = &placeholders.ends;
    let values = functions([a, b], [va, vb]);
    let rates = placeholders.rates_of(&values);
    (substitute(&values, &placeholders.values), rates)
}

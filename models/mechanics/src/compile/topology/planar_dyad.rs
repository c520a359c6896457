//! Loops in closed form: three joints of a planar loop, of which one may be prismatic, whose
//! coordinates follow from all others.
//!
//! Vectors in the plane of a loop are complex numbers. With all joints at zero, the path of the
//! loop has the vectors `d1`, `d2`, `d3` from each joint to the next joint, and the rotation `z`
//! after the last part. The loop is closed if the joints turn by `r1`, `r2`, `r3` (complex numbers
//! of length one) with
//!
//! ```text
//! r1 d1 + r1 r2 d2 + r1 r2 r3 d3 = 0,     r1 r2 r3 z = 1
//! ```
//!
//! or, if the last one slides by `s` along `u`, with
//!
//! ```text
//! r1 d1 + r1 r2 (d2 + s u + d3) = 0,      r1 r2 z = 1
//! ```
//!
//! The lengths of these sums give one equation for the angle of the second joint, or for `s`.
//! Twice the area of the triangle of the joints is the determinant of the loop, up to a constant
//! factor, and changes its sign from one solution to the other.

use super::loop_path::LoopPath;
use crate::statements::algebra::complex::Complex;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::algebra::two_roots::{AngleEquation, DistanceEquation};
use crate::vector::{Matrix, Vector, constant, dot, triad, unit_axis};
use equations::{Ex, Leaf, depends_on, differentiate, substitute};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// The number of points at which a block must be that of a planar dyad, at least.
const FEWEST: usize = 3;

/// The number of points that are tried, and the distance of the first one: relative, or in m or
/// rad. The distance of each other point is half that of the one before.
const POINTS: u32 = 8;
const FARTHEST: f64 = 0.05;

/// The smallest discriminant of a point that counts: a root of a smaller one is not accurate.
const REGULAR: f64 = 1e-6;

/// The largest residual of a closed loop, in rad and in m per m of its size, the deviation of
/// parallel axes, and the relative deviation of constant ratios.
const CLOSED: f64 = 1e-11;
const PARALLEL: f64 = 1e-12;
const SAME: f64 = 1e-7;

/// The coordinates that a block determines in closed form, in terms of the other symbols.
pub struct PlanarDyad {
    triangle: Triangle,
    /// In the order of the block's unknowns.
    unknowns: Vec<DyadUnknown>,
    /// The sign of the determinant divided by that of the root of the triangle's equation.
    orientation: f64,
}

/// A coordinate of a joint as `slope * unknown + rest`.
#[derive(Clone, Copy)]
struct DyadUnknown {
    /// The number of the joint in the path.
    joint: usize,
    turns: bool,
    /// Whether its axis has the direction of the plane's normal, 1 or -1.
    sense: f64,
    slope: Ex,
    rest: Ex,
}

/// A block of closure equations whose unknowns may be those of a planar dyad.
pub struct Candidate<'a> {
    /// The way around the loop.
    pub path: LoopPath,
    /// The symbols of the unknowns.
    pub unknowns: &'a [Ex],
    /// The residuals.
    pub residuals: &'a [Ex],
    /// The determinant of their derivatives with respect to the unknowns.
    pub determinant: Ex,
}

impl PlanarDyad {
    /// The closed form of a block; `None` if it is no planar dyad for all values of its parameters
    /// and known coordinates near those of `numeric`.
    pub fn of(candidate: &Candidate<'_>, numeric: &Numeric) -> Option<PlanarDyad> {
        let nearby = TestPoint::points(numeric);
        let path = candidate.path.arranged()?;
        let plane = Plane::of(&path, &nearby)?;
        let unknowns: Option<Vec<DyadUnknown>> =
            candidate.unknowns.iter().map(|&symbol| plane.unknown(&path, symbol)).collect();
        let (triangle, unknowns) = (Triangle::new(&path, &plane)?, unknowns?);
        let dyad = PlanarDyad { triangle, unknowns, orientation: 1.0 };
        let orientation = dyad.orientation(candidate, &nearby)?;
        Some(PlanarDyad { orientation, ..dyad })
    }

    /// The values on the branch on which the determinant of the block has the given sign.
    pub fn chosen(&self, sign: Ex) -> Vec<Ex> {
        self.values(sign * self.orientation)
    }

    /// For each unknown, what one turn adds to it, if it is an angle.
    pub fn turns(&self) -> Vec<Option<Ex>> {
        let turn = |unknown: &DyadUnknown| unknown.turns.then(|| 2.0 * PI / unknown.slope);
        self.unknowns.iter().map(turn).collect()
    }

    /// Negative where there is no solution; one at most.
    pub fn discriminant(&self) -> Ex {
        self.triangle.discriminant()
    }

    /// The determinant, up to a positive constant factor, on the branch on which it has the given
    /// sign.
    pub fn determinant(&self, sign: Ex) -> Ex {
        self.triangle.root() * sign
    }

    /// The same where the unknowns have these values, which need not solve the equations; `None` if
    /// the coordinate of the triangle's equation is not among them.
    pub fn determinant_at(&self, values: &[Ex]) -> Option<Ex> {
        let unknowns = self.unknowns.iter().zip(values);
        let own = |joint: usize| {
            let (unknown, &value) = unknowns.clone().find(|(u, _)| u.joint == joint)?;
            Some((unknown, unknown.slope * value + unknown.rest))
        };
        let root = match self.triangle.equation {
            Equation::Angle { of_second, .. } => {
                let (unknown, angle) = own(1)?;
                of_second.slope(angle * unknown.sense)
            }
            Equation::Distance { of_third, .. } => own(2)?.1 + of_third.p,
        };
        Some(root * self.orientation)
    }

    /// The values of the unknowns on one of the branches 1 and -1.
    fn values(&self, branch: Ex) -> Vec<Ex> {
        let joints = self.triangle.joints(self.triangle.root() * branch);
        let value = |unknown: &DyadUnknown| {
            let value = match joints[unknown.joint] {
                Position::Angle(r) => r.angle() * unknown.sense,
                Position::Distance(s) => s,
            };
            (value - unknown.rest) / unknown.slope
        };
        self.unknowns.iter().map(value).collect()
    }

    /// The sign of the determinant on the branch 1, if at all points nearby both branches close the
    /// loop, and the determinant is the root of the triangle's equation times one constant.
    fn orientation(&self, candidate: &Candidate<'_>, nearby: &[TestPoint<'_>]) -> Option<f64> {
        let triangle = &self.triangle;
        let mut roots = vec![triangle.discriminant(), triangle.root(), triangle.size()];
        for branch in [1.0, -1.0] {
            let values = self.values(branch.into());
            let by: Vec<(Ex, Ex)> = candidate.unknowns.iter().copied().zip(values).collect();
            roots.push(substitute(&[candidate.determinant], &by)[0] * branch);
            roots.extend(substitute(candidate.residuals, &by));
        }
        let own = candidate.residuals.len() + 1;
        let mut ratios = Vec::new();
        for values in nearby.iter().map(|point| point.all(&roots)) {
            if values[0] < REGULAR {
                continue;
            }
            for of_branch in values[3..].chunks(own) {
                ratios.push(of_branch[0] / values[1]);
                if !of_branch[1..]
                    .iter()
                    .all(|residual| residual.abs() < CLOSED * values[2].max(1.0))
                {
                    return None;
                }
            }
        }
        let &first = ratios.first().filter(|_| ratios.len() >= 2 * FEWEST)?;
        let same = |ratio: &f64| (ratio - first).abs() < SAME * first.abs();
        ratios.iter().all(same).then_some(first.signum())
    }
}

/// Where a joint of the path is.
#[derive(Clone, Copy)]
enum Position {
    /// At the angle of a number.
    Angle(Complex),
    /// At a distance in m.
    Distance(Ex),
}

/// The equation of a path in its plane.
struct Triangle {
    equation: Equation,
    d1: Complex,
    z: Complex,
}

/// The equation for one coordinate, and the vectors from which the other coordinates follow.
enum Equation {
    Angle { of_second: AngleEquation, d2: Complex, d3: Complex },
    Distance { of_third: DistanceEquation, w: Complex, u: Complex },
}

impl Triangle {
    fn new(path: &LoopPath, plane: &Plane) -> Option<Triangle> {
        let [d1, d2, d3] =
            [0, 1, 2].map(|k| plane.number(&(plane.rotations[k] * path.parts[k].pose.r)));
        let z = plane.number(&(plane.rotations[3] * plane.axes[0]));
        let equation = if path.joints[2].turns {
            let of_second = AngleEquation {
                cosine: d1.dot(d2) * 2.0,
                sine: d1.cross(d2) * -2.0,
                rest: d1.square() + d2.square() - d3.square(),
                largest: d1.square() * d2.square() * 4.0,
            };
            Equation::Angle { of_second, d2, d3 }
        } else {
            let w = d2 + d3;
            let u = plane.number(&(plane.rotations[2] * constant(path.joints[2].axis?)));
            let largest = d1.square();
            let square = largest - u.cross(w).square();
            let of_third = DistanceEquation { p: u.dot(w), square, largest };
            Equation::Distance { of_third, w, u }
        };
        Some(Triangle { equation, d1, z })
    }

    fn discriminant(&self) -> Ex {
        match self.equation {
            Equation::Angle { of_second, .. } => of_second.discriminant(),
            Equation::Distance { of_third, .. } => of_third.discriminant(),
        }
    }

    /// The length of its sides in m.
    fn size(&self) -> Ex {
        let sides = match self.equation {
            Equation::Angle { d2, d3, .. } => d2.square().sqrt() + d3.square().sqrt(),
            Equation::Distance { w, .. } => w.square().sqrt(),
        };
        self.d1.square().sqrt() + sides
    }

    /// The positive root of the equation: four times the area of the triangle, or a length.
    fn root(&self) -> Ex {
        match self.equation {
            Equation::Angle { of_second, .. } => of_second.root(),
            Equation::Distance { of_third, .. } => of_third.root(),
        }
    }

    /// The joints where the equation has this root.
    fn joints(&self, root: Ex) -> [Position; 3] {
        let Triangle { d1, z, .. } = *self;
        match self.equation {
            Equation::Angle { of_second, d2, d3 } => {
                let [sine, cosine] = of_second.direction(root);
                let r2 = Complex { x: cosine, y: sine };
                let sum = d1 + r2 * d2;
                // Its length is that of d3.
                let reciprocal = 1.0 / (d3.square() * sum.square()).sqrt();
                let r1 = -(z.conjugate() * d3 * sum.conjugate()).scaled(reciprocal);
                let r3 = -(d3.conjugate() * sum * r2.conjugate()).scaled(reciprocal);
                [r1, r2, r3].map(Position::Angle)
            }
            Equation::Distance { of_third, w, u } => {
                // The sum in the axes of u; its length is that of d1.
                let sum = Complex { x: root, y: u.cross(w) };
                let reciprocal = 1.0 / d1.square();
                let r1 = -(z.conjugate() * u * sum * d1.conjugate()).scaled(reciprocal);
                let r2 = -(sum.conjugate() * u.conjugate() * d1).scaled(reciprocal);
                let distance = Position::Distance(of_third.distance(root));
                [Position::Angle(r1), Position::Angle(r2), distance]
            }
        }
    }
}

/// The plane of a loop, in the axes of the first joint of its path.
struct Plane {
    /// Two orthogonal unit vectors in it.
    axes: [Vector; 2],
    /// For each joint, whether its axis has the direction of the normal, 1 or -1.
    senses: [f64; 3],
    /// The rotations from each joint, and from the end of the path, to the first joint.
    rotations: [Matrix; 4],
}

impl Plane {
    /// `None` if the axes of the joints are not parallel at all points nearby.
    fn of(path: &LoopPath, nearby: &[TestPoint<'_>]) -> Option<Plane> {
        let mut rotations = [Matrix::identity(); 4];
        for (k, part) in path.parts.iter().enumerate() {
            rotations[k + 1] = rotations[k] * part.pose.t.transpose();
        }
        let (mut normal, mut senses) = (None, [1.0; 3]);
        for (k, joint) in path.joints.iter().enumerate().filter(|(_, joint)| joint.turns) {
            let Some(axis) = joint.axis else { continue };
            let axis = constant_axis(&(rotations[k] * constant(axis)), nearby)?;
            let normal = *normal.get_or_insert(axis);
            let along: f64 = axis.iter().zip(normal).map(|(a, n)| a * n).sum();
            if along.abs() < 1.0 - PARALLEL {
                return None;
            }
            senses[k] = along.signum();
        }
        let (x, y) = triad(normal?);
        Some(Plane { axes: [x, y], senses, rotations })
    }

    /// The projection of a vector.
    fn number(&self, v: &Vector) -> Complex {
        let [x, y] = self.axes.map(|axis| dot(&axis, v));
        Complex { x, y }
    }

    /// The unknown of the block with this symbol.
    fn unknown(&self, path: &LoopPath, symbol: Ex) -> Option<DyadUnknown> {
        let of = |value: Ex| depends_on(&[value], symbol).then_some(value);
        let values = path.joints.iter().map(|joint| joint.value.and_then(of));
        let mut own = values.enumerate().filter_map(|(k, value)| Some((k, value?)));
        let (Some((joint, value)), None) = (own.next(), own.next()) else { return None };
        let slope = differentiate(&[value], &[(symbol, Ex::one())])[0];
        let rest = substitute(&[value], &[(symbol, Ex::zero())])[0];
        let turns = path.joints[joint].turns;
        Some(DyadUnknown { joint, turns, sense: self.senses[joint], slope, rest })
    }
}

/// The direction of an axis that is the same at all points.
fn constant_axis(axis: &Vector, nearby: &[TestPoint<'_>]) -> Option<[f64; 3]> {
    let mut all = nearby.iter().map(|point| point.all(axis.as_slice()));
    let first = all.next()?;
    let same = |other: Vec<f64>| first.iter().zip(other).all(|(a, b)| (a - b).abs() < PARALLEL);
    if all.all(same) { unit_axis([first[0], first[1], first[2]]) } else { None }
}

/// A point near the initial configuration, with other values of all parameters and coordinates:
/// what holds at several such points holds in general.
struct TestPoint<'a> {
    numeric: &'a Numeric,
    /// The largest change of a value, relative to it; absolute if it is zero.
    distance: f64,
    /// The number of values that the points before it may have, at most: no two points have the
    /// same changes.
    before: usize,
    values: RefCell<BTreeMap<Leaf, f64>>,
}

impl TestPoint<'_> {
    /// Points at decreasing distances.
    fn points(numeric: &Numeric) -> Vec<TestPoint<'_>> {
        let point = |k: u32| TestPoint {
            numeric,
            distance: FARTHEST / f64::from(1 << k),
            before: 1000 * k as usize,
            values: RefCell::default(),
        };
        (0..POINTS).map(point).collect()
    }

    fn all(&self, roots: &[Ex]) -> Vec<f64> {
        let values = &mut *self.values.borrow_mut();
        self.numeric.all_with(roots, |leaf, own| {
            if matches!(leaf, Leaf::Pre(_) | Leaf::Relation(_) | Leaf::Initial) {
                return own;
            }
            // The fractional parts of multiples of the golden ratio are well distributed.
            let random =
                2.0 * (0.618_033_988_75 * (self.before + values.len() + 1) as f64).fract() - 1.0;
            let scale = if own == 0.0 { 1.0 } else { own };
            *values.entry(leaf).or_insert(own + self.distance * random * scale)
        })
    }
}

//! Closure equations as numbers, and the search for configurations in which they hold.

use super::closure::{self, ClosureRow, Guess, When};
use super::gap::{CutJoint, cut_joints};
use super::loop_structure::LoopUnknown;
use crate::compile::topology::placeholders::Placeholders;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::algebra::parts::{MatrixPart, parts};
use crate::statements::motion::level::Level;
use crate::statements::motion::variables::Numbering;
use equations::{Evaluation, Ex, Leaf, leaves_of};
use nalgebra::{DMatrix, DVector};
use std::collections::{BTreeMap, BTreeSet};

/// Residuals and their rates with their derivatives, as expressions and numbers.
pub struct Closure<'a> {
    /// The closure equations.
    pub rows: &'a [ClosureRow],
    /// The coordinates.
    pub unknowns: &'a [LoopUnknown],
    /// Derivatives of the residuals with respect to the unknowns, by rows; zero without residual.
    pub jacobian: &'a [Vec<Ex>],
    /// Derivatives of the rates with respect to the speeds of the unknowns; zero without rate.
    pub speed_jacobian: &'a [Vec<Ex>],
    /// What the search for a configuration pays attention to.
    pub guide: &'a Guide,
}

/// What the search for a configuration pays attention to, besides the equations.
#[derive(Default)]
pub struct Guide {
    /// Bodies that loops hold and whose start values are not given.
    pub bodies: Vec<String>,
    /// Positive where no joint is turned round.
    pub aligned: Vec<Ex>,
    /// The guesses of the text.
    pub guesses: Vec<Guess>,
    /// The components that prescribe motions in loops, as they stand in the list of unknowns.
    pub sources: Vec<Option<String>>,
    /// The joints at which loops are cut.
    pub cuts: Vec<CutJoint>,
}

impl Guide {
    /// That of a mechanism, with the guesses of `unknowns` and those that belong to none.
    pub fn new(
        (kinematic_tree, numbering): (KinematicTree<'_>, Numbering),
        symbols: &Placeholders,
        unknowns: &[LoopUnknown],
        others: &[Vec<Guess>; 2],
        numeric: &Numeric,
    ) -> Guide {
        let aligned = closure::alignments(kinematic_tree, symbols);
        let own = unknowns.iter().filter(|unknown| unknown.is_open() && unknown.given_guess);
        Guide {
            bodies: bodies_without_guesses(kinematic_tree),
            aligned: aligned.into_iter().map(|(_, measure)| measure).collect(),
            guesses: own
                .map(LoopUnknown::as_guess)
                .chain(others.iter().flatten().cloned())
                .collect(),
            sources: sources(kinematic_tree, numbering, unknowns),
            cuts: cut_joints((kinematic_tree, numbering), symbols, numeric),
        }
    }
}

/// The components that prescribe unknowns.
fn sources(
    KinematicTree { structure, .. }: KinematicTree<'_>,
    numbering: Numbering,
    unknowns: &[LoopUnknown],
) -> Vec<Option<String>> {
    let source = |unknown: &LoopUnknown| {
        let motion = numbering.prescribed_motion_of(unknown.variable)?;
        let component = structure.flanges.prescribed_motions[motion].component;
        Some(structure.names[component].clone())
    };
    unknowns.iter().map(source).collect()
}

/// Bodies that joints hold and whose pose has no guess.
fn bodies_without_guesses(kinematic_tree: KinematicTree<'_>) -> Vec<String> {
    let KinematicTree { structure, tree } = kinematic_tree;
    let joints = tree.unused.iter().map(|&joint| &structure.multibody.joints[joint]);
    let open = joints.filter(|joint| {
        let all = structure.multibody.coordinates.of(joint.coordinates);
        all.iter().all(|c| !c.position.start.given && !c.position.start.fixed)
    });
    open.map(|joint| format!("the pose of {}", structure.names[joint.component])).collect()
}

/// How far from its start an angle begins where a loop is searched from other places, in rad; the
/// same for lengths in m where only messages depend on them.
pub const AWAY: f64 = 3.0;

/// Numbers that are the same in each build.
pub struct Random(u64);

impl Default for Random {
    fn default() -> Random {
        Random(0x9e37_79b9_7f4a_7c15)
    }
}

impl Random {
    /// A number from -1 to 1.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Largest residual in m or rad of a loop that is closed.
pub const CLOSED: f64 = 1e-9;

/// An assembly ends when its residuals in m or rad are rounding errors, or after a maximum number
/// of steps.
const EXACT: f64 = 1e-13;
const MAX_STEPS: usize = 100;

/// Directions with smaller singular values are left alone by a step.
const FLAT: f64 = 1e-10;

/// A minimum is reached where steps with such a damping lead no further down.
const STIFF: f64 = 1e8;

/// Largest step of a coordinate in m or rad: a first guess may be far away.
const LARGEST_STEP: f64 = 0.5;

impl Closure<'_> {
    /// The residuals with their derivatives at a point.
    pub fn evaluate(
        &self,
        numeric: &mut Numeric,
        q: &DVector<f64>,
    ) -> (DVector<f64>, DMatrix<f64>) {
        let (rows, columns) = (0..self.rows.len(), 0..self.unknowns.len());
        let all = MatrixPart { rows: rows.collect(), columns: columns.collect() };
        PartEquations::new(self, &all).evaluate(numeric, q)
    }

    /// Gives the unknowns the values `q`.
    pub fn place(&self, numeric: &mut Numeric, q: &DVector<f64>) {
        for (unknown, &value) in self.unknowns.iter().zip(q.iter()) {
            numeric.set(unknown.symbol, value);
        }
    }

    /// Derivatives of the rates with respect to the speeds, where `numeric` stands.
    pub fn speed_matrix(&self, numeric: &Numeric) -> DMatrix<f64> {
        let values = numeric.all(&self.speed_jacobian.concat());
        DMatrix::from_row_slice(self.rows.len(), self.unknowns.len(), &values)
    }

    /// Moves `q` onto the rows in `active`, changing only coordinates that are not held.
    ///
    /// Loops that share no such coordinate move apart from each other.
    pub fn assemble(
        &self,
        numeric: &mut Numeric,
        q: &mut DVector<f64>,
        active: &[usize],
        held: &[bool],
    ) -> f64 {
        self.place(numeric, q);
        let parts = self.parts(active, held);
        let gaps = parts.iter().map(|part| self.assemble_part(numeric, q, part));
        gaps.fold(0.0, |most, gap| if gap.is_finite() { most.max(gap) } else { f64::INFINITY })
    }

    /// [`Closure::assemble`] for the rows of a part.
    fn assemble_part(&self, numeric: &mut Numeric, q: &mut DVector<f64>, part: &MatrixPart) -> f64 {
        let mut equations = PartEquations::new(self, part);
        let mut error = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            let (g, jacobian) = equations.evaluate(numeric, q);
            error = g.amax();
            if error < EXACT || part.columns.is_empty() {
                break;
            }
            let Ok(step) = jacobian.svd(true, true).solve(&g, FLAT) else { break };
            let damping = (LARGEST_STEP / step.amax()).min(1.0);
            for (&k, s) in part.columns.iter().zip(step.iter()) {
                q[k] -= damping * s;
            }
        }
        error
    }

    /// The parts of some rows that share no coordinate that is not held.
    pub fn parts(&self, rows: &[usize], held: &[bool]) -> Vec<MatrixPart> {
        let occurring = self.occurring(held);
        let of_rows: Vec<Vec<usize>> =
            rows.iter().map(|&row| occurring(self.rows[row].gap())).collect();
        let mut parts = parts(&of_rows);
        parts.iter_mut().flat_map(|part| &mut part.rows).for_each(|row| *row = rows[*row]);
        parts
    }

    /// Finds the coordinates that are not held and occur in an expression, ascending.
    pub fn occurring(&self, held: &[bool]) -> impl Fn(Ex) -> Vec<usize> {
        let free = self.unknowns.iter().enumerate().filter(|(k, _)| !held[*k]);
        let places: BTreeMap<Leaf, usize> =
            free.filter_map(|(k, unknown)| Some((unknown.symbol.as_leaf()?, k))).collect();
        move |ex| {
            let leaves = leaves_of(&[ex]);
            let found = leaves.iter().filter_map(|leaf| places.get(leaf)).copied();
            found.collect::<BTreeSet<usize>>().into_iter().collect()
        }
    }

    /// Moves `q` to where the squares of the rows in `active` have the least sum near it, by the
    /// method of Levenberg and Marquardt; returns this sum.
    pub fn approach(
        &self,
        numeric: &mut Numeric,
        q: &mut DVector<f64>,
        active: &[usize],
        held: &[bool],
    ) -> f64 {
        let free: Vec<usize> = (0..held.len()).filter(|&k| !held[k]).collect();
        self.place(numeric, q);
        let part = MatrixPart { rows: active.to_vec(), columns: free };
        let mut equations = PartEquations::new(self, &part);
        let (mut g, mut jacobian) = equations.evaluate(numeric, q);
        let mut sum = g.norm_squared();
        let mut damping = 1e-3;
        for _ in 0..MAX_STEPS {
            let n = part.columns.len();
            let normal = jacobian.tr_mul(&jacobian) + DMatrix::identity(n, n) * damping;
            let Some(factor) = normal.cholesky() else { break };
            let step = factor.solve(&jacobian.tr_mul(&g));
            let mut next = q.clone();
            for (&k, s) in part.columns.iter().zip(step.iter()) {
                next[k] -= s;
            }
            let (next_g, next_jacobian) = equations.evaluate(numeric, &next);
            let next_sum = next_g.norm_squared();
            if next_sum < sum {
                (*q, g, jacobian, sum) = (next, next_g, next_jacobian, next_sum);
                damping *= 0.3;
            } else if damping > STIFF {
                break;
            } else {
                damping *= 4.0;
            }
        }
        sum
    }

    /// Rows that have a residual, or a rate, and hold at some time.
    pub fn select(&self, level: Level, holds: impl Fn(When) -> bool) -> Vec<usize> {
        let exists = |row: &ClosureRow| match level {
            Level::Position => row.residual().is_some(),
            Level::Speed => row.rate().is_some(),
        };
        let all = self.rows.iter().enumerate();
        all.filter(|(_, row)| exists(row) && holds(row.when())).map(|(r, _)| r).collect()
    }
}

/// The residuals of a part with their derivatives, which are evaluated many times.
struct PartEquations<'a> {
    symbols: Vec<Ex>,
    part: &'a MatrixPart,
    evaluation: Evaluation,
}

impl<'a> PartEquations<'a> {
    fn new(closure: &Closure<'_>, part: &'a MatrixPart) -> PartEquations<'a> {
        let MatrixPart { rows, columns } = part;
        let mut roots: Vec<Ex> = rows.iter().map(|&row| closure.rows[row].gap()).collect();
        roots.extend(
            rows.iter().flat_map(|&r| columns.iter().map(move |&k| closure.jacobian[r][k])),
        );
        let symbols = columns.iter().map(|&k| closure.unknowns[k].symbol).collect();
        PartEquations { symbols, part, evaluation: Evaluation::new(&roots) }
    }

    /// Residuals and derivatives at a point; all else stays where `numeric` stands.
    fn evaluate(
        &mut self,
        numeric: &mut Numeric,
        q: &DVector<f64>,
    ) -> (DVector<f64>, DMatrix<f64>) {
        let MatrixPart { rows, columns } = self.part;
        for (&symbol, &k) in self.symbols.iter().zip(columns) {
            numeric.set(symbol, q[k]);
        }
        let values = numeric.all_of(&mut self.evaluation);
        let (g, jacobian) = values.split_at(rows.len());
        let jacobian = DMatrix::from_row_slice(rows.len(), columns.len(), jacobian);
        (DVector::from_column_slice(g), jacobian)
    }
}

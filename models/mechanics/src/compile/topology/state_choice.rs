//! Which coordinates of loops are independent wherever the loops can move.
//!
//! The loops are moved from the initial configuration through all configurations within reach. At a
//! dead point the chosen coordinates rest while others move; the determinant of the equations with
//! respect to the others then changes its sign, as at a change point, where the equations become
//! dependent.

use super::free_loops;
use super::loop_equations::LoopEquations;
use super::loop_explorer::{Explorer, Function, LoopExpressions, Path};
use super::loop_structure::{FreeLoop, LoopBlock};
use super::orientation_trace::Mechanism;
use super::other_lengths::{ExpressedLoop, closed_with_others};
use super::state_candidates::StateCandidate;
use crate::compile::build_context::BuildContext;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::error::Error;
use crate::ids::{CandidateId, List};
use crate::start::StateSelect;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::algebra::row_space::RowSpace;
use crate::statements::motion::variables::Variables;
use equations::Ex;
use nalgebra::{DMatrix, Schur};

/// A coordinate is no good state where another one moves faster than this many times as fast, in
/// rad or in lengths of the largest lever arm.
const LARGEST_RATIO: f64 = 10.0;

/// Equations are nearly dependent if the distance of an equation from the others (of the order of
/// one at the start) falls below this number. With this number, a step does not miss a change point
/// beside the path.
const NEARLY_DEPENDENT: f64 = 0.1;

/// How accurate eigenvalues are whose signs matter, and the largest number of iterations.
const ACCURACY: f64 = 1e-10;
const MOST_ITERATIONS: usize = 1000;

/// Which coordinates of a loop are states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// The coordinates that are independent at the start remain so.
    Kept,
    /// They remain so because they must be states, although the loop may stop; this coordinate, or
    /// else all coordinates, would do.
    Required(Option<usize>),
    /// This coordinate is independent instead.
    Exchanged(usize),
    /// All coordinates are states.
    Free,
}

/// A loop with the choice of its states.
struct Chosen {
    group: FreeLoop,
    choice: Choice,
    /// Whether another one would do if no lengths were set.
    for_other_lengths: bool,
}

/// Chooses the states of all loops; a note says where they are not the independent coordinates at
/// the start. All loops are free if this is `forced`.
pub fn choose(
    loops: &mut LoopEquations,
    (kinematic_tree, variables): (KinematicTree<'_>, &Variables),
    candidates: &List<CandidateId, StateCandidate>,
    forced: bool,
    build: &mut BuildContext<'_>,
) -> Result<(), Error> {
    let LoopEquations { symbols, rows, unknowns, .. } = &*loops;
    let mechanism = Mechanism { kinematic_tree, variables, symbols, rows, unknowns };
    let lengths = build.model.parameters_measured_as("m");
    let numeric = &build.numeric;
    let mechanism = &mechanism;
    let scope = Scope { loops, mechanism, candidates, numeric, forced, lengths: &lengths };
    for chosen in scope.choices() {
        // The choice of quaternions has its own note.
        if !forced && chosen.group.turning.is_empty() {
            note(loops, &chosen).into_iter().for_each(|note| build.model.note(note));
        }
        match chosen.choice {
            Choice::Kept => (),
            Choice::Required(_) => loops.structure.required.extend(chosen.group.freedoms),
            Choice::Exchanged(k) => loops.exchange(&chosen.group, k, &build.numeric)?,
            Choice::Free => loops.structure.free.push(chosen.group),
        }
    }
    loops.refuse_measured_turns()?;
    if forced {
        not_free(loops).into_iter().for_each(|note| build.model.note(note));
    }
    Ok(())
}

/// Notes about loops that are not free although all were to be.
fn not_free(loops: &LoopEquations) -> Vec<String> {
    let is_free = |row: &usize| loops.structure.free.iter().any(|group| group.rows.contains(row));
    let others = loops.structure.motion.iter().filter(|block| !block.rows.iter().all(is_free));
    let note = |block| {
        format!(
            "{}: its loop is not free, because it has no independent coordinate, a wheel rolls in \
             it, or its conditions depend on each other",
            loops.block_name(block)
        )
    };
    others.map(note).collect()
}

/// The loops of a mechanism, at numbers with which they are closed.
struct Scope<'a> {
    loops: &'a LoopEquations,
    mechanism: &'a Mechanism<'a>,
    candidates: &'a List<CandidateId, StateCandidate>,
    numeric: &'a Numeric,
    /// Whether all loops are to be free.
    forced: bool,
    /// The lengths that importers may set; a choice also holds for others.
    lengths: &'a [Ex],
}

impl Scope<'_> {
    /// The loops that move each other, each with its choice.
    fn choices(&self) -> Vec<Chosen> {
        let groups = free_loops::groups(self.loops, self.numeric);
        let parts = groups.len();
        groups.into_iter().map(|group| self.chosen(group, parts)).collect()
    }

    /// The choice for a loop, which is one of some `parts`.
    fn chosen(&self, mut group: FreeLoop, parts: usize) -> Chosen {
        let (unknowns, rows) = seen(self.loops, &group);
        let row = |&row: &usize| group.unknowns.iter().map(move |&k| self.loops.jacobian[row][k]);
        let recorded = group.rows.iter().flat_map(row).collect();
        let expressions = self.mechanism.loops((&unknowns, &rows), recorded, self.numeric);
        let free = self.forced || !group.turning.is_empty();
        // Other choices are compared on all configurations of the only degree of freedom.
        let compares = group.freedoms.len() == 1 && !group.is_driven(self.loops);
        let decides = !free && wanted(self.loops, &group).is_empty();
        let expressed = ExpressedLoop { group: &group, expressions: &expressions };
        let others = match decides {
            true => closed_with_others(self.loops, expressed, self.lengths, self.numeric),
            false => Vec::new(),
        };
        let turns_round = |numeric| turns_round(self, expressed, numeric);
        if compares && !self.forced && turns_round(self.numeric) && others.iter().all(turns_round) {
            return Chosen { group, choice: Choice::Kept, for_other_lengths: false };
        }
        let mut comparison = Comparison::new(self, &group, compares);
        comparison.explore(&expressions, self.numeric, parts);
        let at_lengths = if free { Choice::Free } else { comparison.choice() };
        let choice = match at_lengths {
            Choice::Kept | Choice::Exchanged(_) if !others.is_empty() => {
                let parts = parts * others.len();
                others.iter().for_each(|other| comparison.explore(&expressions, other, parts));
                comparison.choice()
            }
            _ => at_lengths,
        };
        let for_other_lengths = at_lengths == Choice::Kept && choice != Choice::Kept;
        let changes = choice == Choice::Free && comparison.changes();
        group.changes = changes;
        Chosen { group, choice, for_other_lengths }
    }
}

/// Places of the coordinates of a loop that must be states.
fn wanted(loops: &LoopEquations, group: &FreeLoop) -> Vec<usize> {
    let is_wanted = |k: &usize| loops.unknowns[*k].class == StateSelect::Always as usize;
    let places = group.unknowns.iter().enumerate();
    places.filter(|(_, k)| is_wanted(k)).map(|(place, _)| place).collect()
}

/// Whether the only independent coordinate is an angle that turns round, and is good in all
/// configurations on the way.
fn turns_round(scope: &Scope<'_>, expressed: ExpressedLoop<'_>, numeric: &Numeric) -> bool {
    let ExpressedLoop { group, expressions } = expressed;
    let angle = group.unknowns.iter().position(|k| group.freedoms[0] == *k);
    let Some(angle) = angle.filter(|_| expressions.turning.is_empty()) else { return false };
    let blocks: Vec<_> = own_blocks(scope.loops, group).map(|block| places(group, block)).collect();
    let mut comparison = Comparison::new(scope, group, true);
    let path = Explorer::new(expressions, numeric).turn(angle, &blocks);
    path.is_some_and(|path| {
        comparison.add(&[path]);
        comparison.keeps_regular()
    })
}

/// The unknowns and the rows that an explorer moves.
fn seen(loops: &LoopEquations, group: &FreeLoop) -> (Vec<usize>, Vec<usize>) {
    let occurs = |k: &usize| {
        let unknown = &loops.unknowns[*k];
        let in_rows = group.rows.iter().any(|&row| !loops.jacobian[row][*k].is_constant_zero());
        in_rows && !unknown.violation
    };
    let unknowns = (0..loops.unknowns.len()).filter(occurs).collect();
    (unknowns, group.rows.clone())
}

/// The scaled derivatives of the equations of a loop by its coordinates.
fn matrix(group: &FreeLoop, recorded: &[f64]) -> DMatrix<f64> {
    let (m, n) = (group.rows.len(), group.unknowns.len());
    let scaled = |i: usize, j: usize| recorded[i * n + j] * group.nominals[j] * group.scales[i];
    DMatrix::from_fn(m, n, scaled)
}

/// The blocks that determine coordinates of a loop from others.
fn own_blocks<'a>(
    loops: &'a LoopEquations,
    group: &'a FreeLoop,
) -> impl Iterator<Item = &'a LoopBlock> {
    let motion = loops.structure.motion.iter();
    motion.filter(|block| block.rows.iter().all(|row| group.rows.contains(row)))
}

/// The places of the equations and of the unknowns of a block among those of a loop.
fn places(group: &FreeLoop, block: &LoopBlock) -> [Vec<usize>; 2] {
    let place = |all: &[usize], k: &usize| all.iter().position(|other| other == k);
    let rows = block.rows.iter().filter_map(|row| place(&group.rows, row)).collect();
    [rows, block.unknowns.iter().filter_map(|k| place(&group.unknowns, k)).collect()]
}

/// The configurations of a loop, in which its coordinates are compared.
struct Comparison<'a> {
    loops: &'a LoopEquations,
    group: &'a FreeLoop,
    candidates: &'a List<CandidateId, StateCandidate>,
    /// Derivatives of the equations by the coordinates along paths.
    paths: Vec<Vec<DMatrix<f64>>>,
    /// Whether a path may have left its branch.
    sharp: bool,
    /// Whether these are all configurations, on one curve.
    compares: bool,
}

impl<'a> Comparison<'a> {
    fn new(scope: &Scope<'a>, group: &'a FreeLoop, compares: bool) -> Comparison<'a> {
        let Scope { loops, candidates, .. } = *scope;
        Comparison { loops, group, candidates, paths: Vec::new(), sharp: false, compares }
    }

    /// Adds the configurations that the loop can reach from that at which `numeric` stands.
    fn explore(&mut self, expressions: &LoopExpressions, numeric: &Numeric, parts: usize) {
        let group = self.group;
        let zero = |block: &LoopBlock| -> Function<'a> {
            let [rows, own] = places(group, block);
            Box::new(move |seen: &[f64]| {
                matrix(group, seen).select_rows(&rows).select_columns(&own).determinant()
            })
        };
        let zeros = match self.compares {
            true => Vec::new(),
            false => own_blocks(self.loops, group).map(zero).collect(),
        };
        self.add(&Explorer::new(expressions, numeric).towards(zeros).paths(parts));
    }

    fn add(&mut self, paths: &[Path]) {
        self.sharp |= paths.iter().any(|path| path.sharp);
        let matrices =
            |path: &Path| path.seen.iter().map(|seen| matrix(self.group, seen)).collect();
        self.paths.extend(paths.iter().map(matrices));
    }

    fn choice(&self) -> Choice {
        if self.keeps_regular() {
            return Choice::Kept;
        }
        let wanted = wanted(self.loops, self.group);
        if !self.compares {
            return if wanted.is_empty() { Choice::Free } else { Choice::Required(None) };
        }
        let ratios = self.ratios();
        match (&wanted[..], self.best(&ratios)) {
            ([], Some(k)) => Choice::Exchanged(k),
            ([], None) => Choice::Free,
            // There are only change points.
            (&[k], _) if ratios[k] <= LARGEST_RATIO => Choice::Free,
            (_, instead) => Choice::Required(instead),
        }
    }

    /// The best coordinate, if there is a good one.
    fn best(&self, ratios: &[f64]) -> Option<usize> {
        let good = |&k: &usize| {
            let single = |c: &StateCandidate| {
                let variable = self.loops.unknowns[self.group.unknowns[k]].variable;
                c.linear.terms.keys().eq([&variable]) && !c.is_angular_velocity
            };
            self.candidates.iter().any(single) && ratios[k] <= LARGEST_RATIO && self.is_regular(k)
        };
        let good = (0..ratios.len()).filter(good);
        let better = |&a: &usize, &b: &usize| {
            self.class(b).cmp(&self.class(a)).then(ratios[a].total_cmp(&ratios[b]))
        };
        good.min_by(better).map(|k| self.group.unknowns[k])
    }

    /// Whether the equations come near to being dependent.
    fn changes(&self) -> bool {
        let dependent = |matrix: &DMatrix<f64>| {
            RowSpace::new(rows(matrix)).independence(matrix.nrows()) < NEARLY_DEPENDENT
        };
        self.paths.is_empty() || self.paths.iter().flatten().any(dependent)
    }

    fn class(&self, k: usize) -> usize {
        self.loops.unknowns[self.group.unknowns[k]].class
    }

    /// Whether the coordinates that are independent at the start are so everywhere; true also where
    /// the loop could not be moved.
    fn keeps_regular(&self) -> bool {
        let blocks = own_blocks(self.loops, self.group).map(|block| places(self.group, block));
        self.determine(&blocks.collect::<Vec<_>>())
    }

    /// Whether all other coordinates follow from one everywhere.
    fn is_regular(&self, independent: usize) -> bool {
        let rows = (0..self.group.rows.len()).collect();
        let own = (0..self.group.unknowns.len()).filter(|&k| k != independent).collect();
        self.determine(&[[rows, own]])
    }

    /// Whether blocks of rows determine their own coordinates everywhere, one block after the
    /// other.
    fn determine(&self, blocks: &[[Vec<usize>; 2]]) -> bool {
        let mut signs = vec![0.0; blocks.len()];
        !self.sharp
            && self.paths.iter().all(|path| {
                let mut before = vec![None; blocks.len()];
                path.iter().all(|matrix| is_regular(matrix, blocks, &mut signs, &mut before))
            })
    }

    /// How much faster than each coordinate another one moves, at most, with the only degree of
    /// freedom; infinite if it comes to rest in between.
    fn ratios(&self) -> Vec<f64> {
        let n = self.group.unknowns.len();
        let mut ratios = vec![1.0_f64; n];
        for path in &self.paths {
            let mut tangent: Option<Vec<f64>> = None;
            for matrix in path {
                let next = along(matrix, tangent.as_deref());
                let largest = next.iter().fold(0.0, |largest: f64, v| largest.max(v.abs()));
                for (k, ratio) in ratios.iter_mut().enumerate() {
                    let turns = tangent.as_ref().is_some_and(|t| t[k] * next[k] < 0.0);
                    let own = largest / next[k].abs();
                    *ratio = ratio.max(if turns || own.is_nan() { f64::INFINITY } else { own });
                }
                tangent = Some(next);
            }
        }
        ratios
    }
}

fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

/// Whether blocks of rows determine their own coordinates, and no coordinate moves much faster than
/// the independent ones. Of each block, the sign of the determinant and the derivatives before are
/// known.
fn is_regular(
    matrix: &DMatrix<f64>,
    blocks: &[[Vec<usize>; 2]],
    signs: &mut [f64],
    before: &mut [Option<DMatrix<f64>>],
) -> bool {
    let is_own = |k: &usize| blocks.iter().any(|[_, own]| own.contains(k));
    let independent: Vec<usize> = (0..matrix.ncols()).filter(|k| !is_own(k)).collect();
    let mut motion = DMatrix::zeros(matrix.ncols(), independent.len());
    for (freedom, &k) in independent.iter().enumerate() {
        motion[(k, freedom)] = 1.0;
    }
    for (([rows, own], sign), before) in blocks.iter().zip(signs).zip(before) {
        let rows = matrix.select_rows(rows);
        let block = rows.select_columns(own);
        let lu = block.clone().lu();
        let determinant: f64 = lu.determinant();
        let same = *sign * determinant >= 0.0 && determinant != 0.0;
        *sign = determinant.signum();
        let crosses = before.take().is_some_and(|before| is_singular_between(before, &block));
        let Some(follows) = lu.solve(&(&rows * &motion)).filter(|_| same && !crosses) else {
            return false;
        };
        *before = Some(block);
        for (row, &k) in own.iter().enumerate() {
            motion.set_row(k, &(-follows.row(row)));
        }
    }
    motion.amax() <= LARGEST_RATIO
}

/// Whether a matrix is singular on the straight way from one to another, which it is where
/// eigenvalues change their signs. An even number of them leaves the sign of the determinant.
fn is_singular_between(one: DMatrix<f64>, other: &DMatrix<f64>) -> bool {
    let n = one.nrows();
    let Some(ratio) = one.lu().solve(other) else { return true };
    let change = &ratio - DMatrix::identity(n, n);
    let norm = change.row_iter().map(|row| row.lp_norm(1)).fold(0.0, f64::max);
    if norm < 1.0 {
        return false;
    }
    let schur = Schur::try_new(ratio, ACCURACY, MOST_ITERATIONS);
    schur.is_none_or(|schur| schur.complex_eigenvalues().iter().any(|value| value.re <= 0.0))
}

/// The direction in which a loop with one degree of freedom moves on.
fn along(matrix: &DMatrix<f64>, before: Option<&[f64]>) -> Vec<f64> {
    let n = matrix.ncols();
    let across = RowSpace::new(rows(matrix));
    let unit = |k: usize| across.across((0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect());
    let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
    let longest = (0..n).map(unit).max_by(|a, b| length(a).total_cmp(&length(b)));
    let direction = match before {
        Some(before) => across.across(before.to_vec()),
        None => longest.unwrap_or_else(|| vec![1.0; n]),
    };
    let length = length(&direction).sqrt();
    direction.into_iter().map(|d| d / length).collect()
}

/// What the build notes about the choice for a loop, if it is not the one at the start.
fn note(loops: &LoopEquations, chosen: &Chosen) -> Option<String> {
    let Chosen { group, choice, for_other_lengths } = chosen;
    let other_lengths = match for_other_lengths {
        true => " if lengths are set that differ by up to a tenth",
        false => "",
    };
    let name = loops.block_name(&group.block());
    let before: Vec<&str> =
        group.freedoms.iter().map(|&k| loops.unknowns[k].name.as_str()).collect();
    match choice {
        Choice::Kept => None,
        Choice::Required(instead) => Some(format!(
            "{name}: the loop stops where it comes near to a dead point or a change point with {} \
             as {}; without states(Always), {}",
            before.join(", "),
            if before.len() == 1 { "its state" } else { "its states" },
            match instead {
                Some(k) => format!("{} would be good everywhere", loops.unknowns[*k].name),
                None => "all its coordinates would be states, and it would pass".to_owned(),
            }
        )),
        Choice::Exchanged(k) => Some(format!(
            "{name}: {} is the independent coordinate of the loop and not {}, with which it would \
             come near to a dead point{other_lengths}",
            loops.unknowns[*k].name,
            before.join(", ")
        )),
        Choice::Free => Some(format!(
            "{name}: all coordinates of the loop are states, because it can come near to dead points \
             or change points{other_lengths} with {} as the only independent coordinate{}",
            before.join(", "),
            match before.len() {
                1 => ", and with every other one",
                _ => "s",
            }
        )),
    }
}

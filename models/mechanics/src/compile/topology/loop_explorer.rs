//! Moves loops through the configurations in which they are closed.
//!
//! The loops go along the directions that their equations allow, in small steps after each of which
//! they are closed again. Free orientations turn by small angles from the last configuration, so no
//! configuration is singular because of the way in which it is described.

use crate::ids::JointId;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::algebra::row_space::RowSpace;
use equations::{Evaluation, Ex};
use nalgebra::{DMatrix, DVector, Matrix3, Rotation3, RowDVector, UnitQuaternion};
use std::f64::consts::TAU;

/// A step in rad, or in lengths of the largest lever arm, and how often it is halved where the
/// loops cannot be closed behind it.
const STEP: f64 = 0.1;
const HALVINGS: i32 = 3;

/// A step is halved more often where the direction turns: no more than to this cosine, if that is
/// possible. Next to a change point, the loops would step on another branch.
const BEND: f64 = 0.9;
const HALVINGS_IN_BENDS: i32 = 8;

/// Loops are closed if no gap in rad or lever arms is larger than this, which takes a few
/// corrections.
const CLOSED: f64 = 1e-9;
const MOST_CORRECTIONS: usize = 8;

/// Where all directions are barred, this is the largest part of a direction that remains.
const BARRED: f64 = 1e-9;

/// The largest and the smallest number of steps, and the number of operations for which they are
/// fewer than the largest number: all explorers make a few million in about a tenth of a second.
const MOST_STEPS: usize = 1000;
const FEWEST_STEPS: usize = 160;
const MOST_OPERATIONS: usize = 2_500_000;

/// The steps in which an angle turns round, and the largest number of turns.
const STEPS_OF_A_TURN: usize = 64;
const MOST_TURNS: usize = 4;

/// How far blocks may be corrected in a step, in rad or lever arms, and the largest difference of
/// the same configuration after a turn.
const FARTHEST: f64 = 0.5;
const SAME: f64 = 1e-6;

/// How many steps the loops make in one random direction.
const STRAIGHT: usize = 40;

/// How many steps the loops make at most towards a zero, and the small distance with which slopes
/// are found.
const STEPS_TO_A_ZERO: usize = 60;
const SLOPE: f64 = 1e-5;

/// How many steps they go straight on from a summit.
const BEHIND_A_SUMMIT: usize = 5;

/// An orientation: it maps coordinates of frame `a` to those of frame `b`.
pub type Rotation = Matrix3<f64>;

/// Loops as expressions; matrices are lists of rows.
pub struct LoopExpressions {
    /// The unknowns.
    pub symbols: Vec<Ex>,
    /// Which unknowns may change.
    pub free: Vec<bool>,
    /// Movements per unit of each unknown, in rad or lever arms.
    pub scales: Vec<f64>,
    /// The gaps, and what makes rad or lever arms of them.
    pub gaps: Vec<Ex>,
    pub gap_scales: Vec<f64>,
    /// Derivatives of the gaps by the unknowns.
    pub closing: Vec<Vec<Ex>>,
    /// Derivatives of conditions for speeds alone, by the speeds of the unknowns.
    pub rolling: Vec<Vec<Ex>>,
    /// The free orientations.
    pub turning: Vec<Turning>,
    /// Numbers that, with the free orientations, are the same in the same configuration.
    pub place: Vec<Ex>,
    /// What is recorded in each configuration.
    pub seen: Vec<Ex>,
}

/// A free orientation.
pub struct Turning {
    /// Its joint.
    pub joint: JointId,
    /// The slots of the quaternion from which it turns.
    pub quaternion: [Ex; 4],
    /// Small angles of this turn among the unknowns.
    pub angles: [usize; 3],
    /// Its elements, by columns.
    pub rotation: Vec<Ex>,
}

/// How a free orientation can change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility {
    /// The axis in frame `b` about which it can turn while all unknowns rest that are no angles of
    /// free orientations, such as the axis of a rod between two spherical joints.
    pub idle_axis: Option<[f64; 3]>,
    /// Whether it can turn about every axis.
    pub everywhere: bool,
}

/// A path through configurations.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// Whether one unknown leads and all others move as little as they can, or the only degree of
    /// freedom moves.
    pub led: bool,
    /// What is recorded of each configuration.
    pub seen: Vec<Vec<f64>>,
    /// How each free orientation can change at the end.
    pub mobilities: Vec<Mobility>,
    /// Whether the path bends sharply somewhere, as at a change point, and may have left its
    /// branch.
    pub sharp: bool,
    /// Whether the path ends where it began.
    returns: bool,
}

/// A configuration, and what is seen there.
#[derive(Clone)]
struct Configuration {
    q: Vec<f64>,
    /// The quaternions from which free orientations turn.
    quaternions: Vec<[f64; 4]>,
    gaps: Vec<f64>,
    closing: Vec<Vec<f64>>,
    rolling: Vec<Vec<f64>>,
    turned: Vec<Rotation>,
    place: Vec<f64>,
    seen: Vec<f64>,
}

impl Configuration {
    /// What bars directions of motion.
    fn barriers(&self) -> RowSpace {
        RowSpace::new(self.closing.iter().chain(&self.rolling).cloned().collect())
    }

    /// The largest difference from another one.
    fn distance(&self, other: &Configuration) -> f64 {
        let turned = self.turned.iter().zip(&other.turned).map(|(a, b)| (a - b).amax());
        let place = self.place.iter().zip(&other.place).map(|(a, b)| (a - b).abs());
        turned.chain(place).fold(0.0, f64::max)
    }
}

/// Loops that are moved.
pub struct Explorer<'a> {
    loops: &'a LoopExpressions,
    numeric: Numeric,
    evaluation: Evaluation,
    random: u64,
    zeros: Vec<Function<'a>>,
}

/// A function of what is recorded.
pub type Function<'a> = Box<dyn Fn(&[f64]) -> f64 + 'a>;

impl<'a> Explorer<'a> {
    /// Loops in the configuration at which `numeric` stands.
    pub fn new(loops: &'a LoopExpressions, numeric: &Numeric) -> Explorer<'a> {
        let mut roots = loops.gaps.clone();
        roots.extend(loops.closing.iter().chain(&loops.rolling).flatten());
        roots.extend(loops.turning.iter().flat_map(|turning| &turning.rotation));
        roots.extend(loops.seen.iter().chain(&loops.place));
        let (numeric, evaluation) = (numeric.clone(), Evaluation::new(&roots));
        let random = 0x9e37_79b9_7f4a_7c15;
        Explorer { loops, numeric, evaluation, random, zeros: Vec::new() }
    }

    /// The explorer that, with several degrees of freedom, also moves the loops towards the zeros
    /// of functions, and is done when it has passed one.
    pub fn towards(self, zeros: Vec<Function<'a>>) -> Explorer<'a> {
        Explorer { zeros, ..self }
    }

    /// Paths through the configurations that the loops can reach, of which the first one is the
    /// start alone; none if they are not closed. The work is that of one of `parts` explorers.
    ///
    /// With one degree of freedom they lead both ways, or once round. With several, each unknown
    /// leads one after the other, and then the loops go in random directions.
    pub fn paths(mut self, parts: usize) -> Vec<Path> {
        let Some(start) = self.start() else { return Vec::new() };
        let free = self.loops.free.iter().filter(|&&free| free).count();
        let freedoms = free.saturating_sub(start.barriers().rank());
        let steps = self.steps(parts);
        let rest = vec![0.0; self.loops.symbols.len()];
        let mut paths = vec![self.walk(&start, &rest, 0, true).0];
        match freedoms {
            0 => (),
            1 => {
                let direction = self.random_direction();
                let both = self.both_ways(&start, &direction, steps / 2);
                paths.extend(both.into_iter().map(|(path, _)| path));
            }
            _ => paths.extend(self.all_ways(start, steps)),
        }
        paths
    }

    /// The path on which an angle turns round, once or a few times, until the loops are where they
    /// began, in steps in which blocks of gaps determine their own unknowns one after the other.
    /// That takes far less work than other paths. There is none if a block does not determine its
    /// unknowns.
    pub fn turn(&mut self, angle: usize, blocks: &[[Vec<usize>; 2]]) -> Option<Path> {
        let start = self.start()?;
        let mut path = Path { led: true, seen: vec![start.seen.clone()], ..Path::default() };
        let (mut at, mut last) = (start.clone(), vec![0.0; start.q.len()]);
        for step in 1..=STEPS_OF_A_TURN * MOST_TURNS {
            let mut q: Vec<f64> = at.q.iter().zip(&last).map(|(q, last)| q + last).collect();
            q[angle] = start.q[angle] + step as f64 * TAU / STEPS_OF_A_TURN as f64;
            let next = self.closed_by(q, blocks)?;
            last = next.q.iter().zip(&at.q).map(|(q, before)| q - before).collect();
            path.seen.push(next.seen.clone());
            at = next;
            if step % STEPS_OF_A_TURN == 0 && at.distance(&start) < SAME {
                return Some(path);
            }
        }
        None
    }

    /// The closed configuration where blocks of gaps change their unknowns, one after another.
    fn closed_by(&mut self, mut q: Vec<f64>, blocks: &[[Vec<usize>; 2]]) -> Option<Configuration> {
        let mut moved = vec![0.0; q.len()];
        for _ in 0..MOST_CORRECTIONS {
            let at = self.look(&q, &[])?;
            if at.gaps.iter().all(|gap| gap.abs() <= CLOSED) {
                return Some(at);
            }
            let mut back = DVector::zeros(q.len());
            for [rows, own] in blocks {
                let row = |&row: &usize| RowDVector::from_row_slice(&at.closing[row]);
                let matrix = DMatrix::from_rows(&rows.iter().map(row).collect::<Vec<_>>());
                let gaps = DVector::from_iterator(rows.len(), rows.iter().map(|&row| at.gaps[row]));
                let solution = matrix.select_columns(own).lu().solve(&(gaps - &matrix * &back))?;
                own.iter().zip(&solution).for_each(|(&k, &x)| back[k] = x);
            }
            for (k, back) in back.iter().enumerate() {
                moved[k] += back;
                q[k] -= back / self.loops.scales[k];
            }
            if !moved.iter().all(|moved| moved.abs() <= FARTHEST) {
                return None;
            }
        }
        None
    }

    /// The numbers at the configuration next to the present one in which the loops are closed.
    pub fn closed_start(mut self) -> Option<Numeric> {
        let start = self.start()?;
        self.look(&start.q, &start.quaternions)?;
        Some(self.numeric)
    }

    /// The configuration at which the numbers stand; none if the loops are not closed there.
    fn start(&mut self) -> Option<Configuration> {
        let q = self.numeric.all(&self.loops.symbols);
        let slots = self.loops.turning.iter().map(|turning| turning.quaternion);
        let quaternions = slots.map(|slots| slots.map(|slot| self.numeric.one(slot))).collect();
        self.closed_near(q, quaternions, f64::INFINITY)
    }

    /// How free orientations can change.
    fn mobilities(&self, at: &Configuration) -> Vec<Mobility> {
        let n = self.loops.symbols.len();
        let unit = |k: usize| (0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        let resting = (0..n).filter(|&k| !self.turns(k)).map(unit);
        let barriers = at.closing.iter().chain(&at.rolling).cloned();
        let while_resting = RowSpace::new(barriers.chain(resting).collect());
        let at_all = at.barriers();
        let mobility = |turning: &Turning| {
            // What is left of turns about the three axes.
            let turns = |barriers: &RowSpace| {
                turning.angles.map(|k| {
                    let free = barriers.across(unit(k));
                    turning.angles.map(|k| free[k])
                })
            };
            let length = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let idle = turns(&while_resting).into_iter();
            let longest = idle.max_by(|a, b| length(a).total_cmp(&length(b)));
            let free = RowSpace::new(turns(&at_all).map(|turn| turn.to_vec()).to_vec());
            Mobility {
                idle_axis: longest.filter(|axis| length(axis) > BARRED),
                everywhere: free.rank() == 3,
            }
        };
        self.loops.turning.iter().map(mobility).collect()
    }

    /// Whether an unknown is an angle of a free orientation.
    fn turns(&self, unknown: usize) -> bool {
        self.loops.turning.iter().any(|turning| turning.angles.contains(&unknown))
    }

    /// How many steps are made: fewer if each of them needs many operations.
    fn steps(&self, parts: usize) -> usize {
        let (n, m) = (self.loops.symbols.len(), self.loops.gaps.len() + self.loops.rolling.len());
        let each = self.evaluation.operations() + 4 * n * m * m;
        (MOST_OPERATIONS / (each * parts).max(1)).clamp(FEWEST_STEPS, MOST_STEPS)
    }

    /// Paths in a direction and, if the first does not return, in the opposite one.
    fn both_ways(
        &mut self,
        start: &Configuration,
        direction: &[f64],
        steps: usize,
    ) -> Vec<(Path, Configuration)> {
        let mut paths = vec![self.walk(start, direction, steps, true)];
        if !paths[0].0.returns {
            let back: Vec<f64> = direction.iter().map(|d| -d).collect();
            paths.push(self.walk(start, &back, steps, true));
        }
        paths
    }

    /// Half of the steps with each unknown in the lead, the others in random directions.
    fn all_ways(&mut self, start: Configuration, steps: usize) -> Vec<Path> {
        let leads = (0..self.loops.symbols.len()).filter(|&k| self.loops.free[k]);
        let leads: Vec<usize> = leads.filter(|&k| !self.turns(k)).collect();
        let mut paths = Vec::new();
        if self.passes_zeros(&start, &mut paths) {
            return paths;
        }
        for &lead in &leads {
            let mut direction = vec![0.0; self.loops.symbols.len()];
            direction[lead] = 1.0;
            for (path, end) in self.both_ways(&start, &direction, steps / (4 * leads.len())) {
                paths.push(path);
                if self.passes_zeros(&end, &mut paths) {
                    return paths;
                }
            }
        }
        let mut at = start;
        for _ in 0..steps / (2 * STRAIGHT) {
            let direction = self.random_direction();
            let (path, end) = self.walk(&at, &direction, STRAIGHT, false);
            paths.push(path);
            at = end;
            if self.passes_zeros(&at, &mut paths) {
                break;
            }
        }
        paths
    }

    /// Adds paths towards zeros of the functions; returns whether one of them is passed.
    fn passes_zeros(&mut self, start: &Configuration, paths: &mut Vec<Path>) -> bool {
        (0..self.zeros.len()).any(|zero| {
            let value = self.zeros[zero](&start.seen);
            let (path, _, end) = self.along_slope(start, zero, -1.0);
            paths.push(path);
            if self.zeros[zero](&end.seen) * value <= 0.0 {
                return true;
            }
            // Behind the nearest summit, another zero may be found.
            let (path, last, summit) = self.along_slope(start, zero, 1.0);
            paths.push(path);
            let (path, behind) = self.walk(&summit, &last, BEHIND_A_SUMMIT, false);
            paths.push(path);
            let (path, _, end) = self.along_slope(&behind, zero, -1.0);
            paths.push(path);
            self.zeros[zero](&end.seen) * value <= 0.0
        })
    }

    /// Goes where the magnitude of a function rises or falls most, as long as it does and its sign
    /// remains; also returns the last direction and the end.
    fn along_slope(
        &mut self,
        start: &Configuration,
        zero: usize,
        rise: f64,
    ) -> (Path, Vec<f64>, Configuration) {
        let mut path = Path { seen: vec![start.seen.clone()], ..Path::default() };
        let (mut at, mut last) = (start.clone(), vec![0.0; self.loops.symbols.len()]);
        for _ in 0..STEPS_TO_A_ZERO {
            let value = self.zeros[zero](&at.seen);
            let Some(mut direction) = self.slope(&at, zero) else { break };
            let largest = direction.iter().fold(0.0_f64, |largest, d| largest.max(d.abs()));
            if largest <= BARRED * value.abs() {
                break;
            }
            direction.iter_mut().for_each(|d| *d *= rise * value.signum() / largest);
            let next = (0..=HALVINGS).find_map(|halvings| {
                let next = self.step(&at, &direction, STEP * 0.5_f64.powi(halvings))?;
                (rise * (self.zeros[zero](&next.seen) / value - 1.0) > 0.0).then_some(next)
            });
            let Some(next) = next else { break };
            at = next;
            path.seen.push(at.seen.clone());
            last = direction;
            if self.zeros[zero](&at.seen) * value <= 0.0 {
                break;
            }
        }
        path.mobilities = self.mobilities(&at);
        (path, last, at)
    }

    /// The direction in which a function rises most.
    fn slope(&mut self, at: &Configuration, zero: usize) -> Option<Vec<f64>> {
        let n = self.loops.symbols.len();
        let value = self.zeros[zero](&at.seen);
        let mut slope = vec![0.0; n];
        for direction in self.directions(at) {
            let scaled = direction.iter().zip(&self.loops.scales);
            let q = at.q.iter().zip(scaled).map(|(q, (d, scale))| q + SLOPE * d / scale);
            let near = self.look(&q.collect::<Vec<f64>>(), &at.quaternions)?;
            let rise = (self.zeros[zero](&near.seen) - value) / SLOPE;
            slope.iter_mut().zip(direction).for_each(|(slope, d)| *slope += rise * d);
        }
        Some(slope)
    }

    /// Perpendicular directions of length one in which the loops can move.
    fn directions(&self, at: &Configuration) -> Vec<Vec<f64>> {
        let n = self.loops.symbols.len();
        let barriers = at.barriers();
        let mut rows: Vec<Vec<f64>> = at.closing.iter().chain(&at.rolling).cloned().collect();
        let free = self.loops.free.iter().filter(|&&free| free).count();
        let mut directions = Vec::new();
        for _ in 0..free.saturating_sub(barriers.rank()) {
            let left = RowSpace::new(rows.clone());
            let unit = |k: usize| {
                let own = |i: usize| if i == k && self.loops.free[k] { 1.0 } else { 0.0 };
                left.across((0..n).map(own).collect())
            };
            let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let longest = (0..n).map(unit).max_by(|a, b| length(a).total_cmp(&length(b)));
            let Some(mut longest) = longest else { break };
            let length = length(&longest);
            longest.iter_mut().for_each(|d| *d /= length);
            rows.push(longest.clone());
            directions.push(longest);
        }
        directions
    }

    fn random_direction(&mut self) -> Vec<f64> {
        let mut number = || {
            self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.random >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        (0..self.loops.symbols.len()).map(|_| number()).collect()
    }

    /// Goes straight on from a direction, as far as the loops allow; also returns the end.
    fn walk(
        &mut self,
        start: &Configuration,
        direction: &[f64],
        steps: usize,
        led: bool,
    ) -> (Path, Configuration) {
        let seen = vec![start.seen.clone()];
        let mut path = Path { led, seen, ..Path::default() };
        let (mut at, mut direction, mut away) = (start.clone(), direction.to_vec(), false);
        let mut first: Option<Vec<f64>> = None;
        for _ in 0..steps {
            let free = direction.iter().zip(&self.loops.free);
            direction = free.map(|(&d, &free)| if free { d } else { 0.0 }).collect();
            direction = at.barriers().across(direction);
            let largest = direction.iter().fold(0.0_f64, |largest, d| largest.max(d.abs()));
            if largest < BARRED {
                break;
            }
            direction.iter_mut().for_each(|d| *d /= largest);
            let Some((next, sharp)) = self.next(&at, &direction) else { break };
            path.sharp |= sharp;
            at = next;
            let first = first.get_or_insert_with(|| direction.clone());
            path.seen.push(at.seen.clone());
            let distance = at.distance(start);
            away |= distance > 2.0 * STEP;
            if away && distance < 0.75 * STEP && cosine(first, &direction).abs() > BEND {
                path.returns = true;
                break;
            }
        }
        path.mobilities = self.mobilities(&at);
        (path, at)
    }

    /// The configuration after a step, and whether the direction turns sharply even in the shortest
    /// step.
    fn next(&mut self, at: &Configuration, direction: &[f64]) -> Option<(Configuration, bool)> {
        let length = |halvings: i32| STEP * 0.5_f64.powi(halvings);
        let mut longest = None;
        for halvings in 0..=HALVINGS_IN_BENDS {
            if longest.is_none() && halvings > HALVINGS {
                break;
            }
            let Some(next) = self.step(at, direction, length(halvings)) else { continue };
            if cosine(direction, &next.barriers().across(direction.to_vec())) >= BEND {
                return Some((next, false));
            }
            longest.get_or_insert(next);
        }
        longest.map(|next| (next, true))
    }

    fn step(
        &mut self,
        at: &Configuration,
        direction: &[f64],
        length: f64,
    ) -> Option<Configuration> {
        let scaled = direction.iter().zip(&self.loops.scales);
        let q = at.q.iter().zip(scaled).map(|(q, (d, scale))| q + length * d / scale).collect();
        self.closed_near(q, at.quaternions.clone(), length)
    }

    /// The closed configuration next to one, unless it is farther away than this.
    fn closed_near(
        &mut self,
        mut q: Vec<f64>,
        mut quaternions: Vec<[f64; 4]>,
        far: f64,
    ) -> Option<Configuration> {
        let mut moved = vec![0.0; q.len()];
        for _ in 0..MOST_CORRECTIONS {
            let at = self.look(&q, &quaternions)?;
            if at.gaps.iter().all(|gap| gap.abs() <= CLOSED) {
                for (k, turning) in self.loops.turning.iter().enumerate() {
                    quaternions[k] = quaternion(&at.turned[k]);
                    turning.angles.iter().for_each(|&angle| q[angle] = 0.0);
                }
                return self.look(&q, &quaternions);
            }
            let back = RowSpace::new(at.closing).shortest(&at.gaps, q.len());
            for (k, back) in back.into_iter().enumerate() {
                moved[k] += back;
                q[k] -= back / self.loops.scales[k];
            }
            if moved.iter().any(|moved| moved.abs() > far) {
                return None;
            }
        }
        None
    }

    /// The configuration with these unknowns, unless something there is not finite.
    fn look(&mut self, q: &[f64], quaternions: &[[f64; 4]]) -> Option<Configuration> {
        let loops = self.loops;
        for (&symbol, &value) in loops.symbols.iter().zip(q) {
            self.numeric.set(symbol, value);
        }
        for (turning, quaternion) in loops.turning.iter().zip(quaternions) {
            for (&slot, &value) in turning.quaternion.iter().zip(quaternion) {
                self.numeric.set_parameter(slot, value);
            }
        }
        let values = self.numeric.finite(&mut self.evaluation)?;
        let mut rest = values.into_iter();
        let mut take = |count: usize| rest.by_ref().take(count).collect::<Vec<f64>>();
        let gaps = take(loops.gaps.len());
        let gaps = gaps.iter().zip(&loops.gap_scales).map(|(gap, scale)| gap * scale).collect();
        let mut row = |by: f64| {
            let moves = loops.free.iter().zip(&loops.scales);
            let scaled = |(d, (&free, scale)): (f64, _)| if free { by * d / scale } else { 0.0 };
            take(loops.symbols.len()).into_iter().zip(moves).map(scaled).collect::<Vec<f64>>()
        };
        let closing = loops.gap_scales.iter().map(|&scale| row(scale)).collect();
        let rolling = loops.rolling.iter().map(|_| row(1.0)).collect();
        let turned = take(9 * loops.turning.len());
        let turned = turned.chunks(9).map(Rotation::from_column_slice).collect();
        let seen = take(loops.seen.len());
        let place = take(loops.place.len());
        let (q, quaternions) = (q.to_vec(), quaternions.to_vec());
        Some(Configuration { q, quaternions, gaps, closing, rolling, turned, place, seen })
    }
}

/// The cosine of the angle between two directions.
fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// The quaternion of a rotation.
pub fn quaternion(rotation: &Rotation) -> [f64; 4] {
    let turned = Rotation3::from_matrix_unchecked(rotation.transpose());
    let quaternion = UnitQuaternion::from_rotation_matrix(&turned);
    [quaternion.i, quaternion.j, quaternion.k, quaternion.w]
}

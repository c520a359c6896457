//! Moves loops through the configurations in which they are closed.
//!
//! The loops go along the directions that their equations allow, in small steps after each of which
//! they are closed again. Free orientations turn by small angles from the last configuration, so no
//! configuration is singular because of the way in which it is described.

use crate::compile::algebra::numeric::Numeric;
use crate::compile::algebra::row_space::RowSpace;
use crate::compile::ids::JointId;
use equations::{Evaluation, Ex};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion};

/// A step in rad, or in lengths of the largest lever arm, and how often it is halved where the
/// loops cannot be closed behind it.
const STEP: f64 = 0.1;
const HALVINGS: i32 = 3;

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

/// How many steps the loops make in one random direction.
const STRAIGHT: usize = 40;

/// An orientation: it maps coordinates of frame `a` to those of frame `b`.
pub type Rotation = Matrix3<f64>;

/// Loops as expressions; matrices are lists of rows.
pub struct ClosedLoops {
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
    /// The elements of orientations that are recorded, nine for each, by columns.
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
    /// The recorded orientations of each configuration.
    pub orientations: Vec<Vec<Rotation>>,
    /// How each free orientation can change at the end.
    pub mobilities: Vec<Mobility>,
    /// Whether it ends where it began.
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
    seen: Vec<Rotation>,
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
    loops: &'a ClosedLoops,
    numeric: Numeric,
    evaluation: Evaluation,
    random: u64,
}

impl<'a> Explorer<'a> {
    /// Loops in the configuration at which `numeric` stands.
    pub fn new(loops: &'a ClosedLoops, numeric: &Numeric) -> Explorer<'a> {
        let mut roots = loops.gaps.clone();
        roots.extend(loops.closing.iter().chain(&loops.rolling).flatten());
        roots.extend(loops.turning.iter().flat_map(|turning| &turning.rotation));
        roots.extend(loops.seen.iter().chain(&loops.place));
        let (numeric, evaluation) = (numeric.clone(), Evaluation::new(&roots));
        Explorer { loops, numeric, evaluation, random: 0x9e37_79b9_7f4a_7c15 }
    }

    /// Paths through the configurations that the loops can reach, of which the first one is the
    /// start alone; none if they are not closed. The work is that of one of `parts` explorers.
    ///
    /// With one degree of freedom they lead both ways, or once round. With several, each unknown
    /// leads one after the other, and then the loops go in random directions.
    pub fn paths(mut self, parts: usize) -> Vec<Path> {
        let q = self.numeric.all(&self.loops.symbols);
        let slots = self.loops.turning.iter().map(|turning| turning.quaternion);
        let quaternions = slots.map(|slots| slots.map(|slot| self.numeric.one(slot))).collect();
        let Some(start) = self.closed(q, quaternions, f64::INFINITY) else { return Vec::new() };
        let free = self.loops.free.iter().filter(|&&free| free).count();
        let freedoms = free.saturating_sub(start.barriers().rank());
        let steps = self.steps(parts);
        let rest = vec![0.0; self.loops.symbols.len()];
        let mut paths = vec![self.walk(&start, &rest, 0, true).0];
        match freedoms {
            0 => (),
            1 => {
                let direction = self.random_direction();
                paths.extend(self.both_ways(&start, &direction, steps / 2));
            }
            _ => paths.extend(self.all_ways(start, steps)),
        }
        paths
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
    fn both_ways(&mut self, start: &Configuration, direction: &[f64], steps: usize) -> Vec<Path> {
        let mut paths = vec![self.walk(start, direction, steps, true).0];
        if !paths[0].returns {
            let back: Vec<f64> = direction.iter().map(|d| -d).collect();
            paths.push(self.walk(start, &back, steps, true).0);
        }
        paths
    }

    /// Half of the steps with each unknown in the lead, the others in random directions.
    fn all_ways(&mut self, start: Configuration, steps: usize) -> Vec<Path> {
        let leads = (0..self.loops.symbols.len()).filter(|&k| self.loops.free[k]);
        let leads: Vec<usize> = leads.filter(|&k| !self.turns(k)).collect();
        let mut paths = Vec::new();
        for &lead in &leads {
            let mut direction = vec![0.0; self.loops.symbols.len()];
            direction[lead] = 1.0;
            paths.extend(self.both_ways(&start, &direction, steps / (4 * leads.len())));
        }
        let mut at = start;
        for _ in 0..steps / (2 * STRAIGHT) {
            let direction = self.random_direction();
            let (path, end) = self.walk(&at, &direction, STRAIGHT, false);
            paths.push(path);
            at = end;
        }
        paths
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
        let orientations = vec![start.seen.clone()];
        let mut path = Path { led, orientations, mobilities: Vec::new(), returns: false };
        let (mut at, mut direction, mut away) = (start.clone(), direction.to_vec(), false);
        for _ in 0..steps {
            let free = direction.iter().zip(&self.loops.free);
            direction = free.map(|(&d, &free)| if free { d } else { 0.0 }).collect();
            direction = at.barriers().across(direction);
            let largest = direction.iter().fold(0.0_f64, |largest, d| largest.max(d.abs()));
            if largest < BARRED {
                break;
            }
            direction.iter_mut().for_each(|d| *d /= largest);
            let mut lengths = (0..=HALVINGS).map(|halvings| STEP * 0.5_f64.powi(halvings));
            let next = lengths.find_map(|length| self.step(&at, &direction, length));
            let Some(next) = next else { break };
            at = next;
            path.orientations.push(at.seen.clone());
            let distance = at.distance(start);
            away |= distance > 2.0 * STEP;
            if away && distance < 0.75 * STEP {
                path.returns = true;
                break;
            }
        }
        path.mobilities = self.mobilities(&at);
        (path, at)
    }

    fn step(
        &mut self,
        at: &Configuration,
        direction: &[f64],
        length: f64,
    ) -> Option<Configuration> {
        let scaled = direction.iter().zip(&self.loops.scales);
        let q = at.q.iter().zip(scaled).map(|(q, (d, scale))| q + length * d / scale).collect();
        self.closed(q, at.quaternions.clone(), length)
    }

    /// The closed configuration next to one, unless it is farther away than this.
    fn closed(
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
        let mut rotations = |count: usize| {
            take(9 * count).chunks(9).map(Rotation::from_column_slice).collect::<Vec<_>>()
        };
        let turned = rotations(loops.turning.len());
        let seen = rotations(loops.seen.len() / 9);
        let place = take(loops.place.len());
        let (q, quaternions) = (q.to_vec(), quaternions.to_vec());
        Some(Configuration { q, quaternions, gaps, closing, rolling, turned, place, seen })
    }
}

/// The quaternion of a rotation.
pub fn quaternion(rotation: &Rotation) -> [f64; 4] {
    let turned = Rotation3::from_matrix_unchecked(rotation.transpose());
    let quaternion = UnitQuaternion::from_rotation_matrix(&turned);
    [quaternion.i, quaternion.j, quaternion.k, quaternion.w]
}

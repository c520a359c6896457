//! Continuation: nonlinear blocks that fail are solved along a path from the anchor.
//!
//! The code of a block is only the loop of Newton's method; continuation evaluates all blocks
//! again at each point of the path.

use crate::evaluation::Evaluation;
use crate::model::system::{Info, Solved, Stage};
use std::ops::Range;

/// The length of the path, in units of the smallest step.
const PATH: u32 = 1 << 16;

/// A difference of two solutions below this, relative to their magnitude or to one, is not a jump:
/// near a dead point two solutions at the same point differ by far more than rounding errors.
const JUMP: f64 = 1e-6;

/// The data of the anchor, besides the solution of loops, that a continuation does not use.
#[derive(Clone, Copy)]
enum Discarded {
    Determinant,
    DeterminantAndTangent,
}

/// What a continuation computes at the present point.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// The values of a stage.
    Advance(Stage),
    /// The unknowns of the deferred blocks, which need a stage.
    Deferred(Stage),
    /// The reported values of a stage, which may need deferred blocks.
    Report(Stage),
}

impl Evaluation {
    /// Follows the path from the anchor to the present point in steps as large as possible, each of
    /// which starts from the solution of the previous step. If the continuation fails, and inputs
    /// or discrete variables have jumped since the anchor was set, it starts again without the
    /// anchor's determinant, which limits the distance from the anchor. Finally it starts without
    /// the anchor's tangent too.
    #[cold]
    pub fn realize_by_continuation(&mut self, goal: Goal) -> Solved {
        if self.info.sizes.unknowns == 0 {
            self.memory.scalars.failed = true;
            return self.reach(goal);
        }
        self.scratch.x.copy_from_slice(self.memory.x());
        self.scratch.anchor.copy_from_slice(self.memory.anchor());
        let t = self.time();
        let mut solved = self.follow_path(t, goal, PATH / 2);
        self.memory.anchor_mut().copy_from_slice(&self.scratch.anchor);
        if solved.is_err() && self.jumped(goal) {
            for discarded in [Discarded::Determinant, Discarded::DeterminantAndTangent] {
                if solved.is_err() {
                    self.discard(discarded);
                    solved = self.follow_path(t, goal, PATH);
                    self.memory.anchor_mut().copy_from_slice(&self.scratch.anchor);
                }
            }
        }
        if solved.is_err() {
            self.memory.scalars.failed = true;
            self.memory.scalars.t = t;
            self.memory.x_mut().copy_from_slice(&self.scratch.x);
            self.memory.invalidate(Stage::Time);
        }
        solved
    }

    /// Whether a loop has another solution than the anchor at the anchor's time and states, because
    /// inputs or discrete variables have jumped.
    fn jumped(&mut self, goal: Goal) -> bool {
        let (sections, _, scalars) = self.memory.split();
        sections.x.copy_from_slice(sections.anchor_x);
        scalars.t = scalars.anchor_t;
        // Unknowns that the goal does not need are not compared.
        sections.z.copy_from_slice(sections.anchor);
        self.memory.invalidate(Stage::Time);
        let solved = self.reach(self.on_the_way(goal));
        let (z, anchor) = (self.memory.z(), self.memory.anchor());
        let near = |k: usize| (z[k] - anchor[k]).abs() <= JUMP * (1.0 + anchor[k].abs());
        solved.is_err() || !loops(self.info).all(|(mut solution, _)| solution.all(near))
    }

    fn discard(&mut self, what: Discarded) {
        let (info, anchor) = (self.info, self.memory.anchor_mut());
        for (_, kept) in loops(info) {
            let end = match what {
                Discarded::Determinant => kept.start + 1,
                Discarded::DeterminantAndTangent => kept.end,
            };
            anchor[kept.start..end].fill(0.0);
        }
    }

    /// Follows the path to `t` and the target states; a failed step is halved, and the step after a
    /// successful step is twice as long.
    fn follow_path(&mut self, t: f64, goal: Goal, first: u32) -> Solved {
        let (mut done, mut step) = (0, first);
        while done < PATH {
            let end = done + step.min(PATH - done);
            self.move_along(t, end);
            let goal = if end == PATH { goal } else { self.on_the_way(goal) };
            match self.reach(goal) {
                Ok(()) if end == PATH => break,
                Ok(()) => {
                    let (sections, ..) = self.memory.split();
                    sections.anchor.copy_from_slice(sections.z);
                    (done, step) = (end, 2 * step);
                }
                Err(failure) if step == 1 => return Err(failure),
                Err(_) => step /= 2,
            }
        }
        Ok(())
    }

    /// What is computed at the points before the last one: the unknowns that the goal needs.
    fn on_the_way(&self, goal: Goal) -> Goal {
        match (goal, self.info.deferred) {
            (Goal::Report(_), Some(stage)) => Goal::Deferred(stage),
            _ => goal,
        }
    }

    /// Computes the values of a goal without continuation.
    fn reach(&mut self, goal: Goal) -> Solved {
        let (Goal::Advance(stage) | Goal::Deferred(stage) | Goal::Report(stage)) = goal;
        if self.memory.scalars.realized <= stage as u32 {
            self.realize_directly(stage)?;
        }
        match goal {
            Goal::Advance(_) => Ok(()),
            Goal::Deferred(_) => self.solve_deferred(),
            Goal::Report(stage) => self.report_directly(stage),
        }
    }

    /// Moves to a point on the path from the anchor to `t` and the target states.
    fn move_along(&mut self, t: f64, position: u32) {
        let fraction = f64::from(position) / f64::from(PATH);
        let last = position == PATH;
        let (sections, _, scalars) = self.memory.split();
        scalars.t = if last { t } else { scalars.anchor_t + fraction * (t - scalars.anchor_t) };
        let target = self.scratch.x.iter();
        for ((x, &start), &end) in sections.x.iter_mut().zip(&*sections.anchor_x).zip(target) {
            *x = if last { end } else { start + fraction * (end - start) };
        }
        self.memory.invalidate(Stage::Time);
    }
}

/// For each loop, the range of its solution in `z` and the range of its other data, which begin
/// with the determinant.
fn loops(info: &Info) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let ends = info.blocks.iter().skip(1).map(|block| block.offset as usize);
    let blocks = info.blocks.iter().zip(ends.chain([info.sizes.unknowns]));
    let loops = blocks.filter(|(block, _)| block.size > 0 && block.kind.is_loop());
    loops.map(|(block, end)| {
        let start = block.offset as usize;
        let sign = start + block.size as usize;
        (start..sign, sign + 1..end)
    })
}

//! Continuation: blocks that fail are approached from the anchor.

use crate::evaluation::{Evaluation, is_near};
use crate::system::{BlockKind, Info, Solved, Stage};
use std::ops::{Range, RangeInclusive};

/// A way is walked in at most two to the power of this parts.
const MOST_HALVINGS: u32 = 6;

impl Evaluation {
    /// Walks from the anchor to the present point in ever smaller parts, each beginning at the
    /// solution of the part before. A walk cannot follow what has jumped since the anchor was
    /// taken; then it begins without what the anchor knows of the motion.
    #[cold]
    pub fn climb_by_continuation(&mut self, to: Stage) -> Solved {
        if self.info.sizes.unknowns == 0 {
            self.memory.now.troubled = true;
            return self.climb_straight(to);
        }
        self.scratch.x.copy_from_slice(self.memory.x());
        self.scratch.anchor.copy_from_slice(self.memory.anchor());
        let t = self.memory.now.t;
        let mut solved = self.walk_in_parts(1..=MOST_HALVINGS, t, to, false);
        if solved.is_err() && self.jumped() {
            solved = self.walk_in_parts(0..=MOST_HALVINGS, t, to, true);
        }
        if solved.is_err() {
            self.memory.now.troubled = true;
            self.memory.now.t = t;
            self.memory.x_mut().copy_from_slice(&self.scratch.x);
            self.memory.lower(Stage::Time);
        }
        solved
    }

    /// Walks in 2^k parts until that succeeds.
    fn walk_in_parts(
        &mut self,
        exponents: RangeInclusive<u32>,
        t: f64,
        to: Stage,
        jumped: bool,
    ) -> Solved {
        let mut solved = Ok(());
        for k in exponents {
            if jumped {
                self.forget_motion();
            }
            solved = self.walk(t, 1 << k, to);
            self.memory.anchor_mut().copy_from_slice(&self.scratch.anchor);
            if solved.is_ok() {
                break;
            }
        }
        solved
    }

    /// Whether a loop has another solution now at the time and the states of the anchor, because
    /// inputs or discrete variables have jumped.
    fn jumped(&mut self) -> bool {
        let (sections, _, now) = self.memory.split();
        sections.x.copy_from_slice(sections.anchor_x);
        now.t = now.anchor_t;
        self.memory.lower(Stage::Time);
        let solved = self.climb_straight(Stage::Dynamics);
        let near = |k: usize| is_near(self.memory.z()[k], self.memory.anchor()[k]);
        solved.is_err() || !loops(self.info).all(|(mut solution, _)| solution.all(near))
    }

    /// Forgets what the anchor knows of loops beside their solution.
    fn forget_motion(&mut self) {
        let (info, anchor) = (self.info, self.memory.anchor_mut());
        for (_, kept) in loops(info) {
            anchor[kept].fill(0.0);
        }
    }

    fn walk(&mut self, t: f64, parts: u32, to: Stage) -> Solved {
        for part in 1..=parts {
            let fraction = f64::from(part) / f64::from(parts);
            let (sections, _, now) = self.memory.split();
            let last = part == parts;
            now.t = if last { t } else { now.anchor_t + fraction * (t - now.anchor_t) };
            let target = self.scratch.x.iter();
            for ((x, &start), &end) in sections.x.iter_mut().zip(&*sections.anchor_x).zip(target) {
                *x = if last { end } else { start + fraction * (end - start) };
            }
            self.memory.lower(Stage::Time);
            self.climb_straight(to)?;
            if !last {
                let (sections, ..) = self.memory.split();
                sections.anchor.copy_from_slice(sections.z);
            }
        }
        Ok(())
    }
}

/// Where in `z` the solution of each loop is, and what else is kept of it.
fn loops(info: &Info) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let ends = info.blocks.iter().skip(1).map(|block| block.offset as usize);
    let blocks = info.blocks.iter().zip(ends.chain([info.sizes.unknowns]));
    let loops = blocks.filter(|(block, _)| block.size > 0 && block.kind == BlockKind::Loop);
    loops.map(|(block, end)| {
        let start = block.offset as usize;
        let sign = start + block.size as usize;
        (start..sign, sign + 1..end)
    })
}

//! Continuation: blocks that fail are approached from the anchor.

use crate::evaluation::Evaluation;
use crate::system::{BlockKind, Info, Solved, Stage};
use std::ops::Range;

/// The whole way, in units of its smallest part.
const WAY: u32 = 1 << 16;

/// What moves a loop by less, relative to one or its size, is no jump: near a dead point two
/// solutions at one place differ by far more than rounding.
const NO_JUMP: f64 = 1e-6;

/// What a walk does without of what the anchor keeps of loops beside their solution.
#[derive(Clone, Copy)]
enum Forgotten {
    Determinant,
    DeterminantAndTangent,
}

impl Evaluation {
    /// Walks from the anchor to the present point in parts as large as possible, each beginning at
    /// the solution of the part before. A walk cannot follow what has jumped since the anchor was
    /// taken; then it begins without the anchor's determinant, which says how far the anchor
    /// reaches, and at last without its tangent.
    #[cold]
    pub fn realize_by_continuation(&mut self, to: Stage) -> Solved {
        if self.info.sizes.unknowns == 0 {
            self.memory.scalars.failed = true;
            return self.realize_directly(to);
        }
        self.scratch.x.copy_from_slice(self.memory.x());
        self.scratch.anchor.copy_from_slice(self.memory.anchor());
        let t = self.memory.scalars.t;
        let mut solved = self.walk(t, to, WAY / 2);
        self.memory.anchor_mut().copy_from_slice(&self.scratch.anchor);
        if solved.is_err() && self.jumped() {
            for forgotten in [Forgotten::Determinant, Forgotten::DeterminantAndTangent] {
                if solved.is_err() {
                    self.forget(forgotten);
                    solved = self.walk(t, to, WAY);
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

    /// Whether a loop has another solution now at the time and the states of the anchor, because
    /// inputs or discrete variables have jumped.
    fn jumped(&mut self) -> bool {
        let (sections, _, scalars) = self.memory.split();
        sections.x.copy_from_slice(sections.anchor_x);
        scalars.t = scalars.anchor_t;
        self.memory.invalidate(Stage::Time);
        let solved = self.realize_directly(Stage::Dynamics);
        let (z, anchor) = (self.memory.z(), self.memory.anchor());
        let near = |k: usize| (z[k] - anchor[k]).abs() <= NO_JUMP * (1.0 + anchor[k].abs());
        solved.is_err() || !loops(self.info).all(|(mut solution, _)| solution.all(near))
    }

    fn forget(&mut self, what: Forgotten) {
        let (info, anchor) = (self.info, self.memory.anchor_mut());
        for (_, kept) in loops(info) {
            let end = match what {
                Forgotten::Determinant => kept.start + 1,
                Forgotten::DeterminantAndTangent => kept.end,
            };
            anchor[kept.start..end].fill(0.0);
        }
    }

    /// Walks to `t` and the states kept aside; a part that fails is halved, one that succeeds is
    /// followed by one of twice its length.
    fn walk(&mut self, t: f64, to: Stage, first: u32) -> Solved {
        let (mut done, mut part) = (0, first);
        while done < WAY {
            let end = done + part.min(WAY - done);
            self.move_along(t, end);
            match self.realize_directly(to) {
                Ok(()) if end == WAY => break,
                Ok(()) => {
                    let (sections, ..) = self.memory.split();
                    sections.anchor.copy_from_slice(sections.z);
                    (done, part) = (end, 2 * part);
                }
                Err(failure) if part == 1 => return Err(failure),
                Err(_) => part /= 2,
            }
        }
        Ok(())
    }

    /// Moves to a place on the way from the anchor to `t` and the states kept aside.
    fn move_along(&mut self, t: f64, place: u32) {
        let fraction = f64::from(place) / f64::from(WAY);
        let last = place == WAY;
        let (sections, _, scalars) = self.memory.split();
        scalars.t = if last { t } else { scalars.anchor_t + fraction * (t - scalars.anchor_t) };
        let target = self.scratch.x.iter();
        for ((x, &start), &end) in sections.x.iter_mut().zip(&*sections.anchor_x).zip(target) {
            *x = if last { end } else { start + fraction * (end - start) };
        }
        self.memory.invalidate(Stage::Time);
    }
}

/// Where in `z` the solution of each loop is, and what else is kept of it, the determinant first.
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

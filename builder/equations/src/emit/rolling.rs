//! Equal parts of straight-line code as loops.
//!
//! A chain of equal components leads to the same statements again and again, with other elements of
//! the vectors. Code that exists once stays in the cache for instructions, and the compiler has
//! less to do. Each statement keeps its operation and its operands, so results have the same bits.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use expressions::graph::{Binary, Comparison, Id, Node, Unary};

use crate::emit::argument::Argument;
use crate::emit::statement::Scope;
use crate::layout::{Chunk, Target};

/// Minimum number of turns of a loop: a few are faster one after the other.
const FEWEST_TURNS: usize = 12;

/// Maximum number of lines in one turn, so that the search takes a time in proportion to the number
/// of lines.
const LONGEST_TURN: usize = 60;

/// A line of emitted code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Line {
    /// Computes a node.
    Statement(Id),
    /// Stores a value.
    Store(Target, Id),
}

impl Line {
    /// The lines of a chunk in order.
    pub fn of_chunk(chunk: &Chunk) -> Vec<Line> {
        let mut lines = Vec::new();
        for position in 0..=chunk.nodes.len() {
            lines.extend(chunk.nodes.get(position).map(|&node| Line::Statement(node)));
            let stores = chunk.stores.get(&position).into_iter().flatten();
            lines.extend(stores.map(|&(target, id)| Line::Store(target, id)));
        }
        lines
    }
}

/// A loop instead of lines.
///
/// The lines of the last turn follow the loop and are not part of its body, so later lines find the
/// values of the last turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Loop {
    /// The position of its first line.
    pub first: usize,
    /// The number of lines in one turn.
    pub length: usize,
    /// The number of turns.
    pub turns: usize,
    /// For each element that the first turn reads or writes, the distance to that of the next turn.
    pub strides: BTreeMap<(Argument, u32), i64>,
    /// The values that each turn reads from the turn before.
    pub carried: BTreeSet<Carried>,
}

impl Loop {
    /// The positions of its lines.
    pub fn lines(&self) -> Range<usize> {
        self.first..self.first + self.length * self.turns
    }

    /// The positions of the lines of its body in all turns, whose values are not known behind it.
    fn hidden(&self) -> Range<usize> {
        self.first..self.first + self.length * (self.turns - 1)
    }
}

/// A value that each turn reads from the turn before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Carried {
    /// What the first turn reads.
    pub first: Id,
    /// What the first turn computes for the second one.
    pub next: Id,
    /// What the last turn reads.
    pub last: Id,
}

/// What a line does, apart from where.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Unary(Unary),
    Binary(Binary),
    Compare(Comparison),
    Not,
    And,
    Or,
    Select,
    SinCos,
    /// Stores a number, or a truth value.
    Store {
        truth: bool,
    },
    /// One that no other line repeats.
    Single(usize),
}

/// Where a line reads or writes a value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Element(Argument, u32),
    /// The statement at a position, and which of its results it is.
    Local(usize, u32, Id),
    /// A constant, or another value without a position.
    Fixed(Id),
}

/// How a place differs from that one turn before.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    /// By so many elements.
    Elements(i64),
    /// It is a statement of the next turn.
    Turn,
    /// It is the same.
    Same,
}

/// The lines of a chunk, and what they do.
pub(crate) struct Rolling {
    /// The operation of each line, and its places.
    described: Vec<(Operation, Vec<Place>)>,
    /// The values that are stored in the work vector.
    stored: BTreeSet<Id>,
}

impl Rolling {
    pub fn new(scope: &Scope<'_>, lines: &[Line]) -> Rolling {
        let statements = lines.iter().enumerate().filter_map(|(position, line)| match line {
            Line::Statement(id) => Some((*id, position)),
            Line::Store(..) => None,
        });
        let positions: BTreeMap<Id, usize> = statements.collect();
        let describe = |(position, line)| describe(scope, &positions, position, line);
        let described = lines.iter().enumerate().map(describe).collect();
        let stored = lines.iter().filter_map(|line| match line {
            Line::Store(Target::Work(_), id) => Some(*id),
            _ => None,
        });
        Rolling { described, stored: stored.collect() }
    }

    /// The loops, in order.
    pub fn loops(&self) -> Vec<Loop> {
        let mut loops = Vec::new();
        let all = 0..self.described.len();
        let mut ranges = vec![all];
        while let Some(range) = ranges.pop() {
            if let Some(found) = self.longest_loop(range.clone()) {
                let lines = found.lines();
                ranges.extend([range.start..lines.start, lines.end..range.end]);
                loops.push(found);
            }
        }
        loops.sort_by_key(|found| found.first);
        loops
    }

    /// The loop in a range that replaces the most lines.
    fn longest_loop(&self, range: Range<usize>) -> Option<Loop> {
        let mut best: Option<Loop> = None;
        for length in 1..=(range.len() / FEWEST_TURNS).min(LONGEST_TURN) {
            for run in self.runs(range.clone(), length) {
                // A turn may begin with any line of the run's first turn.
                let begun = (run.start..run.start + length).filter_map(|first| {
                    let turns = (run.end - first) / length;
                    let enough = turns >= FEWEST_TURNS;
                    enough.then(|| self.checked(first, length, turns)).flatten()
                });
                let found = begun.max_by_key(|l| (l.turns, Reverse(l.carried.len())));
                let replaced = |l: &Loop| l.hidden().len();
                if found.as_ref().map(replaced) > best.as_ref().map(replaced) {
                    best = found;
                }
            }
        }
        best
    }

    /// The parts of a range in which every line repeats the one `length` lines before it, with the
    /// same steps in all turns.
    fn runs(&self, range: Range<usize>, length: usize) -> Vec<Range<usize>> {
        let steps: Vec<Option<Vec<Step>>> =
            range.clone().skip(length).map(|line| self.steps(line, length)).collect();
        let mut runs = Vec::new();
        let mut first = 0;
        while first < steps.len() {
            let repeats = |k: &usize| {
                steps[*k].is_some() && (*k < first + length || steps[*k] == steps[*k - length])
            };
            let end = (first..steps.len()).find(|k| !repeats(k)).unwrap_or(steps.len());
            if end > first {
                runs.push(range.start + first..range.start + end + length);
            }
            // A run may begin within the last turn of this one.
            first = (end + 1).saturating_sub(length).max(first + 1);
        }
        runs
    }

    /// How the places of a line differ from those of the line `length` lines before; `None` if it
    /// does something else.
    fn steps(&self, line: usize, length: usize) -> Option<Vec<Step>> {
        let (before, here) = (&self.described[line - length], &self.described[line]);
        let step = |(before, here): (&Place, &Place)| match (*before, *here) {
            (Place::Element(a, i), Place::Element(b, j)) if a == b => {
                Some(Step::Elements(i64::from(j) - i64::from(i)))
            }
            (Place::Local(p, k, _), Place::Local(q, l, _)) if k == l && p == q => Some(Step::Same),
            (Place::Local(p, k, _), Place::Local(q, l, _)) if k == l && p + length == q => {
                Some(Step::Turn)
            }
            (Place::Fixed(a), Place::Fixed(b)) if a == b => Some(Step::Same),
            _ => None,
        };
        let same = before.0 == here.0 && before.1.len() == here.1.len();
        same.then(|| before.1.iter().zip(&here.1).map(step).collect()).flatten()
    }

    /// A loop over lines that repeat each other; `None` if a value would not be found.
    fn checked(&self, first: usize, length: usize, turns: usize) -> Option<Loop> {
        let mut found = Loop { first, length, turns, ..Loop::default() };
        let mut unchanged = BTreeSet::new();
        for line in first..first + length {
            let steps = self.steps(line + length, length)?;
            for (index, step) in steps.iter().enumerate() {
                let place = |turn: usize| self.described[line + turn * length].1[index];
                match (place(0), *step) {
                    (Place::Element(argument, i), Step::Elements(stride)) => {
                        let known = found.strides.insert((argument, i), stride);
                        if known.is_some_and(|known| known != stride) {
                            return None;
                        }
                    }
                    (Place::Local(position, _, id), Step::Same) if position < first => {
                        unchanged.insert(id);
                    }
                    (Place::Local(position, ..), Step::Turn) if position >= first => {}
                    (Place::Local(position, _, id), Step::Turn) if position + length >= first => {
                        let (Place::Local(_, _, next), Place::Local(_, _, last)) =
                            (place(1), place(turns - 1))
                        else {
                            return None;
                        };
                        found.carried.insert(Carried { first: id, next, last });
                    }
                    (Place::Fixed(_), _) => {}
                    _ => return None,
                }
            }
        }
        // A value has one name in a turn.
        let mut read: BTreeSet<Id> = unchanged;
        let distinct = found.carried.iter().all(|carried| read.insert(carried.first));
        (distinct && self.is_enough_behind(&found)).then_some(found)
    }

    /// Whether the lines behind a loop read only values of its last turn, and stored ones.
    fn is_enough_behind(&self, found: &Loop) -> bool {
        let hidden = found.hidden();
        let mut places = self.described[found.lines().end..].iter().flat_map(|(_, places)| places);
        places.all(|place| match place {
            Place::Local(position, _, id) => !hidden.contains(position) || self.stored.contains(id),
            _ => true,
        })
    }
}

/// The operation of the line at a position, and its places, given the positions of all statements.
fn describe(
    scope: &Scope<'_>,
    positions: &BTreeMap<Id, usize>,
    position: usize,
    line: &Line,
) -> (Operation, Vec<Place>) {
    let code = scope.code;
    let place = |id: Id| match (scope.element_of(id), positions.get(&code.statement_of(id))) {
        (Some((argument, index)), _) => Place::Element(argument, index),
        (None, Some(&position)) => match code.node(id) {
            Node::Output(_, result) => Place::Local(position, *result, id),
            _ => Place::Local(position, 0, id),
        },
        (None, None) => Place::Fixed(id),
    };
    let id = match *line {
        Line::Statement(id) => id,
        Line::Store(target, id) => {
            return match scope.destination(target) {
                (argument, Some(index)) if code.width(id) == 1 => {
                    let truth = code.node(id).is_truth();
                    (Operation::Store { truth }, vec![Place::Element(argument, index), place(id)])
                }
                _ => (Operation::Single(position), vec![place(id)]),
            };
        }
    };
    let operation = match code.node(id) {
        Node::Unary(operation, _) => Operation::Unary(*operation),
        Node::Binary(operation, ..) => Operation::Binary(*operation),
        Node::Compare(comparison, ..) => Operation::Compare(*comparison),
        Node::Not(_) => Operation::Not,
        Node::And(..) => Operation::And,
        Node::Or(..) => Operation::Or,
        Node::Select(..) => Operation::Select,
        Node::SinCos(_) => Operation::SinCos,
        _ => Operation::Single(position),
    };
    let mut places = Vec::new();
    code.for_each_operand(id, &mut |operand| places.push(place(operand)));
    (operation, places)
}

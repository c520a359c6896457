//! The initial positions that loops determine: those of the text, followed along a path to the
//! parameters and start values of the instance.

use crate::compile::topology::loop_equations::LoopEquations;
use crate::compile::topology::loop_structure::{LoopBlock, LoopUnknown};
use crate::error::Error;
use crate::statements::algebra::graph_search::components;
use crate::statements::algebra::numeric::Numeric;
use equations::{
    Bool, Ex, Path, PathInput, evaluate, leaves_of, newton, newton_assembly, select, substitute,
};
use std::f64::consts::TAU;

/// Blocks that need each other's unknowns follow one path together, up to this number of unknowns.
const LARGEST_GROUP: usize = 60;

/// The blocks of the initial positions, ordered such that each block needs only earlier blocks. A
/// block that other blocks need is joined with the other blocks, because their positions depend on
/// this block along the path.
pub fn groups(loops: &LoopEquations) -> Vec<LoopBlock> {
    let blocks = &loops.structure.start;
    let all: Vec<usize> = (0..blocks.len()).collect();
    let leaves: Vec<_> = blocks.iter().map(|block| leaves_of(&loops.residuals(block))).collect();
    let needs = |&(i, j): &(usize, usize)| {
        let mut symbols = blocks[j].unknowns.iter().map(|&k| loops.unknowns[k].symbol);
        i != j && symbols.any(|symbol| symbol.as_leaf().is_some_and(|l| leaves[i].contains(&l)))
    };
    let pairs = all.iter().flat_map(|&i| all.iter().map(move |&j| (i, j)));
    let (measured, others): (Vec<usize>, Vec<usize>) = all.iter().partition(|&&j| {
        measured(loops, &blocks[j]).is_some() && !all.iter().any(|&i| needs(&(i, j)))
    });
    let pairs = pairs.filter(|(i, j)| !measured.contains(i) && !measured.contains(j));
    let joined = |set: &Vec<usize>| LoopBlock {
        rows: set.iter().flat_map(|&i| blocks[i].rows.clone()).collect(),
        unknowns: set.iter().flat_map(|&i| blocks[i].unknowns.clone()).collect(),
    };
    let mut groups = Vec::new();
    for set in components(&others, pairs.filter(needs)) {
        match joined(&set) {
            group if group.unknowns.len() <= LARGEST_GROUP => groups.push(group),
            _ => groups.extend(set.iter().map(|&i| blocks[i].clone())),
        }
    }
    groups.extend(measured.iter().map(|&j| blocks[j].clone()));
    groups
}

/// The value of the only unknown of a block that measures something.
fn measured(loops: &LoopEquations, block: &LoopBlock) -> Option<Ex> {
    loops.closed_form(block)?.measured()
}

/// The positions of the unknowns of a group, where the other symbols have the values `by`.
/// Afterwards `numeric` has these positions at the start values of the text. If `driven`, signals
/// give some values: the text does not say where the loops begin, so that its guesses count where
/// the path does not lead on.
///
/// # Errors
/// If the loops cannot be closed there.
pub fn positions(
    loops: &LoopEquations,
    group: &LoopBlock,
    by: &[(Ex, Ex)],
    driven: impl Fn(Ex) -> bool,
    numeric: &mut Numeric,
) -> Result<Vec<Ex>, Error> {
    if let Some(value) = measured(loops, group) {
        return Ok(substitute(&[value], by));
    }
    let own: Vec<&LoopUnknown> = group.unknowns.iter().map(|&k| &loops.unknowns[k]).collect();
    let group = Group {
        name: loops.block_name(group),
        symbols: own.iter().map(|unknown| unknown.symbol).collect(),
        residuals: loops.residuals(group),
    };
    let wanted = |leaf: Ex| by.iter().find(|(s, _)| s.key() == leaf.key()).map_or(leaf, |b| b.1);
    let inputs: Vec<(Ex, Ex)> =
        group.inputs().into_iter().map(|leaf| (leaf, wanted(leaf))).collect();
    let values: Vec<Ex> = inputs.iter().map(|input| input.1).collect();
    let starts: Vec<(Ex, f64)> =
        inputs.iter().map(|input| input.0).zip(numeric.all(&values)).collect();

    let guesses: Vec<f64> = own.iter().map(|unknown| unknown.start).collect();
    let known = group.at_start(&starts, &guesses, numeric)?;
    let found = group.symbols.iter().copied().zip(known.iter().copied());
    starts.iter().copied().chain(found).for_each(|(leaf, value)| numeric.set(leaf, value));

    let from = |(leaf, start): (Ex, f64), value: Ex| match group.repeats(leaf, numeric) {
        true => start + whole_turns(value - start),
        false => start.into(),
    };
    let inputs = starts.iter().zip(values).map(|(&(leaf, start), value)| PathInput {
        leaf,
        known: from((leaf, start), value),
        wanted: value,
    });
    let inputs: Vec<PathInput> = inputs.collect();
    let driven = inputs.iter().any(|input| driven(input.wanted));
    let mut path_first = Bool::constant(driven);
    let wish = |(unknown, &known): (&&LoopUnknown, &f64)| {
        let Some(slot) = unknown.guess_slot else { return known.into() };
        let as_in_text = slot.equals(numeric.one(slot));
        path_first = path_first & as_in_text;
        let otherwise = if driven && unknown.given_guess { unknown.guess } else { known.into() };
        select(as_in_text, otherwise, unknown.guess)
    };
    let wishes: Vec<Ex> = own.iter().zip(&known).map(wish).collect();
    Ok(group.along(&Path { inputs: &inputs, known: &known, wishes: &wishes, path_first }))
}

/// Loops that are solved together.
struct Group {
    name: String,
    symbols: Vec<Ex>,
    residuals: Vec<Ex>,
}

impl Group {
    /// The leaves on which the solution depends.
    fn inputs(&self) -> Vec<Ex> {
        let leaves = leaves_of(&self.residuals).into_iter().filter(|leaf| !leaf.is_truth());
        let is_input = |leaf: &Ex| self.symbols.iter().all(|symbol| symbol.key() != leaf.key());
        leaves.map(Ex::leaf).filter(is_input).collect()
    }

    /// The solution at the end of a path.
    fn along(&self, path: &Path<'_>) -> Vec<Ex> {
        newton_assembly(&self.name, &self.symbols, &self.residuals, path)
    }

    /// The solution where the inputs have their start values. When the build closed the loops, all
    /// coordinates moved; the path from there leads back to those that loops do not determine. If
    /// it does not, the solution that is found from the guesses counts, or from where the loops
    /// were closed.
    fn at_start(
        &self,
        starts: &[(Ex, f64)],
        guesses: &[f64],
        numeric: &Numeric,
    ) -> Result<Vec<f64>, Error> {
        let closed = numeric.all(&self.symbols);
        let inputs = starts.iter().map(|&(leaf, start)| PathInput {
            leaf,
            known: numeric.one(leaf).into(),
            wanted: start.into(),
        });
        let inputs: Vec<PathInput> = inputs.collect();
        let wishes: Vec<Ex> = closed.iter().map(|&known| known.into()).collect();
        let path_first = Bool::constant(true);
        let path = Path { inputs: &inputs, known: &closed, wishes: &wishes, path_first };
        let value = |solution: Vec<Ex>| evaluate(&solution, &mut |leaf| numeric.get(leaf));
        let found = value(self.along(&path)).or_else(|failure| {
            let by: Vec<(Ex, Ex)> =
                starts.iter().map(|&(leaf, start)| (leaf, start.into())).collect();
            let residuals = substitute(&self.residuals, &by);
            let from = |begin: &[f64]| {
                let begin: Vec<Ex> = begin.iter().map(|&value| value.into()).collect();
                value(newton(&self.name, &self.symbols, &residuals, &begin))
            };
            from(guesses).or_else(|_| from(&closed)).map_err(|_| failure)
        });
        found.map_err(|failure| Error::Initial(failure.to_string()))
    }

    /// Whether the residuals are the same after a whole turn of an angle, in two configurations.
    fn repeats(&self, angle: Ex, numeric: &Numeric) -> bool {
        let values = |away: f64, turn: f64| {
            let mut moved = 0.0;
            numeric.all_with(&self.residuals, |leaf, value| {
                moved = (moved + 0.618) % 1.0;
                let turned = if Some(leaf) == angle.as_leaf() { turn } else { 0.0 };
                value + away * moved + turned
            })
        };
        [0.0, 0.1].into_iter().all(|away| {
            let (before, after) = (values(away, 0.0), values(away, TAU));
            before.iter().zip(&after).all(|(before, after)| (before - after).abs() <= ROUNDING)
        })
    }
}

/// Differences of residuals in m or rad that are rounding errors.
const ROUNDING: f64 = 1e-10;

/// The whole turns in an angle, towards zero: a path need not go through them.
fn whole_turns(angle: Ex) -> Ex {
    TAU * angle.sign() * (angle.abs() / TAU).floor()
}

//! The initial positions that loops determine: those of the text, followed along a path to the
//! parameters and start values of the instance.

use crate::compile::algebra::graph_search::components;
use crate::compile::algebra::numeric::Numeric;
use crate::compile::topology::loop_equations::LoopEquations;
use crate::compile::topology::loops::{LoopBlock, LoopUnknown};
use crate::error::Error;
use equations::{Ex, Path, evaluate, leaves_of, newton_assembly, select};
use std::f64::consts::TAU;

/// Blocks that need each other's unknowns follow one path together, up to this number of unknowns.
const LARGEST_GROUP: usize = 60;

/// The blocks of the initial positions in an order in which each one needs only those before; a
/// block that others need is joined with them, because on the path their positions depend on it.
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
/// Afterwards `numeric` has these positions at the start values of the text.
///
/// # Errors
/// If the loops cannot be closed there.
pub fn positions(
    loops: &LoopEquations,
    group: &LoopBlock,
    by: &[(Ex, Ex)],
    numeric: &mut Numeric,
) -> Result<Vec<Ex>, Error> {
    if let Some(value) = measured(loops, group) {
        return Ok(equations::substitute(&[value], by));
    }
    let residuals = loops.residuals(group);
    let own: Vec<&LoopUnknown> = group.unknowns.iter().map(|&k| &loops.unknowns[k]).collect();
    let symbols: Vec<Ex> = own.iter().map(|unknown| unknown.symbol).collect();
    let wanted = |leaf: Ex| by.iter().find(|(s, _)| s.key() == leaf.key()).map_or(leaf, |b| b.1);
    let inputs = leaves_of(&residuals).into_iter().filter(|leaf| !leaf.is_truth()).map(Ex::leaf);
    let inputs = inputs.filter(|leaf| symbols.iter().all(|symbol| symbol.key() != leaf.key()));
    let inputs: Vec<(Ex, Ex)> = inputs.map(|leaf| (leaf, wanted(leaf))).collect();
    let name = loops.block_name(group);

    // All coordinates moved when the build closed the loops; now those that loops do not determine
    // have their start values.
    let (leaves, values): (Vec<Ex>, Vec<Ex>) = inputs.iter().copied().unzip();
    let defaults = numeric.all(&values);
    let closed = numeric.all(&symbols);
    let to_start: Vec<(Ex, Ex, Ex)> = leaves
        .iter()
        .zip(numeric.all(&leaves))
        .zip(&defaults)
        .map(|((&leaf, known), &start)| (leaf, Ex::from(known), Ex::from(start)))
        .collect();
    let search = |wishes: &[f64]| {
        let wishes: Vec<Ex> = wishes.iter().map(|&wish| wish.into()).collect();
        let path = Path { inputs: &to_start, known: &closed, wishes: &wishes };
        evaluate(&newton_assembly(&name, &symbols, &residuals, path), &mut |leaf| numeric.get(leaf))
    };
    let guesses: Vec<f64> = own.iter().map(|unknown| unknown.start).collect();
    let known = search(&closed).or_else(|_| search(&guesses));
    let known = known.map_err(|failure| Error::Initial(failure.to_string()))?;
    let now = leaves.iter().zip(&defaults).chain(symbols.iter().zip(&known));
    now.for_each(|(&leaf, &value)| numeric.set(leaf, value));

    let from = |leaf: Ex, value: Ex, start: f64| match repeats(&residuals, leaf, numeric) {
        true => start + whole_turns(value - start),
        false => start.into(),
    };
    let inputs = inputs.into_iter().zip(defaults);
    let inputs: Vec<(Ex, Ex, Ex)> =
        inputs.map(|((leaf, value), start)| (leaf, from(leaf, value, start), value)).collect();
    let wish = |(unknown, &known): (&&LoopUnknown, &f64)| match unknown.guess_slot {
        Some(slot) => select(slot.equals(numeric.one(slot)), known, unknown.guess),
        None => known.into(),
    };
    let wishes: Vec<Ex> = own.iter().zip(&known).map(wish).collect();
    let path = Path { inputs: &inputs, known: &known, wishes: &wishes };
    Ok(newton_assembly(&name, &symbols, &residuals, path))
}

/// Differences of residuals in m or rad that are rounding errors.
const ROUNDING: f64 = 1e-10;

/// Whether residuals are the same after a whole turn of an angle, in two configurations.
fn repeats(residuals: &[Ex], angle: Ex, numeric: &Numeric) -> bool {
    let values = |away: f64, turn: f64| {
        let mut moved = 0.0;
        numeric.all_with(residuals, |leaf, value| {
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

/// The whole turns in an angle, towards zero: a path need not go through them.
fn whole_turns(angle: Ex) -> Ex {
    TAU * angle.sign() * (angle.abs() / TAU).floor()
}

//! Closure equations that follow from others: which can be left out for good, and how the others
//! take part in the solution.

use crate::compile::topology::closure::{ClosureRow, Equation, Origin};
use crate::compile::topology::loop_structure::{LoopBlock, LoopStructure, LoopUnknown};
use crate::statements::algebra::parts::{MatrixPart, entries, parts};
use crate::statements::contributions::constraints::LENGTH_OR_ANGLE;
use equations::Ex;
use nalgebra::DMatrix;

/// Relative error of coefficients that count as constant.
const CONSTANT: f64 = 1e-6;

/// Singular values below this part of the largest entry are rounding.
const ROUNDING: f64 = 1e-12;

/// Which of the `redundant` rows follow from the `kept` ones by coefficients that change with the
/// configuration, from Jacobians in several configurations: where these coefficients become
/// infinite the kept rows are dependent, although the mechanism is not singular.
///
/// A redundant row is compared with kept rows in two cases: both have a common column that is not
/// `shared`, or `shared` columns may relate the kept rows to each other.
pub fn entangled(
    jacobians: &[DMatrix<f64>],
    shared: &[bool],
    kept: &[usize],
    redundant: &[usize],
) -> Vec<usize> {
    let Some(first) = jacobians.first() else { return Vec::new() };
    let columns: usize = jacobians.iter().map(DMatrix::ncols).sum();
    if kept.is_empty() || redundant.is_empty() || columns == 0 {
        return Vec::new();
    }
    let mut all = DMatrix::zeros(first.nrows(), columns);
    let mut at = 0;
    for jacobian in jacobians {
        all.view_mut((0, at), jacobian.shape()).copy_from(jacobian);
        at += jacobian.ncols();
    }
    let scale = all.amax();
    let is_shared = |column: &usize| shared[column % shared.len()];
    let mut own = entries(&all);
    own.iter_mut().for_each(|columns| columns.retain(|column| !is_shared(column)));
    let among = |part: &MatrixPart, rows: &[usize]| -> Vec<usize> {
        rows.iter().copied().filter(|row| part.rows.contains(row)).collect()
    };
    let relates = |part: &MatrixPart| {
        let rows = among(part, kept);
        let own = || all.select_rows(&rows).select_columns(&part.columns);
        !rows.is_empty() && (part.columns.is_empty() || own().rank(CONSTANT * scale) < rows.len())
    };
    let parts = parts(&own);
    let relating: Vec<&MatrixPart> = parts.iter().filter(|part| relates(part)).collect();
    let varying = |part: &MatrixPart| {
        let others = relating.iter().copied().filter(|other| *other != part);
        let joined: Vec<&MatrixPart> = others.chain([part]).collect();
        let rows: Vec<usize> = joined.iter().flat_map(|part| among(part, kept)).collect();
        let own = joined.iter().flat_map(|part| part.columns.iter().copied());
        let columns: Vec<usize> = own.chain((0..columns).filter(is_shared)).collect();
        varying(&all.select_columns(&columns), scale, &rows, &among(part, redundant))
    };
    let mut entangled: Vec<usize> = parts.iter().flat_map(varying).collect();
    entangled.sort_unstable();
    entangled
}

/// Which of the `redundant` rows are no combination of the `kept` ones with one coefficient for
/// all columns.
fn varying(all: &DMatrix<f64>, scale: f64, kept: &[usize], redundant: &[usize]) -> Vec<usize> {
    if all.ncols() == 0 || redundant.is_empty() {
        return Vec::new();
    }
    let basis = all.select_rows(kept).transpose();
    let svd = (!kept.is_empty()).then(|| basis.clone().svd(true, true));
    let varies = |row: &usize| {
        let own = all.row(*row).transpose();
        let left = match &svd {
            Some(svd) => svd.solve(&own, ROUNDING * scale).map(|c| (&basis * c - &own).amax()),
            None => Ok(own.amax()),
        };
        left.is_ok_and(|left| left > CONSTANT * scale)
    };
    redundant.iter().copied().filter(varies).collect()
}

/// Replaces the equations of blocks from which entangled rows follow: with the derivatives `G` of
/// all their rows `g` with respect to the unknowns of the block, `G' g = 0`. As many equations as
/// unknowns, regular wherever the unknowns are determined.
pub fn combine(
    mut loops: LoopStructure,
    rows: &mut Vec<ClosureRow>,
    unknowns: &[LoopUnknown],
    [jacobian, speed_jacobian]: [&mut Vec<Vec<Ex>>; 2],
) -> LoopStructure {
    let entangled = loops.entangled.clone();
    for (blocks, of_speeds) in [(&mut loops.motion, false), (&mut loops.speed, true)] {
        for (first, last) in spans(blocks, &entangled, jacobian) {
            let merged: Vec<LoopBlock> = blocks.drain(first..=last).collect();
            let mut own: Vec<usize> = merged.iter().flat_map(|b| &b.unknowns).copied().collect();
            own.sort_unstable();
            let touches = |&&r: &&usize| own.iter().any(|&k| !jacobian[r][k].is_constant_zero());
            let extra = entangled.iter().filter(touches);
            let all: Vec<usize> =
                merged.iter().flat_map(|b| &b.rows).chain(extra).copied().collect();
            let derivatives = if of_speeds { &*speed_jacobian } else { &*jacobian };
            let weights: Vec<Vec<(usize, Ex)>> = own
                .iter()
                .map(|&k| all.iter().map(|&r| (r, derivatives[r][k])).collect())
                .collect();
            let mut combined = Vec::new();
            for weights in weights {
                let sum = |value: &dyn Fn(usize) -> Ex| -> Ex {
                    weights.iter().map(|&(r, weight)| weight * value(r)).sum()
                };
                let line = |matrix: &[Vec<Ex>]| -> Vec<Ex> {
                    (0..unknowns.len()).map(|k| sum(&|r| matrix[r][k])).collect()
                };
                let (line, speed_line) = (line(jacobian), line(speed_jacobian));
                let residual = sum(&|r| rows[r].gap());
                let rate = sum(&|r| rows[r].rate().unwrap_or_else(Ex::zero));
                combined.push(rows.len());
                let origin = Origin { combines: weights, ..Origin::default() };
                rows.push(ClosureRow {
                    name: names(&all, rows),
                    unit: LENGTH_OR_ANGLE,
                    equation: Equation::Closing { residual, rate, origin },
                    multiplier: None,
                });
                jacobian.push(line);
                speed_jacobian.push(speed_line);
            }
            blocks.insert(first, LoopBlock { rows: combined, unknowns: own });
        }
    }
    loops
}

/// Notes about the rows that follow from others; instances with as many of such rows share one.
pub fn notes(loops: &LoopStructure, rows: &[ClosureRow]) -> Vec<String> {
    let mut alike: Vec<((usize, bool), Vec<&str>)> = Vec::new();
    for of_one in loops.redundant.chunk_by(|&j, &k| rows[j].name == rows[k].name) {
        let entangled = of_one.iter().any(|row| loops.entangled.contains(row));
        let (what, name) = ((of_one.len(), entangled), &*rows[of_one[0]].name);
        match alike.iter_mut().find(|(same, _)| *same == what) {
            Some((_, names)) => names.push(name),
            None => alike.push((what, vec![name])),
        }
    }
    alike.into_iter().map(|((count, entangled), names)| note(count, entangled, &names)).collect()
}

/// The note about instances that each have `count` redundant rows.
fn note(count: usize, entangled: bool, names: &[&str]) -> String {
    let (count, are) = match count {
        1 => ("one".to_owned(), "is"),
        several => (several.to_string(), "are"),
    };
    let then = match entangled {
        true => {
            "; the forces with which all of them are kept are those of least squares".to_owned()
        }
        false => format!(" and {are} omitted"),
    };
    let whose = match names {
        [name] => format!("{name} closes a loop; {count} of its conditions"),
        _ => format!("{} close loops; {count} of the conditions of each", names.join(", ")),
    };
    format!("{whose} {are} redundant (as in a planar loop){then}")
}

/// The instances of rows, each once.
fn names(all: &[usize], rows: &[ClosureRow]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for &r in all {
        if !names.contains(&rows[r].name.as_str()) {
            names.push(&rows[r].name);
        }
    }
    names.join(", ")
}

/// The first and the last block that each entangled row touches, joined where they overlap; the
/// last ones first.
fn spans(blocks: &[LoopBlock], entangled: &[usize], jacobian: &[Vec<Ex>]) -> Vec<(usize, usize)> {
    let span = |&row: &usize| {
        let touches = |block: &LoopBlock| {
            block.unknowns.iter().any(|&k| !jacobian[row][k].is_constant_zero())
        };
        Some((blocks.iter().position(touches)?, blocks.iter().rposition(touches)?))
    };
    let mut spans: Vec<(usize, usize)> = entangled.iter().filter_map(span).collect();
    spans.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (first, last) in spans {
        match joined.last_mut() {
            Some(before) if first <= before.1 => before.1 = before.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    joined.reverse();
    joined
}

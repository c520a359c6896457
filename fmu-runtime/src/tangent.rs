//! The work space of evaluations with tangents, and the groups of columns of the Jacobian.

use crate::system::Info;
use kernels::Dual;

/// Work space of an evaluation with tangents; its content is not used between two calls.
pub(crate) struct Tangent {
    /// Time.
    pub t: Dual,
    /// Parameters and start values.
    pub p: Box<[Dual]>,
    /// Values fixed by initialization.
    pub c: Box<[Dual]>,
    /// States.
    pub x: Box<[Dual]>,
    /// Inputs.
    pub u: Box<[Dual]>,
    /// Derivatives of the states.
    pub dx: Box<[Dual]>,
    /// Computed values.
    pub w: Box<[Dual]>,
    /// Unknowns of the nonlinear blocks.
    pub z: Box<[f64]>,
    /// For each state its group; states of one group share no row of the Jacobian.
    pub groups: Box<[usize]>,
    /// The number of groups.
    pub group_count: usize,
}

impl Tangent {
    pub fn new(info: &Info) -> Tangent {
        let zeros = |length: usize| vec![Dual::from(0.0); length].into_boxed_slice();
        let groups = groups_without_common_rows(info.jacobian, info.states.len());
        Tangent {
            t: Dual::from(0.0),
            p: zeros(info.parameters.len()),
            c: zeros(info.sizes.calculated),
            x: zeros(info.states.len()),
            u: zeros(info.inputs.len()),
            dx: zeros(info.states.len()),
            w: zeros(info.sizes.work),
            z: vec![0.0; info.sizes.unknowns].into_boxed_slice(),
            group_count: groups.iter().map(|group| group + 1).max().unwrap_or(0),
            groups,
        }
    }
}

/// Puts each column in the first group with which it shares no row (A. R. Curtis, M. J. D. Powell,
/// J. K. Reid, "On the estimation of sparse Jacobian matrices", 1974).
fn groups_without_common_rows(columns: &[&[u32]], n: usize) -> Box<[usize]> {
    let mut occupied: Vec<Vec<bool>> = Vec::new();
    let mut groups = Vec::with_capacity(n);
    for j in 0..n {
        let rows = columns.get(j).copied().unwrap_or_default();
        let free = |rows_occupied: &Vec<bool>| rows.iter().all(|&row| !rows_occupied[row as usize]);
        let group = occupied.iter().position(free).unwrap_or_else(|| {
            occupied.push(vec![false; n]);
            occupied.len() - 1
        });
        for &row in rows {
            occupied[group][row as usize] = true;
        }
        groups.push(group);
    }
    groups.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_a_group_share_no_row() {
        let columns: [&[u32]; 5] = [&[0, 1], &[0, 1, 2], &[1, 2, 3], &[2, 3, 4], &[3, 4]];
        let groups = groups_without_common_rows(&columns, 5);
        assert_eq!(*groups, [0, 1, 2, 0, 1]);
    }

    #[test]
    fn columns_without_rows_need_no_group_of_their_own() {
        assert_eq!(*groups_without_common_rows(&[&[], &[]], 2), [0, 0]);
    }
}

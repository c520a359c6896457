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
    /// The columns of the Jacobian in groups.
    pub groups: Box<[ColumnGroup]>,
}

/// Columns of the Jacobian that share no row, so that one evaluation gives all their entries.
pub(crate) struct ColumnGroup {
    /// The states of the columns.
    pub states: Vec<u32>,
    /// Place of each of their entries among those of the Jacobian, and its row.
    pub entries: Vec<(u32, u32)>,
}

impl Tangent {
    pub fn new(info: &Info) -> Tangent {
        let zeros = |length: usize| vec![Dual::from(0.0); length].into_boxed_slice();
        Tangent {
            t: Dual::from(0.0),
            p: zeros(info.parameters.len()),
            c: zeros(info.sizes.calculated),
            x: zeros(info.states.len()),
            u: zeros(info.inputs.len()),
            dx: zeros(info.states.len()),
            w: zeros(info.sizes.work),
            z: vec![0.0; info.sizes.unknowns].into_boxed_slice(),
            groups: column_groups(info.jacobian, info.states.len()),
        }
    }

    /// Sets the tangents of the states of a group.
    pub fn seed(&mut self, group: usize, seed: f64) {
        for &state in &self.groups[group].states {
            self.x[state as usize].tangent = seed;
        }
    }
}

/// The groups of the columns of `n` states, from the rows of each column.
fn column_groups(columns: &[&[u32]], n: usize) -> Box<[ColumnGroup]> {
    let groups = groups_without_common_rows(columns, n);
    let count = groups.iter().map(|group| group + 1).max().unwrap_or(0);
    let rows = |j: usize| columns.get(j).copied().unwrap_or_default();
    let empty = || ColumnGroup { states: Vec::new(), entries: Vec::new() };
    let mut members: Vec<ColumnGroup> = std::iter::repeat_with(empty).take(count).collect();
    let mut entry = 0;
    for (j, &group) in groups.iter().enumerate() {
        members[group].states.push(j as u32);
        for &row in rows(j) {
            members[group].entries.push((entry, row));
            entry += 1;
        }
    }
    members.into_boxed_slice()
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
    fn groups_have_each_entry_once_with_its_row() {
        let columns: [&[u32]; 4] = [&[0, 1], &[], &[1, 3], &[2]];
        let groups = column_groups(&columns, 4);
        let states: Vec<&[u32]> = groups.iter().map(|group| &*group.states).collect();
        assert_eq!(states, [&[0, 1, 3][..], &[2]]);
        let entries: Vec<&[(u32, u32)]> = groups.iter().map(|group| &*group.entries).collect();
        assert_eq!(entries, [&[(0, 0), (1, 1), (4, 2)][..], &[(2, 1), (3, 3)]]);
    }

    #[test]
    fn columns_without_rows_need_no_group_of_their_own() {
        assert_eq!(*groups_without_common_rows(&[&[], &[]], 2), [0, 0]);
    }
}

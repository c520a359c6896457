//! The work space of evaluations with tangents, the groups of columns of the Jacobian, and what is
//! kept of it.

use crate::model::system::Info;
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
    /// The columns of the Jacobian in groups; those that last until the next event are in the last
    /// groups.
    pub groups: Box<[ColumnGroup]>,
    /// The number of groups of columns that change between events.
    pub varying: usize,
    /// The columns that last.
    pub kept: KeptColumns,
}

/// The lasting columns of the Jacobian as they were evaluated last. They are a function of
/// parameters and modes alone: while these are the same, bit for bit, so are the columns.
pub(crate) struct KeptColumns {
    /// The entries of the Jacobian; those of other columns are not used.
    pub entries: Box<[f64]>,
    /// Whether they have been evaluated.
    known: bool,
    /// The lasting values for which they were evaluated.
    values: Box<[f64]>,
    /// The relations for which they were evaluated.
    relations: Box<[bool]>,
}

impl KeptColumns {
    fn new(info: &Info) -> KeptColumns {
        let values = info.parameters.len() + info.sizes.calculated + info.discretes.len();
        let entries = info.jacobian.iter().map(|rows| rows.len()).sum();
        KeptColumns {
            entries: vec![0.0; entries].into_boxed_slice(),
            known: false,
            values: vec![0.0; values].into_boxed_slice(),
            relations: vec![false; info.relations.len()].into_boxed_slice(),
        }
    }

    /// Whether the columns are known for these values and relations, as many as of the model.
    pub fn are_known(&self, values: &[f64], relations: &[bool]) -> bool {
        debug_assert_eq!(values.len(), self.values.len(), "one of each");
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        self.known && *self.relations == *relations && self.values.iter().zip(values).all(same)
    }

    /// Keeps the columns of a Jacobian for these values and relations.
    pub fn keep(&mut self, jacobian: &[f64], values: &[f64], relations: &[bool]) {
        self.known = true;
        self.entries.copy_from_slice(jacobian);
        self.values.copy_from_slice(values);
        self.relations.copy_from_slice(relations);
    }
}

/// Columns of the Jacobian without a common row: one evaluation gives all entries of the columns.
pub(crate) struct ColumnGroup {
    /// The states of the columns.
    pub states: Vec<u32>,
    /// For each entry of the columns: its place among the entries of the Jacobian, and its row.
    pub entries: Vec<(u32, u32)>,
}

impl Tangent {
    pub fn new(info: &Info) -> Tangent {
        let zeros = |length: usize| vec![Dual::from(0.0); length].into_boxed_slice();
        let lasts = |j: &u32| info.lasting_columns.binary_search(j).is_ok();
        let others: Vec<u32> = (0..info.states.len() as u32).filter(|j| !lasts(j)).collect();
        let varying = column_groups(info.jacobian, &others);
        let lasting = column_groups(info.jacobian, info.lasting_columns);
        Tangent {
            t: Dual::from(0.0),
            p: zeros(info.parameters.len()),
            c: zeros(info.sizes.calculated),
            x: zeros(info.states.len()),
            u: zeros(info.inputs.len()),
            dx: zeros(info.states.len()),
            w: zeros(info.sizes.work),
            z: vec![0.0; info.sizes.unknowns].into_boxed_slice(),
            varying: varying.len(),
            groups: varying.into_iter().chain(lasting).collect(),
            kept: KeptColumns::new(info),
        }
    }

    /// Sets the tangents of the states of a group.
    pub fn seed(&mut self, group: usize, seed: f64) {
        for &state in &self.groups[group].states {
            self.x[state as usize].tangent = seed;
        }
    }
}

/// The groups of some columns, from the rows of each column.
fn column_groups(rows: &[&[u32]], columns: &[u32]) -> Vec<ColumnGroup> {
    let rows_of = |j: u32| rows.get(j as usize).copied().unwrap_or_default();
    let wanted: Vec<&[u32]> = columns.iter().map(|&j| rows_of(j)).collect();
    let groups = groups_without_common_rows(&wanted);
    let count = groups.iter().map(|group| group + 1).max().unwrap_or(0);
    let empty = || ColumnGroup { states: Vec::new(), entries: Vec::new() };
    let mut members: Vec<ColumnGroup> = std::iter::repeat_with(empty).take(count).collect();
    let mut starts = vec![0];
    starts.extend(rows.iter().scan(0, |end, rows| {
        *end += rows.len() as u32;
        Some(*end)
    }));
    for (&j, &group) in columns.iter().zip(&groups) {
        members[group].states.push(j);
        members[group].entries.extend((starts[j as usize]..).zip(rows_of(j).iter().copied()));
    }
    members
}

/// Puts each column in the first group with which it shares no row (A. R. Curtis, M. J. D. Powell,
/// J. K. Reid, "On the estimation of sparse Jacobian matrices", 1974).
fn groups_without_common_rows(columns: &[&[u32]]) -> Box<[usize]> {
    let rows = columns.iter().copied().flatten().max().map_or(0, |row| *row as usize + 1);
    let mut occupied: Vec<Vec<bool>> = Vec::new();
    let mut groups = Vec::with_capacity(columns.len());
    for column in columns {
        let free =
            |rows_occupied: &Vec<bool>| column.iter().all(|&row| !rows_occupied[row as usize]);
        let group = occupied.iter().position(free).unwrap_or_else(|| {
            occupied.push(vec![false; rows]);
            occupied.len() - 1
        });
        for &row in *column {
            occupied[group][row as usize] = true;
        }
        groups.push(group);
    }
    groups.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::system::{Relation, State};

    #[test]
    fn columns_of_a_group_share_no_row() {
        let columns: [&[u32]; 5] = [&[0, 1], &[0, 1, 2], &[1, 2, 3], &[2, 3, 4], &[3, 4]];
        let groups = groups_without_common_rows(&columns);
        assert_eq!(*groups, [0, 1, 2, 0, 1]);
    }

    #[test]
    fn groups_have_each_entry_once_with_its_row() {
        let columns: [&[u32]; 4] = [&[0, 1], &[], &[1, 3], &[2]];
        let groups = column_groups(&columns, &[0, 1, 2, 3]);
        let states: Vec<&[u32]> = groups.iter().map(|group| &*group.states).collect();
        assert_eq!(states, [&[0, 1, 3][..], &[2]]);
        let entries: Vec<&[(u32, u32)]> = groups.iter().map(|group| &*group.entries).collect();
        assert_eq!(entries, [&[(0, 0), (1, 1), (4, 2)][..], &[(2, 1), (3, 3)]]);
    }

    #[test]
    fn groups_of_some_columns_have_the_places_of_their_entries_among_all() {
        let columns: [&[u32]; 4] = [&[0, 1], &[2], &[1, 3], &[0]];
        let groups = column_groups(&columns, &[1, 2]);
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].states, [1, 2]);
        assert_eq!(groups[0].entries, [(2, 2), (3, 1), (4, 3)]);
    }

    #[test]
    fn columns_are_known_for_the_values_for_which_they_are_kept() {
        const INFO: Info = Info::new("M")
            .states(&[State::new("x"), State::new("y")])
            .jacobian(&[&[0, 1], &[1]])
            .parameters(&[1.0, 2.0])
            .relations(&[Relation::new("r")]);
        let mut kept = KeptColumns::new(&INFO);
        assert!(!kept.are_known(&[0.0, 0.0], &[false]), "nothing has been evaluated");
        kept.keep(&[3.0, 4.0, 5.0], &[1.0, 0.0], &[true]);
        assert!(kept.are_known(&[1.0, 0.0], &[true]));
        assert_eq!(*kept.entries, [3.0, 4.0, 5.0]);
        assert!(!kept.are_known(&[1.0, 0.0], &[false]));
        assert!(!kept.are_known(&[1.0, -0.0], &[true]), "one bit differs");
        assert!(!kept.are_known(&[1.0 + f64::EPSILON, 0.0], &[true]));
    }

    #[test]
    fn columns_without_rows_need_no_group_of_their_own() {
        assert_eq!(*groups_without_common_rows(&[&[], &[]]), [0, 0]);
    }
}

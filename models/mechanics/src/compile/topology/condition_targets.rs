//! Which start values initial conditions on positions, speeds and accelerations determine.

use crate::ids::{CoordinateId, VariableId};
use crate::statements::contributions::Structure;
use crate::statements::contributions::initial_conditions::{Condition, FlangeOrCoordinate};
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::motion::level::Level;
use crate::statements::motion::variables::Numbering;

/// What conditions are about, with their orders.
pub fn subjects(conditions: &[Condition]) -> Vec<(FlangeOrCoordinate, usize)> {
    conditions.iter().map(|c| (c.subject, c.order)).collect()
}

/// Whether a condition determines a position or a speed; `None` if both are given otherwise.
pub fn level_of(
    condition: &Condition,
    given: &[(FlangeOrCoordinate, usize)],
    [position, speed]: [&Option<StartVariable>; 2],
) -> Option<Level> {
    let fixed = |c: &Option<StartVariable>| c.as_ref().is_some_and(|c| c.start.fixed);
    let free = |order: usize, c| !given.contains(&(condition.subject, order)) && !fixed(c);
    match condition.order {
        0 => Some(Level::Position),
        1 => Some(Level::Speed),
        _ if free(0, position) => Some(Level::Position),
        _ if free(1, speed) => Some(Level::Speed),
        _ => None,
    }
}

/// Coordinates whose position or speed an acceleration at the start determines.
pub fn determined_by_accelerations(
    structure: &Structure,
    conditions: &[Condition],
) -> Vec<(CoordinateId, Level)> {
    let given = subjects(conditions);
    let determined = |condition: &Condition| {
        let FlangeOrCoordinate::Coordinate(c) = condition.subject else { return None };
        let [position, speed] = starts_of(structure, condition.subject);
        Some((c, level_of(condition, &given, [&position, &speed])?))
    };
    conditions.iter().filter(|c| c.order == 2).filter_map(determined).collect()
}

/// The variable of a subject.
pub fn variable_of(numbering: Numbering, subject: FlangeOrCoordinate) -> VariableId {
    match subject {
        FlangeOrCoordinate::Flange(end) => end.node.variable(),
        FlangeOrCoordinate::Coordinate(c) => numbering.coordinate(c),
    }
}

/// The start values of the position and the speed of a subject as far as it has some.
pub fn starts_of(structure: &Structure, subject: FlangeOrCoordinate) -> [Option<StartVariable>; 2] {
    match subject {
        FlangeOrCoordinate::Flange(end) => {
            let absolute =
                structure.flanges.relatives.iter().find(|r| r.a.is_none() && r.b.node == end.node);
            let guess = |c: &StartVariable| {
                // The flange's own start values are not conditions here, only guesses.
                let start = crate::start::guess(c.start.value);
                StartVariable { start, ..c.clone() }
            };
            [absolute.map(|r| guess(&r.position)), absolute.map(|r| guess(&r.speed))]
        }
        FlangeOrCoordinate::Coordinate(c) => {
            let coordinate = &structure.multibody.coordinates[c];
            [&coordinate.position, &coordinate.speed].map(|variable| Some(variable.clone()))
        }
    }
}

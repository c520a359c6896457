//! Where a loop is: its coordinates, and the quaternions of its free orientations.

use crate::compile::topology::loop_equations::LoopEquations;
use crate::compile::topology::loop_structure::FreeLoop;
use crate::orientation::{Quaternion, turned_quaternion};
use crate::statements::motion::coordinates::Coordinates;
use equations::{Bool, Ex, select};

/// A place at which a loop may be.
#[derive(Clone)]
pub struct LoopPlace {
    /// The coordinates; the turns of free orientations are zero.
    pub q: Vec<Ex>,
    /// The quaternions, in the order in which the loop has the orientations.
    pub quaternions: Vec<Quaternion>,
}

impl LoopPlace {
    /// The place after changes of the coordinates.
    pub fn moved(&self, group: &FreeLoop, by: &[Ex]) -> LoopPlace {
        let q = self.q.iter().zip(by).enumerate();
        let q = q.map(|(k, (&q, &by))| if group.turns(k) { q } else { q + by }).collect();
        let quaternions = self.quaternions.iter().zip(&group.turning);
        let quaternions = quaternions
            .map(|(quaternion, turning)| {
                turned_quaternion(quaternion, &turning.places.map(|k| by[k]))
            })
            .collect();
        LoopPlace { q, quaternions }
    }

    /// This place if a condition holds, otherwise another one.
    pub fn or(&self, when: Bool, other: &LoopPlace) -> LoopPlace {
        let mut others = other.values().into_iter();
        self.map(|values| {
            values
                .iter()
                .zip(others.by_ref())
                .map(|(&own, other)| select(when, own, other))
                .collect()
        })
    }

    /// The place with other numbers, as many as given.
    pub fn map(&self, change: impl FnOnce(&[Ex]) -> Vec<Ex>) -> LoopPlace {
        let mut values = change(&self.values()).into_iter();
        let mut next = |_: &Ex| values.next().unwrap_or_else(Ex::zero);
        LoopPlace {
            q: self.q.iter().map(&mut next).collect(),
            quaternions: self.quaternions.iter().map(|q| q.each_ref().map(&mut next)).collect(),
        }
    }

    /// All numbers.
    fn values(&self) -> Vec<Ex> {
        self.q.iter().chain(self.quaternions.iter().flatten()).copied().collect()
    }

    /// The positions of all symbols, where those that do not belong to the loop are known.
    pub fn positions(
        &self,
        (loops, group): (&LoopEquations, &FreeLoop),
        coordinates: &Coordinates,
    ) -> Vec<(Ex, Ex)> {
        let known = loops.symbols.moving(coordinates);
        let own =
            group.coordinates(loops).map(|unknown| unknown.symbol).zip(self.q.iter().copied());
        let starts = group.turning.iter().map(|turning| turning.orientation.quaternion);
        let quaternions =
            starts.zip(&self.quaternions).flat_map(|(start, &now)| start.into_iter().zip(now));
        known.into_iter().chain(own).chain(quaternions).collect()
    }
}

//! Prescribed motions, and initial conditions that signals give.
//!
//! A drive's position, speed and acceleration come from signals, which may look at any motion of
//! the model. Everything else is therefore built with placeholders for them; the signals are
//! evaluated when all motions are known, and the placeholders replaced at the end.

use super::coordinates::Motion;
use super::evaluation::Evaluation;
use super::late::{Late, Rate};
use super::motion::declare_state;
use super::start::{Initial, Level};
use super::structure::{Condition, Prescribed};
use crate::error::Error;
use equations::{Ex, Model, depends_on};

/// Placeholders of one drive.
#[derive(Clone, Copy, Debug)]
struct Placeholders {
    /// Position, speed and acceleration, or the states that take their places.
    motion: [Ex; 3],
    /// Initial position and speed, where they are known.
    initial: [Option<Ex>; 2],
}

/// All drives and all conditions.
pub struct Drives {
    drives: Vec<Placeholders>,
    conditions: Vec<(Condition, Ex)>,
}

impl Drives {
    /// Makes the placeholders.
    pub fn new(plan: &mut super::Plan) -> Drives {
        let placeholder = |numeric: &mut super::Numeric| {
            let symbol = Ex::symbol();
            numeric.set(symbol, 0.0);
            symbol
        };
        let mut drives = Vec::new();
        for drive in &plan.structure.drives {
            let motion = [(); 3].map(|()| placeholder(&mut plan.numeric));
            let initial = match &drive.prescribed {
                Prescribed::Position(_)
                | Prescribed::PositionAndSpeed(_)
                | Prescribed::Motion(_) => [Some(motion[0]), Some(motion[1])],
                Prescribed::Speed { .. } => [None, Some(motion[1])],
                Prescribed::Acceleration { initial, .. } => [0, 1]
                    .map(|k: usize| initial[k].as_ref().map(|_| placeholder(&mut plan.numeric))),
            };
            drives.push(Placeholders { motion, initial });
        }
        let conditions = std::mem::take(&mut plan.structure.conditions)
            .into_iter()
            .map(|condition| (condition, placeholder(&mut plan.numeric)))
            .collect();
        Drives { drives, conditions }
    }

    /// Variables whose initial position or speed is given: component, variable, value.
    pub fn known(
        &self,
        plan: &super::Plan,
        level: Level,
    ) -> impl Iterator<Item = (usize, usize, Ex)> {
        let of_drives = self.drives.iter().enumerate().filter_map(move |(k, drive)| {
            let component = plan.structure.drives[k].component;
            Some((component, plan.coordinates.drive(k), drive.initial[level as usize]?))
        });
        let of_conditions = self
            .conditions
            .iter()
            .filter(move |(condition, _)| condition.order == level as usize)
            .map(|(condition, value)| (condition.component, condition.end.node, *value));
        of_drives.chain(of_conditions).collect::<Vec<_>>().into_iter()
    }

    /// Whether a value depends on what signals give.
    pub fn decide(&self, value: Ex) -> bool {
        let of_drives = self.drives.iter().flat_map(|d| d.initial.into_iter().flatten());
        let of_conditions = self.conditions.iter().map(|c| c.1);
        of_drives.chain(of_conditions).any(|symbol| depends_on(&[value], symbol))
    }

    /// Declares the states of the drives, and the motions of their variables.
    pub fn declare(&mut self, plan: &mut super::Plan, initial: &Initial, model: &mut Model) {
        for form in 0..plan.forms.len() {
            let Some((k, second_order)) = plan.forms[form].drive else { continue };
            let variable = plan.coordinates.drive(k);
            let q = declare_state(plan, initial, model, (form, 0), initial.q[&variable]);
            self.drives[k].motion[0] = q;
            if second_order {
                let v = declare_state(plan, initial, model, (form, 1), initial.v[&variable]);
                self.drives[k].motion[1] = v;
            }
            model.derivative(q, self.drives[k].motion[1]);
            if second_order {
                model.derivative(self.drives[k].motion[1], self.drives[k].motion[2]);
            }
        }
        for (k, drive) in self.drives.iter().enumerate() {
            let motion = Motion::prescribed(drive.motion);
            plan.coordinates.motions.insert(plan.coordinates.drive(k), motion);
        }
    }

    /// Evaluates the signals; what replaces the placeholders goes to `late`.
    pub fn evaluate(
        self,
        prescribed: Vec<super::structure::Drive>,
        e: &mut Evaluation<'_>,
        late: &mut Late,
    ) -> Result<(), Error> {
        for (drive, Placeholders { motion: [q, v, a], initial }) in
            prescribed.into_iter().zip(self.drives)
        {
            e.component = drive.component;
            let name = e.name().to_owned();
            match drive.prescribed {
                Prescribed::Position(position) => {
                    late.add(&name, q, position(e)?);
                    late.add_rate(&name, v, Rate::Of(q));
                    late.add_rate(&name, a, Rate::Of(v));
                }
                Prescribed::PositionAndSpeed(motion) => {
                    let [position, speed] = motion(e)?;
                    late.add(&name, q, position);
                    late.add(&name, v, speed);
                    late.add_rate(&name, a, Rate::Of(v));
                }
                Prescribed::Motion(motion) => {
                    for (symbol, value) in [q, v, a].into_iter().zip(motion(e)?) {
                        late.add(&name, symbol, value);
                    }
                }
                Prescribed::Speed { speed, .. } => {
                    late.add(&name, v, speed(e)?);
                    late.add_rate(&name, a, Rate::Of(v));
                }
                Prescribed::Acceleration { initial: signals, acceleration, .. } => {
                    for (symbol, signal) in initial.into_iter().zip(signals) {
                        if let (Some(symbol), Some(signal)) = (symbol, signal) {
                            late.add(&name, symbol, signal(e)?);
                        }
                    }
                    late.add(&name, a, acceleration(e, q, v)?);
                }
            }
        }
        for (condition, symbol) in self.conditions {
            e.component = condition.component;
            let name = e.name().to_owned();
            late.add(&name, symbol, (condition.value)(e)?);
        }
        Ok(())
    }
}

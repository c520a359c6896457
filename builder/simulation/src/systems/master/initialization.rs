//! The initialization of a system: inputs and outputs are made consistent in Initialization Mode.

use super::coupling::Coupling;
use super::failure::{Failure, of};
use super::slave::Slave;
use fmus::csv::number;

/// Most passes after the values have gone around the system once.
const MOST_CORRECTIONS: usize = 30;

/// The change of inputs, relative to their magnitude, at which the values count as consistent.
const CONSISTENT: f64 = 1e-11;

/// Makes inputs and outputs consistent, while all slaves are in Initialization Mode.
///
/// Values that pass from FMU to FMU need as many passes as there are FMUs. What then still changes
/// belongs to a loop, which directional derivatives solve by Newton's method.
pub(super) fn solve(coupling: &mut Coupling, slaves: &mut [Slave<'_>]) -> Result<(), Failure> {
    let has_derivatives = slaves.iter().all(|slave| {
        slave.abilities.directional || slave.direct.is_empty() || slave.outputs.is_empty()
    });
    let mut changing: Vec<String> = Vec::new();
    for pass in 0..slaves.len() + MOST_CORRECTIONS {
        let y = coupling.read(slaves)?;
        let mut u = coupling.inputs_of(&y);
        if pass >= slaves.len() && has_derivatives {
            let d = coupling.feedthrough(slaves)?;
            u = coupling.corrected(&d, (&y, &coupling.u), &[], false)?;
        }
        let changes = coupling.inputs.iter().zip(&coupling.u).zip(&u).zip(&coupling.magnitude);
        let still = changes.filter(|(((_, old), new), least)| {
            let change = (*new - *old).abs() / new.abs().max(**least);
            change > CONSISTENT || change.is_nan()
        });
        changing = still
            .map(|(((input, old), new), _)| {
                format!("{} ({} and {})", input.name, number(*old), number(*new))
            })
            .collect();
        coupling.u = u;
        coupling.y = y;
        coupling.write(slaves)?;
        coupling.copy(slaves)?;
        if pass >= slaves.len() && changing.is_empty() {
            return Ok(());
        }
    }
    Err(Failure::of_system(format!(
        "the initial values do not agree after {MOST_CORRECTIONS} corrections: the last values of {}",
        changing.join(", ")
    )))
}

/// Ends the initialization of all slaves, and reads the outputs again.
pub(super) fn exit(coupling: &mut Coupling, slaves: &mut [Slave<'_>]) -> Result<(), Failure> {
    for slave in slaves.iter_mut() {
        slave.instance.exit_initialization_mode().map_err(of(slave))?;
    }
    coupling.y = coupling.read(slaves)?;
    coupling.u = coupling.inputs_of(&coupling.y);
    for (magnitude, u) in coupling.magnitude.iter_mut().zip(&coupling.u) {
        *magnitude = magnitude.max(u.abs());
    }
    Ok(())
}

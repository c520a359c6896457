//! Drive trains on moving parts: whether their reactions act on these parts.

use super::housings;
use crate::error::Error;
use crate::statements::contributions::Structure;
use crate::statements::contributions::flanges::Inertial;

/// Decides between drive trains whose reactions act on frames and plain ones, in which rotors are
/// inertias only.
pub fn decide(structure: &mut Structure) -> Result<(), Error> {
    for support in &structure.drive_trains.lines {
        structure.flanges.constraints[support.constraint].reaction = true;
    }
    housings::join_lines(structure)?;
    if structure.drive_trains.plain {
        structure.drive_trains.supports.clear();
        let rotors = structure.drive_trains.rotors.drain(..);
        let plain = rotors.map(|r| Inertial { end: r.end, inertia: r.inertia });
        structure.flanges.inertias.extend(plain);
        return Ok(());
    }
    let supports = structure.drive_trains.supports.iter().map(|s| (s.component, s.frame));
    let rotors = structure.drive_trains.rotors.iter().map(|r| (r.component, r.frame));
    if let Some((component, _)) = supports.chain(rotors).find(|(_, frame)| frame.is_none()) {
        return Err(Error::Connection(format!(
            "{}.frame_a: it is not connected; without a carrier the world must have \
             driveTrainMechanics3D = false",
            structure.names[component]
        )));
    }
    for support in &structure.drive_trains.supports {
        structure.flanges.constraints[support.constraint].reaction = true;
    }
    housings::join(structure)
}

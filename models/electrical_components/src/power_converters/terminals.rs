//! The pins of converters that consist of parts: wires, whose currents are those of the pins.

use mechanics::declaration::{group, prelude::*};
use mechanics::statements::motion::ends::PinEnd;

group! {
    /// A supply and an output.
    pub struct Chopper(chopper) {}
    ports {
        /// Positive pin of the supply
        dc_p1: Pin,
        /// Negative pin of the supply
        dc_n1: Pin,
        /// Positive pin of the output
        dc_p2: Pin,
        /// Negative pin of the output
        dc_n2: Pin,
    }
}

group! {
    /// A supply, and a pin between the transistors.
    pub struct HalfBridge(half_bridge) {}
    ports {
        /// Positive pin of direct current
        dc_p: Pin,
        /// Negative pin of direct current
        dc_n: Pin,
        /// Pin between the transistors
        ac: Pin,
    }
}

component! {
    /// The pins of a chopper, and wires from them to its parts.
    pub struct ChopperTerminals {
        ..chopper,
    }
    ports {
        /// Where parts are connected with dc_p1
        inside_dc_p1 "inside.dc_p1": Pin,
        /// Where parts are connected with dc_n1
        inside_dc_n1 "inside.dc_n1": Pin,
        /// Where parts are connected with dc_p2
        inside_dc_p2 "inside.dc_p2": Pin,
        /// Where parts are connected with dc_n2
        inside_dc_n2 "inside.dc_n2": Pin,
    }
}

impl Component for ChopperTerminals {
    fn contribute(_: ChopperTerminalsParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        wires(
            c,
            &[
                ["dc_p1", "inside.dc_p1"],
                ["dc_n1", "inside.dc_n1"],
                ["dc_p2", "inside.dc_p2"],
                ["dc_n2", "inside.dc_n2"],
            ],
        );
        Ok(())
    }
}

component! {
    /// The pins of a half-bridge, and wires from them to its parts.
    pub struct HalfBridgeTerminals {
        ..half_bridge,
    }
    ports {
        /// Where parts are connected with dc_p
        inside_dc_p "inside.dc_p": Pin,
        /// Where parts are connected with dc_n
        inside_dc_n "inside.dc_n": Pin,
        /// Where parts are connected with ac
        inside_ac "inside.ac": Pin,
    }
}

impl Component for HalfBridgeTerminals {
    fn contribute(_: HalfBridgeTerminalsParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        wires(c, &[["dc_p", "inside.dc_p"], ["dc_n", "inside.dc_n"], ["ac", "inside.ac"]]);
        Ok(())
    }
}

/// Wires between pins and points inside. Where wires lie beside each other, because their pins are
/// connected with each other outside and inside, the first one carries the whole current.
fn wires(c: &mut Contribution<'_>, pins: &[[&'static str; 2]]) {
    let mut known: Vec<[PinEnd; 2]> = Vec::new();
    for &[outside, inside] in pins {
        let ends = [c.pin(outside), c.inner_pin(inside)];
        let joins_as = |other: &[PinEnd; 2]| (0..2).all(|k| other[k].node == ends[k].node);
        let is_idle = ends[0].node == ends[1].node || known.iter().any(joins_as);
        let wire = c.branch(ends[0], ends[1]);
        known.push(ends);
        c.law(move |e| {
            let residual = if is_idle { e.current(wire) } else { e.voltage(wire) };
            e.set_branch_law(wire, residual);
            Ok(())
        });
    }
}

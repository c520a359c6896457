//! Signals of phases, and their components in the axes of a rotor.

use super::space_phasor::{phases, phasor, turned};
use equations::Ex;
use mechanics::declaration::{group, prelude::*};
use mechanics::port::PortId;
use mechanics::statements::laws::signal_view::SignalView;
use signal_blocks::arrays::give_array;

group! {
    /// The angle of the rotor of a machine.
    pub struct Rotor(rotor) {
        /// Number of pairs of poles
        p: Integer["1", >= 1],
    }
    ports {
        /// Angle of the rotor
        phi: Input["rad"],
    }
}

impl Rotor {
    /// The electrical angle.
    fn angle(&self, phi: PortId, e: &mut SignalView<'_>) -> Result<Ex, Error> {
        Ok(self.p as f64 * e.read(phi)?)
    }
}

component! {
    /// Components of three phases in the axes of a rotor.
    ///
    /// # Equations
    /// `y[1] + j y[2] = 2/3 (u[1] + u[2] exp(j 2 pi/3) + u[3] exp(j 4 pi/3)) exp(-j p phi)`.
    pub struct ToDQ = "Modelica.Electrical.Machines.Utilities.ToDQ" {
        ..rotor: rotor,
    }
    ports {
        /// Signals of the phases
        u: [Input; 3],
    }
    variables {
        /// Components along and across the axis of the rotor
        y: Array,
    }
}

impl Component for ToDQ {
    fn contribute(p: ToDQParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let phi = c.input("phi")?;
        let u = c.inputs("u")?;
        for output in ["y[1]", "y[2]"] {
            c.passes_unit("u[1]", output);
        }
        give_array(c, "y", 2, move |e, k| {
            let [a, b, c] = u;
            let values = [e.read(a)?, e.read(b)?, e.read(c)?];
            let angle = p.rotor.angle(phi, e)?;
            Ok(turned(phasor(values), angle)[k - 1])
        });
        Ok(())
    }
}

component! {
    /// Three phases from their components in the axes of a rotor.
    ///
    /// # Equations
    /// `y[k]` is the real part of `f (d + j q) exp(j (p phi - (k - 1) 2 pi/3))` with `f = sqrt(2)`
    /// if the inputs are root mean squares, and otherwise `f = 1`.
    pub struct DQToThreePhase = "Modelica.Electrical.Machines.Utilities.DQToThreePhase" {
        /// Whether the inputs are root mean squares of the phases
        use_rms "useRMS": bool = true,
        ..rotor: rotor,
    }
    ports {
        /// Component along the axis of the rotor
        d: Input,
        /// Component across the axis of the rotor
        q: Input,
    }
    variables {
        /// Signals of the phases
        y: Vector,
    }
}

impl Component for DQToThreePhase {
    fn contribute(p: DQToThreePhaseParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let phi = c.input("phi")?;
        let components = [c.input("d")?, c.input("q")?];
        for output in ["y[1]", "y[2]", "y[3]"] {
            c.passes_unit("d", output);
        }
        let peak = if p.use_rms { 2_f64.sqrt() } else { 1.0 };
        give_array(c, "y", 3, move |e, k| {
            let [d, q] = components;
            let of_rotor = [peak * e.read(d)?, peak * e.read(q)?];
            let angle = p.rotor.angle(phi, e)?;
            Ok(phases(turned(of_rotor, -angle))[k - 1])
        });
        Ok(())
    }
}

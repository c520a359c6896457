//! What all stacks of cells have: a voltage that depends on the charge, and a resistance.

use super::Housing;
use equations::{Ex, TableShape};
use mechanics::component::CircuitStateId;
use mechanics::declaration::{Columns, group, prelude::*};
use mechanics::port::{element, part};
use mechanics::start::{Start, fixed};
use mechanics::statements::laws::velocity_view::VelocityView;
use signal_blocks::curves::{Curve, Extrapolation, Smoothness};

/// How far a state of charge may be beyond its limits because of errors of integration.
const ERROR: f64 = 1e-5;

group! {
    /// The cells of a stack.
    ///
    /// Names of `cellData` are those of the record in the Modelica Standard Library. There, the
    /// charge stays at its limit if this is 0 or 1; here, a charge beyond its limits is an error in
    /// any case.
    pub struct Cells(cells) {
        /// Number of cells in series
        Ns: Integer["1", >= 1] = 1,
        /// Number of cells in parallel
        Np: Integer["1", >= 1] = 1,
        /// Nominal charge of a cell
        q_nom "cellData.Qnom": Real["C", > 0],
        /// Whether the voltage depends linearly on the state of charge
        use_linear "cellData.useLinearSOCDependency": bool = true,
        /// Open-circuit voltage of a cell at its largest state of charge
        ocv_max "cellData.OCVmax": Real["V", > 0],
        /// Open-circuit voltage of a cell at its smallest state of charge, if it depends linearly
        ocv_min "cellData.OCVmin": Real["V", >= 0] = 0,
        /// Largest state of charge
        soc_max "cellData.SOCmax": Real["1", 0..=1, constant] = 1,
        /// Smallest state of charge
        soc_min "cellData.SOCmin": Real["1", 0..=1, constant] = 0,
        /// Open-circuit voltage over the state of charge, divided by its largest value
        ocv_soc "cellData.OCV_SOC"?: [[Real]]["1, 1", constant],
        /// How this table is interpolated
        smoothness "cellData.smoothness": Smoothness = Smoothness::LinearSegments,
        /// Whole inner resistance of a cell at the reference temperature
        ri "cellData.Ri": Real["Ohm", >= 0],
        /// Reference temperature
        t_ref "cellData.T_ref": Real["K", >= 0] = 293.15,
        /// Temperature coefficient of the resistance
        alpha "cellData.alpha": Real["1/K"] = 0,
        /// Current of self-discharge of a full cell
        idis "cellData.Idis": Real["A", >= 0] = 0,
        /// How far the state of charge may be beyond its limits, but at least 1e-5, the errors of
        /// the integration
        soc_tolerance "SOCtolerance": Real["1", >= 0] = 1e-9,
        /// State of charge at the start; without it, the largest one
        soc "limIntegrator.y": Start["1"] = free(),
        /// Temperature without heat port
        T: Real["K", >= 0] = 293.15,
    }
    ports {
        /// Positive pin
        p: Pin,
        /// Negative pin
        n: Pin,
        /// Heat port that receives the lost power
        heat_port "heatPort": HeatPort,
    }
    variables {
        /// Voltage between p and n
        v: Real["V"],
        /// Current from p to n, positive while charging
        i: Real["A"],
        /// Power to the battery
        power: Real["W"],
        /// State of charge
        soc "SOC": Real["1"],
        /// The same
        limited_soc "limIntegrator.y": Real["1"],
        /// Open-circuit voltage
        ocv_v "ocv.v": Real["V"],
        /// Lost power
        loss_power "lossPower": Real["W"],
    }
}

/// An element of each cell with a resistance and a capacitance in parallel.
#[derive(Clone, Copy, Debug)]
pub(super) struct RcElement {
    /// Resistance in Ohm, reference temperature in K, temperature coefficient in 1/K.
    pub resistance: [Ex; 3],
    /// Capacitance in F.
    pub capacitance: Ex,
}

impl Cells {
    /// States the laws of a stack whose cells have these elements in series.
    pub(super) fn state_laws(
        self,
        elements: Vec<RcElement>,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let of = ["cellData.SOCmin", "cellData.SOCmax"];
        let is_range = Ex::from(self.soc_min).lt(self.soc_max);
        c.require(&of, is_range, "the smallest state of charge must be below the largest one")?;
        let curve = self.curve(c)?;
        let resistances = elements.iter().map(|element| element.resistance[0]);
        let rest = resistances.fold(self.ri, |rest, of| rest - of);
        if !elements.is_empty() {
            let why = "must exceed the sum of the resistances of its RC-elements";
            c.require(&["cellData.Ri"], rest.gt(0.0), why)?;
        }
        let housing = Housing::new(c, self.T);
        let ends = (c.pin("p"), c.pin("n"));
        let branch = c.branch(ends.0, ends.1);
        let given = self.soc.given || self.soc.fixed;
        let value = if given { self.soc.value } else { self.soc_max };
        let charge = c.named_start_variable("limIntegrator.y", "1", Start { value, ..self.soc });
        let charge = c.circuit_state(charge);
        let voltages: Vec<CircuitStateId> = (1..=elements.len())
            .map(|k| {
                let name = part(element("capacitor", k), "v");
                let voltage = c.named_start_variable(name, "V", fixed(0));
                c.circuit_state(voltage)
            })
            .collect();
        #[allow(clippy::cast_precision_loss, reason = "numbers of cells are small")]
        let [series, parallel] = [self.Ns, self.Np].map(|number| number as f64);
        c.law(move |e| {
            let (v, i, soc) = (e.voltage(branch), e.current(branch), e.circuit_state(charge));
            let ocv = series * curve(soc);
            let leaking = parallel * self.idis / (series * self.ocv_max) * ocv;
            let per_cell = series / parallel;
            let of = [rest, self.t_ref, self.alpha];
            let resistance = per_cell * housing.resistance(e, of);
            let mut loss = resistance * i.square() + leaking * ocv;
            let mut sum = ocv + resistance * i;
            for (element, &voltage) in elements.iter().zip(&voltages) {
                let x = e.circuit_state(voltage);
                let conducted = x / (per_cell * housing.resistance(e, element.resistance));
                let rate = (i - conducted) * per_cell / element.capacitance;
                e.set_circuit_rate(voltage, rate);
                sum += x;
                loss += x * conducted;
            }
            e.set_branch_law(branch, v - sum);
            e.set_circuit_rate(charge, (i - leaking) / (parallel * self.q_nom));
            self.check_charge(e, soc);
            e.define("limIntegrator.y", soc);
            e.variable("SOC", soc);
            e.variable("ocv.v", ocv);
            e.variable("v", v);
            e.variable("i", i);
            e.variable("power", v * i);
            housing.lose(e, loss);
            Ok(())
        });
        Ok(())
    }

    /// The open-circuit voltage of a cell over the state of charge.
    fn curve(&self, c: &mut Contribution<'_>) -> Result<Box<dyn Fn(Ex) -> Ex>, Error> {
        let (full, empty) = (self.ocv_max, self.ocv_min);
        if self.use_linear {
            let of = ["cellData.OCVmin", "cellData.OCVmax"];
            c.require(&of, empty.lt(full), "the smallest voltage must be below the largest one")?;
            let (low, high) = (self.soc_min, self.soc_max);
            return Ok(Box::new(move |soc| {
                let part = (soc.max(low).min(high) - low) / (high - low);
                empty + part * (full - empty)
            }));
        }
        let name = "cellData.OCV_SOC";
        let Some(Columns { rows, .. }) = self.ocv_soc.clone() else {
            return Err(c.refuse(name, "without a linear dependency, this table must be given"));
        };
        let shape = TableShape { columns: rows.width(), jumps: false, periodic: false };
        let numbers = rows.into_numbers();
        let is_part = |number: &f64| (0.0..=1.0).contains(number);
        if let Some(number) = numbers.iter().find(|number| !is_part(number)) {
            return Err(c.refuse(name, format!("{number} is not between 0 and 1")));
        }
        let full_name = c.full(name);
        let table = c.model().table_rows(&full_name, numbers, shape);
        let table = table.map_err(|error| Error::Parameter(error.to_string()))?;
        let extrapolation = Extrapolation::HoldLastPoint;
        let curve = Curve::of_column(&table, 1, self.smoothness, extrapolation);
        Ok(Box::new(move |soc| full * curve.at(soc)))
    }

    /// Ends the simulation where the state of charge is beyond its limits.
    fn check_charge(&self, e: &mut VelocityView<'_>, soc: Ex) {
        let tolerance = self.soc_tolerance.max(ERROR);
        let checks = [
            ("empty", soc - self.soc_min + tolerance, "below", "SOCmin", self.soc_min),
            ("full", self.soc_max + tolerance - soc, "above", "SOCmax", self.soc_max),
        ];
        for (local, within, side, of, limit) in checks {
            let within = e.relation(local, within).done();
            let name = e.full("SOC");
            let sentence = format!("{name}: the state of charge is {side} {of} = {limit}");
            e.model().assert(None, within, &sentence, false);
        }
    }
}

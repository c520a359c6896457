//! An integrator whose output has limits.

use crate::signals::blocks::Limits;
use crate::signals::init::{Init, begin_alone, state};
use crate::signals::interfaces::{Reset, block};
use equations::{Bool, select};
use mechanics::declaration::prelude::*;

component! {
    /// Integral of a signal, limited to a range.
    ///
    /// # Equations
    /// `der(y) = k u`, but 0 while `y` is held at a limit. There `y` is exactly the limit.
    ///
    /// # Events
    /// `y` passes a limit and is held there, until `k u` changes its sign. Where `reset` becomes
    /// true, `y := set` within the limits, or `y_start` if nothing is connected to `set`. With
    /// `strict`, the limits act without events: `der(y) = 0` if `y` is beyond a limit and would
    /// leave it further behind.
    pub struct LimIntegrator = "Modelica.Blocks.Continuous.LimIntegrator" {
        /// Integrator gain
        k: Real = 1,
        /// Upper limit of the output
        out_max "outMax": Real,
        /// Lower limit of the output
        out_min "outMin": Real = -out_max,
        /// How the block begins
        init_type "initType": Init = Init::InitialState,
        /// Whether the limits act while initial values are determined
        limits_at_init "limitsAtInit": bool = true,
        /// Start value of the output
        y_start: Real = 0,
        /// Whether the limits act without events
        strict: bool = false,
        ..block,
    }
    ports {
        /// Signal that resets the output
        reset: BooleanInput,
        /// Value of the output after a reset
        set: Input,
    }
}

impl Component for LimIntegrator {
    fn contribute(p: LimIntegratorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let limits = Limits::of(c, [("outMin", p.out_min), ("outMax", p.out_max)], p.strict)?;
        let (input, reset) = (c.input("u")?, Reset::of(c));
        let (name, y) = state(c, "y", Some(p.y_start), 1.0);
        begin_alone(c, p.init_type, (name, y), false);
        c.signal("y", move |_| Ok(y));
        c.law(move |e| {
            let rate = p.k * e.read(input)?;
            let mut resets = Bool::constant(false);
            if let Some(reset) = reset {
                let (now, value) = reset.read(e, p.y_start)?;
                e.model().reinit(y, now, limits.nearest(value));
                resets = now;
            }
            let beyond = (y.lt(limits.min) & rate.lt(0.0)) | (y.gt(limits.max) & rate.gt(0.0));
            let held = match p.strict {
                true => beyond,
                false => {
                    let mut held = |limit, at, [beyond, outward]: [Ex; 2]| {
                        let beyond = e.relation(&format!("beyond {limit}"), beyond);
                        let beyond = beyond.nominal(limits.nominal).done();
                        let outward = e.relation(&format!("outward at {limit}"), outward).done();
                        let name = e.full(&format!("held at {limit}"));
                        let before = e.model().memory(&name, 0.0);
                        let held = outward & (beyond | before.pre_bool()) & !resets;
                        e.model().update(before, held);
                        let begins = held & !before.pre_bool() & !e.model().initial();
                        e.model().reinit(y, begins, at);
                        held
                    };
                    held("outMax", limits.max, [y - limits.max, rate])
                        | held("outMin", limits.min, [limits.min - y, -rate])
                }
            };
            // While initial values are determined, relations are not yet known.
            let at_start = beyond & Bool::constant(p.limits_at_init);
            let initial = e.model().initial();
            let held = (initial & at_start) | (!initial & held);
            e.model().derivative(y, select(held, 0.0, rate));
            if !p.limits_at_init {
                let tolerance = (limits.max - limits.min) * 0.001;
                let within = y.ge(limits.min - tolerance) & y.le(limits.max + tolerance) | !initial;
                let sentence = "y is not within the limits, which were ignored at the start";
                e.require(&["y", "outMin", "outMax"], within, sentence);
            }
            Ok(())
        });
        Ok(())
    }
}

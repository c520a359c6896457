//! An impulse with a given energy.

use equations::select;
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::impulse_rows::{ImpulseRows, KnownImpulses};
use mechanics::vector::constant;

component! {
    /// Impulse on a frame that adds a given energy to the mechanism.
    ///
    /// It describes a blow whose energy is known, such as the stroke of a cue or the charge of a
    /// gun.
    ///
    /// # Equations
    /// When `u` becomes true, an impulse `p` acts on `frame_a` along `n`. Its work, which is `p`
    /// times the mean of the speeds along `n` before and after the impulse, is `E`. Two impulses
    /// have this work; the one in the direction of `n` acts.
    ///
    /// # Events
    /// `u` becomes true.
    pub struct EnergyInjection = "MultiBondLib.Mechanics3DwithImpulses.EnergyInjection" {
        /// Direction of the impulse resolved in frame_a
        n: Axis["1"] = X,
        /// Energy that an impulse adds
        energy "E": Real["J", >= 0],
    }
    ports {
        /// Frame on which the impulse acts
        frame_a: Frame,
        /// The impulse acts when this signal becomes true
        u: BooleanInput,
    }
    variables {
        /// Number of impulses
        injections: Integer,
        /// Last impulse
        impulse: Real["N.s"],
    }
}

impl Component for EnergyInjection {
    fn contribute(p: EnergyInjectionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (n, energy) = (constant(p.n), p.energy);
        let frame = c.frame("frame_a");
        let u = c.boolean_input("u")?;
        c.impulse_frames([frame, frame]);
        c.law(move |e| {
            let row = e.velocity_along(frame, &n);
            let rows = e.add_rows(&[row]);
            let acts = e.read_truth(u)?;
            let [becomes, injections, impulse] =
                ["u becomes true", "injections", "impulse"].map(|local| e.full(local));
            let model = e.model();
            let begins = model.when(&becomes, acts);
            let injections = model.discrete(&injections, 0.0).integer().as_output().done();
            let impulse = model.discrete(&impulse, 0.0).as_output().done();
            e.define("injections", injections.pre());
            e.define("impulse", impulse.pre());
            let given: KnownImpulses = Box::new(move |w, v| {
                let (a, v) = (w[0][0], v[0]);
                (begins, vec![((v.square() + 2.0 * a * energy).sqrt() - v) / a])
            });
            let component = e.component();
            e.add_impulses(ImpulseRows {
                component,
                rows,
                contact: None,
                known: Some(given),
                source: true,
                done: Box::new(move |model, outcome| {
                    model.update(injections, injections.pre() + select(begins, 1.0, 0.0));
                    model.update(impulse, select(begins, outcome.p[0], impulse.pre()));
                }),
            });
            Ok(())
        });
        Ok(())
    }
}

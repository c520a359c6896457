//! A given energy, put in at once.

use crate::compile::coordinates::Motion;
use crate::compile::impacts::{Blow, Given};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::vector::{X, constant, dot};
use crate::{ports, setters};
use equations::{Ex, Limits, select};

/// Impulse on a frame that puts a given energy into the mechanism.
///
/// # Equations
/// When `u` becomes true, an impulse `p` acts on `frame_a` along `n`, such that its work, `p` times
/// the mean of the speeds along `n` before and after, is `E`; of the two such impulses the one in
/// the direction of `n`.
///
/// # Variables
/// `n` in the axes of `frame_a`, default `{1, 0, 0}`; `E` in J, default 1; `u`, true above 0.5;
/// `injections`, `impulse` in N.s: how many there were, and what the last one was.
///
/// # Events
/// `u` becomes true.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.EnergyInjection.
#[derive(Clone, Debug)]
pub struct EnergyInjection {
    n: [f64; 3],
    energy: f64,
}

ports! {
    /// Ports and variables of an [`EnergyInjection`].
    pub struct EnergyInjectionPorts {
        /// The frame on which the impulse acts.
        frame_a: frame,
        /// When this becomes true, the energy is put in.
        u: input,
        /// Number of impulses.
        injections: quantity,
        /// The last impulse in N.s.
        impulse: quantity,
    }
}

impl EnergyInjection {
    /// With the energy `E` in J, not negative.
    pub fn energy(energy: f64) -> Self {
        EnergyInjection { n: X, energy }
    }
}

setters! {
    impl EnergyInjection {
        /// Direction of the impulse in the axes of `frame_a`.
        n: [f64; 3],
    }
}

impl OldComponent for EnergyInjection {
    type Ports = EnergyInjectionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        let n = constant(c.axis("n", self.n, "Direction of the impulse resolved in frame_a")?);
        let text = "Energy of an impulse";
        let energy = c.limited("E", self.energy, "J", text, Limits::NOT_NEGATIVE)?;
        let energy: Ex = energy.tunable().into();
        let u = c.input("u")?;
        c.impulse_frames([frame, frame]);
        c.law(move |e| {
            let mut row =
                Motion::prescribed([Ex::zero(), dot(&n, &e.velocity(frame).v), Ex::zero()]);
            for variable in e.frames.moving(&[frame]) {
                let partial = dot(&n, &e.frames.partial(frame, variable).v);
                row.partials.insert(variable, partial);
            }
            let rows = e.add_rows(&[row]);
            let acts = e.read(u)?.gt(0.5);
            let [becomes, injections, impulse] =
                ["u becomes true", "injections", "impulse"].map(|local| e.full(local));
            let model = e.model();
            let begins = model.when(&becomes, acts);
            let text = "Number of impulses";
            let injections =
                model.discrete(&injections, 0.0).integer().describe(text).as_output().done();
            let text = "The last impulse";
            let impulse = model.discrete(&impulse, 0.0).unit("N.s").describe(text);
            let impulse = impulse.as_output().done();
            e.define("injections", injections.pre());
            e.define("impulse", impulse.pre());
            let given: Given = Box::new(move |w, v| {
                let (a, v) = (w[0][0], v[0]);
                (begins, vec![((v.square() + 2.0 * a * energy).sqrt() - v) / a])
            });
            let component = e.component;
            e.add_blow(Blow {
                component,
                rows,
                strike: None,
                given: Some(given),
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

//! Blocks that store a truth value.

use mechanics::declaration::prelude::*;

component! {
    /// Store of a truth value, which one signal sets and another one resets.
    ///
    /// # Equations
    /// `Q = not (R or QI)`, and `QI = pre(not (S or Q))`: `S` makes `Q` true, `R` makes it false,
    /// and while both are false, it keeps its value. While both are true, `Q` and `QI` are false.
    pub struct RSFlipFlop = "Modelica.Blocks.Logical.RSFlipFlop" {
        /// Stored value at the start
        q_ini "Qini": bool = false,
    }
    ports {
        /// Signal that sets
        S: BooleanInput,
        /// Signal that resets
        R: BooleanInput,
    }
    variables {
        /// Stored value
        Q: Boolean,
        /// Negation of the stored value
        QI: Boolean,
    }
}

impl Component for RSFlipFlop {
    fn contribute(p: RSFlipFlopParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let [set, reset] = [c.boolean_input("S")?, c.boolean_input("R")?];
        let negation = c.discrete("QI", f64::from(!p.q_ini)).boolean().done();
        c.signal("QI", move |_| Ok(negation.pre()));
        c.boolean_output("Q", move |e| Ok(!(e.read_truth(reset)? | negation.pre_bool())));
        c.law(move |e| {
            let (set, stored) = (e.read_truth(set)?, e.read_own("Q")?.is_true());
            e.model().update(negation, !(set | stored));
            Ok(())
        });
        Ok(())
    }
}

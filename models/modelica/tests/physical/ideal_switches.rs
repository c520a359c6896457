//! Ideal switches beside stores whose laws are texts.

use super::{close, start};

#[test]
fn a_nonlinear_capacitor_keeps_the_voltage_of_the_one_beside_it() {
    let mut m = start(
        "model Nonlinear
           extends E.Interfaces.OnePort; Real q(start = 2, fixed = true);
         equation
           der(q) = i;
           v = q + 0.1 * q ^ 3;
         end Nonlinear;
         model M
           Nonlinear nonlinear; E.Basic.Capacitor c(C = 1, v(start = 0, fixed = true));
           E.Ideal.IdealClosingSwitch switch(Ron = 0, Goff = 0);
           Modelica.Blocks.Sources.BooleanStep closes(startTime = 0.1);
           E.Sources.ConstantCurrent source(I = -1); E.Basic.Ground ground;
         equation
           connect(closes.y, switch.control);
           connect(nonlinear.p, switch.p); connect(switch.n, c.p);
           connect(source.p, c.p);
           connect(nonlinear.n, ground.p); connect(c.n, ground.p); connect(source.n, ground.p);
         end M;",
    );
    for t in [0.05, 0.15, 0.5, 1.0] {
        m.run_to(t).unwrap();
        let (q, v) = (m.read("nonlinear.q").unwrap(), m.read("c.v").unwrap());
        assert!((q + v - 2.0 - t).abs() < 1e-8, "{q} C and {v} C");
        if t > 0.1 {
            close(&mut m, "nonlinear.v", v, 1e-7);
        }
    }
}

//! Frames.

use super::{close, has_library, refusal, same, start};

#[test]
fn a_line_force_of_ones_own_is_the_spring_of_the_library() {
    if !has_library() {
        return;
    }
    let own = "import Modelica.Mechanics.MultiBody;
         model Own
           extends MultiBody.Interfaces.PartialLineForce;
           parameter Real c; parameter Real s_unstretched;
         equation
           f = c * (s - s_unstretched);
         end Own;
         model M
           inner MultiBody.World world; Own part(c = 100, s_unstretched = 0.3);
           MultiBody.Parts.Body body(
             m = 1, r_CM = {0.1, 0, 0}, I_11 = 0.01, I_22 = 0.02, I_33 = 0.01,
             r_0(start = {0.3, -0.2, 0.1}, each fixed = true), v_0(each fixed = true),
             w_0_fixed = true, angles_fixed = true);
         equation
           connect(world.frame_b, part.frame_a); connect(part.frame_b, body.frame_a);
         end M;";
    let library = own.replace("Own part", "MultiBody.Forces.Spring part");
    same(own, &library, &["body.r_0[1]", "body.v_0[2]", "body.w_a[3]"]);
}

/// A bushing in the axes of its first frame, between two free bodies.
const BUSHING: &str = "import Modelica.Mechanics.MultiBody.*;
     model Own
       extends Interfaces.PartialTwoFrames;
       parameter Real c[3] = {100, 200, 300}; parameter Real d = 0;
       Real r[3]; Real v[3]; Real f[3];
       Real stored = sum(c[i] * r[i] ^ 2 for i in 1:3) / 2; Real loss = d * v * v;
     equation
       r = Frames.resolve2(frame_a.R, frame_b.r_0 - frame_a.r_0);
       v = Frames.resolve2(frame_a.R, der(frame_b.r_0) - der(frame_a.r_0)) - cross(frame_a.R.w, r);
       f = {c[i] * r[i] + d * v[i] for i in 1:3};
       frame_b.f = Frames.resolve2(frame_b.R, Frames.resolve1(frame_a.R, f));
       frame_b.t = zeros(3);
       frame_a.f = -f;
       frame_a.t = -cross(r, f);
     end Own;
     model M
       inner World world(g = 0); Own part; Real lost(start = 0, fixed = true);
       Parts.Body a(
         m = 1, r_CM = zeros(3), I_11 = 0.01, I_22 = 0.02, I_33 = 0.03, w_0_start = {1, 2, 3},
         r_0(each fixed = true), v_0(each fixed = true), w_0_fixed = true, angles_fixed = true);
       Parts.Body b(
         m = 2, r_CM = zeros(3), I_11 = 0.01, I_22 = 0.01, I_33 = 0.01,
         r_0(start = {0.03, -0.02, 0.01}, each fixed = true),
         v_0(start = {0, 0.1, 0}, each fixed = true), w_0_fixed = true, angles_fixed = true);
     equation
       der(lost) = part.loss;
       connect(a.frame_a, part.frame_a); connect(part.frame_b, b.frame_a);
     end M;";

#[test]
fn a_bushing_keeps_momentum_and_energy() {
    if !has_library() {
        return;
    }
    for d in ["0", "1.5"] {
        let mut m = start(&BUSHING.replace("d = 0", &format!("d = {d}")));
        let energy = |m: &mut coupler::prelude::Simulation| {
            let parts = ["energy.kinetic", "part.stored", "lost"];
            parts.map(|name| m.read(name).unwrap()).iter().sum::<f64>()
        };
        let first = energy(&mut m);
        for k in 1..=4 {
            m.run_to(0.25 * f64::from(k)).unwrap();
            let now = energy(&mut m);
            assert!((now - first).abs() < 1e-5 * first, "{d}: {first} {now}");
            for (axis, momentum) in [("1", 0.0), ("2", 0.2), ("3", 0.0)] {
                let [a, b] = ["a", "b"].map(|body| m.read(&format!("{body}.v_0[{axis}]")).unwrap());
                assert!((a + 2.0 * b - momentum).abs() < 1e-9, "{axis}: {a} {b}");
            }
        }
        assert!(d == "0" || m.read("lost").unwrap() > 1e-3);
    }
}

#[test]
fn frames_inside_of_composites_are_read() {
    if !has_library() {
        return;
    }
    let own = "import Modelica.Mechanics.MultiBody.*;
         model Arm
           Interfaces.Frame_a frame_a;
           Joints.Revolute joint(phi(start = 0.3, fixed = true), w(start = 2, fixed = true));
           Parts.FixedTranslation rod(r = {1, 0, 0}); Parts.Body body(m = 1, r_CM = zeros(3));
           Interfaces.Frame_b frame_b; Real x = frame_b.r_0[1]; Real v = der(frame_b.r_0[2]);
         equation
           connect(frame_a, joint.frame_a); connect(joint.frame_b, rod.frame_a);
           connect(rod.frame_b, frame_b); connect(rod.frame_b, body.frame_a);
         end Arm;
         model M
           inner World world(g = 0); Arm arm;
         equation
           connect(world.frame_b, arm.frame_a);
         end M;";
    let mut m = start(own);
    m.run_to(0.5).unwrap();
    close(&mut m, "arm.x", 1.3_f64.cos(), 1e-6);
    close(&mut m, "arm.v", 2.0 * 1.3_f64.cos(), 1e-6);
}

#[test]
fn joints_of_ones_own_are_refused() {
    if !has_library() {
        return;
    }
    let found = refusal(
        "import Modelica.Mechanics.MultiBody.*;
         model Own
           extends Interfaces.PartialTwoFrames;
         equation
           frame_b.r_0 = frame_a.r_0;
           frame_a.f + Frames.resolve1(frame_b.R, frame_b.f) = zeros(3);
           frame_a.t = zeros(3); frame_b.t = zeros(3);
         end Own;
         model M
           inner World world; Own part; Parts.Body body(m = 1, r_CM = {0.1, 0, 0});
         equation
           connect(world.frame_b, part.frame_a); connect(part.frame_b, body.frame_a);
         end M;",
    );
    assert!(found.contains("constrains frames"), "{found}");
    let found = refusal(
        "import Modelica.Mechanics.MultiBody.*;
         model Own extends Interfaces.PartialOneFrame_b; equation frame_b.f = {1, 0, 0}; end Own;
         model M inner World world; Own part; Parts.Body body(m = 1, r_CM = {0.1, 0, 0});
         equation connect(body.frame_a, part.frame_b); end M;",
    );
    assert!(found.contains("no equation determines part.frame_b.t: a law"), "{found}");
    let found = refusal(
        "import Modelica.Mechanics.MultiBody.*;
         model Own
           extends Interfaces.PartialOneFrame_b;
         equation
           frame_b.f = {1, 0, 0}; frame_b.t = zeros(3);
         end Own;
         model M inner World world; Own part; end M;",
    );
    assert!(found.contains("is not connected"), "{found}");
}

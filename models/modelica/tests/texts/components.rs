//! Components of texts: their parameters, starts, places and the variables of their frames.

use super::*;
use coupler::multibody::{Body, CutForceAndTorque, Revolute, World};

#[test]
fn components_and_connections() {
    let of = "
        model M
          import Modelica.Mechanics.Rotational.Components.*;
          Modelica.Mechanics.Rotational.Sources.ConstantTorque torque(tau_constant = 2);
          Inertia a(J = 0.5, phi(start = 0, fixed = true), w(start = 1, fixed = true));
          SpringDamper spring(c = 100, d = 0.5);
          Inertia b(J = 2, phi(fixed = true), w(start = 0, fixed = true));
        equation
          connect(torque.flange, a.flange_a);
          connect(a.flange_b, spring.flange_a);
          connect(spring.flange_b, b.flange_a);
        end M;";
    same(of, two_inertias, &["a.phi", "b.w", "spring.tau"]);
}

#[test]
fn parameters_stay_parameters() {
    let of = "
        model M
          parameter Modelica.Units.SI.Inertia J = 0.5 \"Moment of inertia\";
          parameter Real factor(unit = \"1\") = 2;
          final parameter Real J2 = factor * J;
          Modelica.Mechanics.Rotational.Sources.ConstantTorque torque(tau_constant = 3);
          Modelica.Mechanics.Rotational.Components.Inertia a(
            J = J2, phi(fixed = true), w(fixed = true));
        equation
          connect(torque.flange, a.flange_a);
        end M;";
    let mut model = simulation_of(of);
    model.set("J", 3.0).unwrap();
    model.start(None).unwrap();
    model.run_to(2.0).unwrap();
    assert!((model.read("a.w").unwrap() - 1.0).abs() < 1e-12);
    assert!((model.read("a.J").unwrap() - 6.0).abs() < 1e-12);
}

#[test]
fn blocks_start_as_their_parameters_say() {
    let block = |given: &str| {
        format!(
            "model M Modelica.Blocks.Sources.Constant one(k = 1); \
             Modelica.Blocks.Continuous.Integrator i(k = 2, {given}); \
             equation connect(one.y, i.u); end M;"
        )
    };
    let init = "initType = Modelica.Blocks.Types.Init.InitialState";
    for (given, start) in [(format!("{init}, y_start = 5"), 5.0), (init.to_owned(), 0.0)] {
        let mut model = simulation_of(&block(&given));
        model.start(None).unwrap();
        assert_eq!(model.read("i.y").unwrap(), start, "{given}");
        model.run_to(1.0).unwrap();
        assert!((model.read("i.y").unwrap() - start - 2.0).abs() < 1e-9, "{given}");
    }
}

#[test]
fn controllers_begin_with_their_outputs() {
    let of = |block: &str, given: &str, connections: &str| {
        format!(
            "model M Modelica.Blocks.Sources.Constant one(k = 1); \
             Modelica.Blocks.Continuous.{block} c({given}, \
             initType = Modelica.Blocks.Types.Init.InitialOutput, y_start = 0.25); \
             equation {connections} end M;"
        )
    };
    let alone = "connect(one.y, c.u);";
    let limited = "connect(one.y, c.u_s); connect(one.y, c.u_m); connect(one.y, c.u_ff);";
    for (block, given, connections, y) in [
        ("PI", "k = 2, T = 0.5", alone, 0.25),
        ("PID", "k = 2, Ti = 0.5, Td = 0.1", alone, 0.25),
        ("TransferFunction", "a = {1, 2, 3}", alone, 0.25),
        ("CriticalDamping", "n = 3, f = 1", alone, 0.25),
        // The signal that is fed forward is added to the start value.
        ("LimPID", "yMax = 5, withFeedForward = true, kFF = 0.5", limited, 0.75),
    ] {
        let mut model = simulation_of(&of(block, given, connections));
        model.start(None).unwrap();
        let found = model.read("c.y").unwrap();
        assert!((found - y).abs() < 1e-9, "{block}: {found}");
    }
}

/// An inertia that begins to turn.
#[test]
fn components_have_the_places_of_their_annotations() {
    let of = "
        package P
          partial model Base
            Modelica.Mechanics.Rotational.Components.Inertia a(J = 1)
              annotation (Placement(transformation(extent = {{-50, 10}, {-30, 30}})));
          end Base;
          model M
            extends Base;
            Modelica.Mechanics.Rotational.Components.Spring b(c = 1) annotation (Placement(
              visible = true,
              transformation(origin = {0, 5}, extent = {{10, -10}, {-10, 10}}, rotation = -90)));
            Modelica.Mechanics.Rotational.Components.Fixed c annotation (Dialog(tab = \"x\"));
          end M;
        end P;
        model N = P.M;";
    let mut m = Assembly::new();
    text(of).add_to(&mut m).expect("it is a model");
    let places = m.into_netlist().places;
    let places = places.iter().map(|(name, p)| (&**name, [p.x, p.y, p.rotation], p.mirrored));
    let expected = [("a", [-40.0, 20.0, 0.0], false), ("b", [0.0, 5.0, -90.0], true)];
    assert_eq!(places.collect::<Vec<_>>(), expected);
}

/// A pendulum, with a sensor on either side of its joint or without them.
fn measured_pendulum(m: &mut Assembly, has_sensors: bool) {
    let world = m.add("world", World::new());
    let joint = m.add("joint", Revolute::new().n(Z).phi(fixed(0.4)).w(fixed(1.5)));
    let body = m.add("body", Body::new().m(2).r_cm([0.7, 0.0, 0.0]));
    if has_sensors {
        let [first, second] = ["first", "second"].map(|name| m.add(name, CutForceAndTorque::new()));
        m.chain((world.frame_b, first, joint, second, body.frame_a));
    } else {
        m.chain((world.frame_b, joint, body.frame_a));
    }
}

#[test]
fn variables_of_frames_are_those_of_sensors() {
    let mut ours = simulation_of(
        "model M
          inner Modelica.Mechanics.MultiBody.World world;
          Modelica.Mechanics.MultiBody.Joints.Revolute joint(
            n = {0, 0, 1}, phi(start = 0.4, fixed = true), w(start = 1.5, fixed = true));
          Modelica.Mechanics.MultiBody.Parts.Body body(m = 2, r_CM = {0.7, 0, 0});
          Real f[3] = body.frame_a.f;
          Real t[3] = joint.frame_a.t;
          Real sine = body.frame_a.R.T[1, 2];
          Real w = body.frame_a.R.w[3];
          Real v[3] = der(body.frame_a.r_0);
        equation
          connect(world.frame_b, joint.frame_a);
          connect(joint.frame_b, body.frame_a);
        end M;",
    );
    let mut with_sensors =
        coupler::simulation(|m: &mut Assembly| measured_pendulum(m, true)).unwrap();
    let mut plain = coupler::simulation(|m: &mut Assembly| measured_pendulum(m, false)).unwrap();
    let mut simulations = [&mut ours, &mut with_sensors, &mut plain];
    for k in 0..=4 {
        for simulation in &mut simulations {
            match k {
                0 => simulation.start(None).unwrap(),
                _ => simulation.run_to(f64::from(k) * 0.25).unwrap(),
            }
        }
        let [ours, with_sensors, plain] = &mut simulations;
        let same = |[(a, name), (b, other)]: [(&mut Simulation, &str); 2]| {
            let [a, b] = [a.read(name).unwrap(), b.read(other).unwrap()];
            assert!(a.to_bits() == b.to_bits(), "{name}: {a} and {b}");
        };
        for k in 1..=3 {
            let [f, force] = [format!("f[{k}]"), format!("second.force[{k}]")];
            same([(ours, &f), (with_sensors, &force)]);
            same([(ours, &format!("body.frame_a.f[{k}]")), (with_sensors, &force)]);
            let [t, torque] = [format!("t[{k}]"), format!("first.torque[{k}]")];
            same([(ours, &t), (with_sensors, &torque)]);
        }
        for name in ["joint.phi", "joint.w", "joint.a", "body.a_0[2]"] {
            same([(ours, name), (plain, name)]);
        }
        let [phi, w] = ["joint.phi", "joint.w"].map(|name| ours.read(name).unwrap());
        for (name, value) in [("sine", phi.sin()), ("w", w), ("v[1]", 0.0)] {
            let found = ours.read(name).unwrap();
            assert!((found - value).abs() < 1e-12, "{name} = {found}, not {value}");
        }
    }
}

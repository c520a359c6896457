//! Equations beside components of the library.

use super::{close, refusal, run};

/// Whether the standard library is there.
fn has_library() -> bool {
    let is_there = std::env::var_os("MODELICAPATH").is_some();
    if !is_there {
        println!("skipped: MODELICAPATH is not set");
    }
    is_there
}

#[test]
fn variables_of_components_are_read() {
    if !has_library() {
        return;
    }
    let mut m = run(
        "model M
          import Modelica.Mechanics.Rotational.*;
          Components.Inertia j(J = 2, phi(start = 0, fixed = true), w(start = 0, fixed = true));
          Sources.Torque torque;
          Modelica.Blocks.Sources.Constant one(k = 1);
          Real phi = j.phi; Real w; Real a = der(j.w); Real tau = torque.tau; Real cut = j.flange_a.tau;
          Real speed = der(j.flange_b.phi);
          output Real power;
        equation
          w = der(phi);
          power = tau * w;
          connect(one.y, torque.tau);
          connect(torque.flange, j.flange_a);
        end M;",
        2.0,
    );
    for (name, value) in [
        ("phi", 1.0),
        ("w", 1.0),
        ("a", 0.5),
        ("tau", 1.0),
        ("cut", 1.0),
        ("speed", 1.0),
        ("power", 1.0),
    ] {
        close(&mut m, name, value);
    }
}

#[test]
fn blocks_of_the_standard_library_move_components() {
    if !has_library() {
        return;
    }
    let mut m = run(
        "package P
          block Controller
            extends Modelica.Blocks.Interfaces.SISO;
            parameter Real k = 4; parameter Real T = 0.5; Real x(start = 0, fixed = true);
          equation
            der(x) = u / T;
            y = if noEvent(k * (x + u) > 100) then 100 else k * (x + u);
          end Controller;
          model M
            Modelica.Mechanics.Translational.Components.Mass mass(
              m = 1, s(start = 1, fixed = true), v(start = 0, fixed = true));
            Modelica.Mechanics.Translational.Sources.Force force;
            Modelica.Mechanics.Translational.Sensors.PositionSensor sensor;
            Controller controller;
            Modelica.Blocks.Interfaces.RealInput wish(start = 1);
            Modelica.Blocks.Interfaces.RealOutput s;
          equation
            controller.u = wish - sensor.s - mass.v;
            connect(controller.y, force.f);
            connect(force.flange, mass.flange_a);
            connect(mass.flange_b, sensor.flange);
            connect(sensor.s, s);
          end M;
        end P;",
        1.0,
    );
    close(&mut m, "s", 1.0);
    close(&mut m, "controller.y", 0.0);
}

#[test]
fn texts_of_components_determine_further_variables() {
    if !has_library() {
        return;
    }
    let mut m = run(
        "model M
          import Modelica.Mechanics.Rotational.*;
          Components.IdealGear gear(ratio = 2);
          Components.Inertia j(J = 1, phi(start = 1, fixed = true), w(start = 4, fixed = true));
          Components.Inertia fast(J = 1);
          Real sum = gear.phi_a + gear.phi_b;
        equation
          connect(fast.flange_b, gear.flange_a);
          connect(gear.flange_b, j.flange_a);
        end M;",
        0.0,
    );
    for (name, value) in [("sum", 3.0), ("gear.phi_a", 2.0), ("gear.phi_b", 1.0)] {
        close(&mut m, name, value);
    }
}

#[test]
fn equations_give_inputs_and_initial_values_of_components() {
    let of = "model M
        Modelica.Mechanics.Translational.Sources.Force force;
        Modelica.Mechanics.Translational.Components.Mass mass(m = 2, v(start = 5));
        parameter Real v0 = 0.5;
      initial equation
        mass.v = v0;
        0 = mass.s;
      equation
        force.f = if time < 1 then 4 else 0;
        connect(force.flange, mass.flange_a);
      end M;";
    let mut simulation = run(of, 2.0);
    close(&mut simulation, "mass.v", 2.5);
    close(&mut simulation, "mass.s", 0.5 + 1.0 + 2.5);
    close(&mut simulation, "force.f", 0.0);
    let twice = of.replace("start = 5", "start = 5, fixed = true");
    assert!(refusal(&twice).contains("has an initial value already"));
    let both = of.replace("equation\n        force.f", "equation force.f = 1;\n force.f");
    assert!(refusal(&both).contains("force.f has another equation, at "), "{}", refusal(&both));
}

#[test]
fn functions_of_the_class_of_a_component_are_called() {
    let of = "package P
        model Road
          replaceable function height input Real x; output Real y; algorithm y := 2 * x; end height;
        end Road;
        model Car outer Road road; Real z = road.height(time); end Car;
        model M
          inner Road road(redeclare function height = steep);
          Car car;
          Real low = car.z;
        end M;
        function steep input Real x; output Real y; algorithm y := 3 * x; end steep;
      end P;";
    close(&mut run(of, 2.0), "low", 6.0);
}

#[test]
fn variables_that_no_text_determines_are_refused() {
    if !has_library() {
        return;
    }
    let text = |read: &str| {
        format!(
            "model M
               inner Modelica.Mechanics.MultiBody.World world;
               Modelica.Mechanics.MultiBody.Joints.Prismatic fall(
                 n = {{0, -1, 0}}, s(fixed = true), v(fixed = true));
               Modelica.Mechanics.MultiBody.Parts.Body body(m = 1, r_CM = zeros(3));
               Real g = {read};
             equation
               connect(world.frame_b, fall.frame_a);
               connect(fall.frame_b, body.frame_a);
             end M;"
        )
    };
    close(&mut run(&text("body.g_0[2]"), 0.5), "g", -9.80665);
    let sentence = refusal(&text("body.phi_dd[1]"));
    assert!(sentence.contains("phi_dd is protected in Modelica.Mechanics.MultiBody.Parts.Body"));
}

/// A model in which an acceleration determines the stiffness of a spring.
fn found_stiffness(parameter: &str, spring: &str) -> String {
    format!(
        "model M
          import Modelica.Mechanics.Rotational.*;
          {parameter}
          Components.Fixed fixed;
          Components.Spring spring({spring});
          Components.Inertia j(
            J = 2, phi(start = 1, fixed = true), w(fixed = true), a(start = -3, fixed = true));
          Real stiffness = spring.c;
        equation
          connect(fixed.flange, spring.flange_a);
          connect(spring.flange_b, j.flange_a);
        end M;"
    )
}

#[test]
fn parameters_that_initial_conditions_determine_are_read() {
    if !has_library() {
        return;
    }
    let own = found_stiffness("", "c(fixed = false, start = 1)");
    let of_model = found_stiffness("parameter Real c(fixed = false, start = 1);", "c = c");
    for text in [own, of_model] {
        let mut m = run(&text, 0.5);
        close(&mut m, "stiffness", 6.0);
    }
    let read = "parameter Real c(fixed = false, start = 1); Real half = c / 2;";
    close(&mut run(&found_stiffness(read, "c = c"), 0.5), "half", 3.0);
    let twice = "parameter Real c(fixed = false, start = 1); Components.Spring other(c = c);";
    let sentence = refusal(&found_stiffness(twice, "c = c"));
    assert!(sentence.contains("can be the value of one parameter only"), "{sentence}");
}

#[test]
fn records_of_variables_are_determined_as_a_whole() {
    let mut m = run(
        "model M
          record Motion Real x; Real v[2]; end Motion;
          Motion a; Motion b;
          Real sum = a.x + a.v[2];
        equation
          a = b;
          b.x = time;
          b.v = {2, 3} * time;
        end M;",
        2.0,
    );
    close(&mut m, "sum", 8.0);
    close(&mut m, "a.v[1]", 4.0);
}

#[test]
fn sizes_and_colours_of_pictures_have_no_influence() {
    if !has_library() {
        return;
    }
    let of = "model M
        inner Modelica.Mechanics.MultiBody.World world(
          defaultBodyDiameter = 0.02, defaultSpecularCoefficient = 0);
        Modelica.Mechanics.MultiBody.Joints.Prismatic joint(
          n = {0, -1, 0}, s(fixed = true), v(fixed = true));
        Modelica.Mechanics.MultiBody.Parts.Body body(m = 1, r_CM = zeros(3));
      equation
        connect(world.frame_b, joint.frame_a);
        connect(joint.frame_b, body.frame_a);
      end M;";
    close(&mut run(of, 1.0), "joint.v", 9.80665);
}

#[test]
fn temperatures_of_heat_ports_are_variables_of_equations() {
    let mut brake = run(
        "model M
          import Modelica.Mechanics.Rotational.Components.*;
          Modelica.Thermal.HeatTransfer.Components.HeatCapacitor drum(
            C = 2, T(start = 300, fixed = true));
          Damper damper(d = 1, useHeatPort = true);
          Inertia wheel(J = 1, phi(fixed = true), w(fixed = true, start = 10));
          Fixed wall;
          Real of_drum = drum.port.T; Real of_damper = damper.heatPort.T - 273.15;
        equation
          connect(damper.heatPort, drum.port);
          connect(wall.flange, damper.flange_a);
          connect(damper.flange_b, wheel.flange_a);
        end M;",
        1.0,
    );
    // The energy that the wheel has lost is in the drum.
    let lost = 0.5 * 100.0 * (1.0 - (-2.0_f64).exp());
    close(&mut brake, "of_drum", 300.0 + lost / 2.0);
    close(&mut brake, "of_damper", 26.85 + lost / 2.0);
    close(&mut brake, "drum.port.T", 300.0 + lost / 2.0);
}

#[test]
fn inputs_for_pictures_are_no_equations() {
    if !has_library() {
        return;
    }
    let mut m = run(
        "model M
          import Modelica.Mechanics.MultiBody.*;
          inner World world(axisColor_x = {1, 2, 3});
          Parts.Body body(m = 2, sphereDiameter = 0.2, r_0(each fixed = true), v_0(each fixed = true));
        end M;",
        1.0,
    );
    close(&mut m, "body.r_0[2]", -9.80665 / 2.0);
}

#[test]
fn vectors_of_inputs_have_as_many_elements_as_a_text_connects() {
    let mut model = run(
        "model M Modelica.Blocks.Sources.Constant two(k = 2); \
         Modelica.Blocks.Sources.Ramp ramp(height = 1, duration = 1); \
         Modelica.Blocks.Math.MultiSum sum(nu = 2, k = {1, -4}); \
         Modelica.Blocks.Math.Sum weighted(nin = 2, k = {3, 1}); \
         Modelica.Blocks.Logical.GreaterThreshold late(threshold = 0.5); \
         Modelica.Blocks.Math.MultiSwitch switch(nu = 1, expr = {7}, y_default = -7); \
         equation connect(two.y, sum.u[1]); connect(ramp.y, sum.u[2]); \
         connect(two.y, weighted.u[1]); connect(ramp.y, weighted.u[2]); \
         connect(ramp.y, late.u); connect(late.y, switch.u[1]); end M;",
        0.75,
    );
    for (name, value) in [("sum.y", -1.0), ("weighted.y", 6.75), ("switch.y", 7.0)] {
        close(&mut model, name, value);
    }
}

#[test]
fn blocks_with_limits_take_settings_for_homotopy() {
    if !has_library() {
        return;
    }
    let mut model = run(
        "model M Modelica.Blocks.Sources.Constant two(k = 2); \
         Modelica.Blocks.Nonlinear.Limiter limiter(uMax = 1, strict = true, homotopyType = \
         Modelica.Blocks.Types.LimiterHomotopy.UpperLimit); \
         equation connect(two.y, limiter.u); end M;",
        0.1,
    );
    close(&mut model, "limiter.y", 1.0);
}

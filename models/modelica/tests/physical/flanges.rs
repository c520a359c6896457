//! Flanges and heat ports.

use super::{close, has_library, refusal, same, start};

/// Two inertias with something between them.
fn between(class: &str, part: &str) -> String {
    format!(
        "{class}
         model M
           Components.Inertia a(J = 0.5, phi(start = 0.2, fixed = true), w(start = 3, fixed = true));
           {part}
           Components.Inertia b(J = 2, phi(fixed = true), w(fixed = true));
         equation
           connect(a.flange_b, part.flange_a);
           connect(part.flange_b, b.flange_a);
         end M;"
    )
}

#[test]
fn springs_and_dampers_are_those_of_the_library() {
    let own = between(
        "model Own
           extends Compliant(phi_rel(stateSelect = StateSelect.prefer, nominal = 1e-4));
           parameter Real c = 40; parameter Real d = 0.3;
           SI.AngularVelocity w_rel(stateSelect = StateSelect.prefer); Real lossPower;
         equation
           w_rel = der(phi_rel);
           tau = c * phi_rel + d * w_rel;
           lossPower = d * w_rel * w_rel;
         end Own;",
        "Own part;",
    );
    let library = between("", "Components.SpringDamper part(c = 40, d = 0.3);");
    let variables = [
        "a.phi",
        "b.w",
        "part.phi_rel",
        "part.w_rel",
        "part.tau",
        "part.lossPower",
        "part.flange_a.tau",
        "part.flange_b.phi",
        "a.flange_b.tau",
    ];
    same(&own, &library, &variables);
}

#[test]
fn start_values_of_relative_motions_are_conditions() {
    let own = "model Own
           Flange_a flange_a; Flange_b flange_b;
           parameter Real first = 0.4;
           Real phi_rel(start = first, fixed = true, stateSelect = StateSelect.prefer, nominal = 1e-4);
           Real w_rel(start = 2, fixed = true, stateSelect = StateSelect.prefer);
           Real a_rel;
         equation
           phi_rel = flange_b.phi - flange_a.phi;
           w_rel = der(phi_rel); a_rel = der(w_rel);
           flange_b.tau = 50 * phi_rel; flange_a.tau = -flange_b.tau;
         end Own;
         model M
           Components.Inertia a(J = 0.5, phi(fixed = true), w(fixed = true));
           Own part; Components.Inertia b(J = 2);
         equation
           connect(a.flange_b, part.flange_a); connect(part.flange_b, b.flange_a);
         end M;";
    let mut m = start(own);
    close(&mut m, "b.phi", 0.4, 1e-9);
    close(&mut m, "b.w", 2.0, 1e-9);
    close(&mut m, "part.a_rel", -50.0 * 0.4 * (1.0 / 2.0 + 1.0 / 0.5), 1e-9);
    let omega = (50.0_f64 * 2.5).sqrt();
    m.run_to(0.7).unwrap();
    let phase = 0.7 * omega;
    let wanted = 0.4 * phase.cos() + 2.0 / omega * phase.sin();
    close(&mut m, "part.phi_rel", wanted, 1e-4);
}

#[test]
fn initial_equations_of_motions() {
    let own = |initial: &str| {
        format!(
            "model Own
               Flange_a flange; Real phi; Real w; parameter Real c = 50; parameter Real first = 0.2;
             equation
               phi = flange.phi; w = der(phi);
               flange.tau = c * phi - 10;
             initial equation
               {initial}
             end Own;
             model M Own own; Components.Inertia a(J = 0.5); equation connect(own.flange, a.flange_a); end M;"
        )
    };
    let mut m = start(&own("phi = first; der(phi) = 0;"));
    close(&mut m, "a.phi", 0.2, 1e-9);
    m.run_to(0.3).unwrap();
    close(&mut m, "a.phi", 0.2, 1e-9);
    let mut m = start(&own("phi = first + 0.1; w = 3;"));
    close(&mut m, "a.phi", 0.3, 1e-9);
    close(&mut m, "own.w", 3.0, 1e-9);
    let mut m = start(&own("der(phi) = 0; der(w) = 0;"));
    close(&mut m, "a.phi", 0.2, 1e-6);
    close(&mut m, "a.a", 0.0, 1e-6);
}

#[test]
fn inertias_of_ones_own() {
    let own = "model Own
           Flange_a flange_a; Flange_b flange_b; parameter Real J;
           Real phi(start = 0.3, fixed = true); Real w(start = 2, fixed = true); Real a;
         equation
           phi = flange_a.phi; phi = flange_b.phi;
           w = der(phi); a = der(w);
           J * a = flange_a.tau + flange_b.tau;
         end Own;
         model Rest
           Sources.ConstantTorque torque(tau_constant = 2);
           Components.SpringDamper spring(c = 30, d = 0.2);
           Components.Inertia load(J = 1, phi(fixed = true), w(fixed = true));
         end Rest;
         model M
           extends Rest;
           Own own(J = 0.7);
         equation
           connect(torque.flange, own.flange_a); connect(own.flange_b, spring.flange_a);
           connect(spring.flange_b, load.flange_a);
         end M;";
    let library = own.replace(
        "Own own(J = 0.7)",
        "Components.Inertia own(J = 0.7, phi(start = 0.3, fixed = true), w(start = 2, fixed = true))",
    );
    let variables =
        ["own.phi", "own.w", "own.a", "load.phi", "own.flange_b.tau", "own.flange_a.tau"];
    same(own, &library, &variables);
}

#[test]
fn gears_of_ones_own() {
    let own = "model Own
           Flange_a flange_a; Flange_b flange_b; parameter Real ratio = 3; Real phi_a; Real phi_b;
         equation
           phi_a = flange_a.phi; phi_b = flange_b.phi;
           phi_a = ratio * phi_b;
           0 = ratio * flange_a.tau + flange_b.tau;
         end Own;
         model M
           Sources.ConstantTorque torque(tau_constant = 2);
           Components.Inertia a(J = 0.1, phi(fixed = true), w(fixed = true)); Own gear;
           Components.Inertia b(J = 0.6);
         equation
           connect(torque.flange, a.flange_a); connect(a.flange_b, gear.flange_a);
           connect(gear.flange_b, b.flange_a);
         end M;";
    let library = own.replace("Own gear", "Components.IdealGear gear(ratio = 3)");
    same(own, &library, &["a.phi", "b.w", "gear.flange_a.tau", "gear.flange_b.tau"]);
}

#[test]
fn supports_and_sources_of_ones_own() {
    let own = |connected: bool| {
        let (use_support, connection) = match connected {
            true => ("true", "connect(own.support, housing.flange_b);"),
            false => ("false", ""),
        };
        format!(
            "model Own
               parameter Boolean useSupport = false; Flange_b flange;
               Modelica.Mechanics.Rotational.Interfaces.Support support(
                 phi = phi_support, tau = -flange.tau) if useSupport;
               Real phi; Real w;
             protected
               Real phi_support;
             equation
               if not useSupport then phi_support = 0; end if;
               phi = flange.phi - phi_support;
               w = der(phi);
               flange.tau = -(2 - 0.5 * w);
             end Own;
             model M
               Own own(useSupport = {use_support});
               Components.Inertia a(J = 0.4, phi(fixed = true), w(fixed = true));
               Components.Inertia housing(J = 1, phi(fixed = true), w(fixed = true));
             equation
               connect(own.flange, a.flange_a); {connection}
             end M;"
        )
    };
    let mut fixed = start(&own(false));
    fixed.run_to(1.0).unwrap();
    close(&mut fixed, "a.w", 4.0 * (1.0 - (-0.5_f64 / 0.4).exp()), 1e-4);
    let mut free = start(&own(true));
    free.run_to(1.0).unwrap();
    let speed = free.read("a.w").unwrap();
    close(&mut free, "housing.w", -0.4 * speed, 1e-9);
    let rate: f64 = 0.5 * (1.0 / 0.4 + 1.0);
    close(&mut free, "own.w", 4.0 * (1.0 - (-rate).exp()), 1e-4);
}

#[test]
fn heat_of_ones_own() {
    let own = "model Conductor
           H.Interfaces.HeatPort_a port_a; H.Interfaces.HeatPort_b port_b; parameter Real G = 5;
           Real Q_flow; Real dT;
         equation
           dT = port_a.T - port_b.T; port_a.Q_flow = Q_flow; port_b.Q_flow = -Q_flow;
           Q_flow = G * dT;
         end Conductor;
         model Capacitor
           H.Interfaces.HeatPort_a port; parameter Real C; parameter Real T0 = 300; Real T(start = T0, fixed = true);
         equation
           T = port.T; C * der(T) = port.Q_flow;
         end Capacitor;
         model Ambient
           H.Interfaces.HeatPort_b port; parameter Real T = 290;
         equation
           port.T = T;
         end Ambient;
         model M
           Capacitor hot(C = 200, T0 = 350); Conductor conductor; Ambient ambient;
         equation
           connect(hot.port, conductor.port_a); connect(conductor.port_b, ambient.port);
         end M;";
    let mut m = start(own);
    m.run_to(20.0).unwrap();
    let wanted = 290.0 + 60.0 * (-20.0_f64 * 5.0 / 200.0).exp();
    close(&mut m, "hot.T", wanted, 1e-2);
    close(&mut m, "conductor.Q_flow", 5.0 * (wanted - 290.0), 1e-1);
}

#[test]
fn motors_with_currents_and_losses() {
    let own = "model Motor
           Flange_b flange; H.Interfaces.HeatPort_b heatPort(Q_flow = -R * i * i);
           parameter Real R = 0.5; parameter Real L = 0.1; parameter Real k = 0.2;
           Modelica.Blocks.Interfaces.RealInput v;
           Real i(start = 0, fixed = true); Real w = der(flange.phi);
         equation
           L * der(i) = v - R * i - k * w;
           flange.tau = -k * i;
         end Motor;
         model M
           Motor motor; Modelica.Blocks.Sources.Constant v(k = 12);
           Components.Inertia a(J = 0.05, phi(fixed = true), w(fixed = true));
           H.Components.HeatCapacitor case(C = 100, T(start = 300, fixed = true));
           Real supplied(start = 0, fixed = true);
         equation
           der(supplied) = v.y * motor.i;
           connect(v.y, motor.v); connect(motor.flange, a.flange_a);
           connect(motor.heatPort, case.port);
         end M;";
    let mut m = start(own);
    m.run_to(1.5).unwrap();
    let [w, i, heat, energy] =
        ["a.w", "motor.i", "case.T", "supplied"].map(|name| m.read(name).unwrap());
    let stored = 0.5 * 0.05 * w * w + 0.5 * 0.1 * i * i + 100.0 * (heat - 300.0);
    assert!((energy - stored).abs() < 1e-3 * energy, "{energy} {stored}");
    m.run_to(30.0).unwrap();
    close(&mut m, "a.w", 60.0, 1e-2);
}

#[test]
fn laws_with_events() {
    let own = "model Stop
           T.Interfaces.Flange_a flange; parameter Real c = 1e3; Boolean contact; Integer hits(start = 0, fixed = true);
         equation
           contact = flange.s < 0;
           flange.f = if contact then c * flange.s else 0;
           when contact then hits = pre(hits) + 1; end when;
         end Stop;
         model M
           T.Components.Mass mass(m = 2, s(start = 1, fixed = true), v(start = -2, fixed = true)); Stop stop;
         equation
           connect(mass.flange_b, stop.flange);
         end M;";
    let mut m = start(own);
    m.run_to(0.4).unwrap();
    close(&mut m, "mass.v", -2.0, 1e-9);
    m.run_to(1.0).unwrap();
    let half = std::f64::consts::PI / (1e3_f64 / 2.0).sqrt();
    close(&mut m, "mass.v", 2.0, 1e-3);
    close(&mut m, "mass.s", 2.0 * (0.5 - half), 1e-3);
    close(&mut m, "stop.hits", 1.0, 0.0);
}

#[test]
fn flows_that_depend_on_each_other_are_solved() {
    let own = between(
        "model Own
           extends Two; parameter Real c = 40;
         equation
           flange_a.tau + flange_b.tau = 0;
           flange_b.tau - flange_a.tau = 2 * c * (flange_b.phi - flange_a.phi);
         end Own;",
        "Own part;",
    );
    let library = between("", "Components.Spring part(c = 40);");
    same(&own, &library, &["a.phi", "b.w", "part.flange_b.tau"]);
}

#[test]
fn flanges_without_inertia_between_own_laws() {
    let own =
        "model Spring extends Compliant; parameter Real c; equation tau = c * phi_rel; end Spring;
         model Damper
           extends Compliant(phi_rel(nominal = 1e-4)); parameter Real d; Real w_rel(start = 0);
         equation
           w_rel = der(phi_rel); tau = d * w_rel;
         end Damper;
         model M
           Components.Fixed wall; Spring spring(c = 20); Damper damper(d = 3);
           Components.Inertia wheel(J = 1, phi(start = 1, fixed = true), w(fixed = true));
         equation
           connect(wall.flange, spring.flange_a); connect(spring.flange_b, damper.flange_a);
           connect(damper.flange_b, wheel.flange_a);
         end M;";
    let library = own
        .replace(
            "M\n           Components.Fixed wall; Spring",
            "M\n           Components.Fixed wall; Components.Spring",
        )
        .replace("Damper damper(d = 3)", "Components.Damper damper(d = 3)");
    same(own, &library, &["wheel.phi", "wheel.w", "spring.tau", "damper.tau"]);
    // Without start values, too.
    let plain = own.replace("Damper damper", "Plain damper").replace(
        "model M",
        "model Plain
           extends Two; parameter Real d;
         equation
           flange_a.tau = d * (der(flange_a.phi) - der(flange_b.phi)); flange_b.tau = -flange_a.tau;
         end Plain;
         model M",
    );
    let (mut plain, mut theirs) = (start(&plain), start(&library));
    plain.run_to(1.0).unwrap();
    theirs.run_to(1.0).unwrap();
    close(&mut plain, "wheel.w", theirs.read("wheel.w").unwrap(), 1e-6);
}

#[test]
fn random_springs_agree_with_closed_forms() {
    // Two masses on a spring of the law f = c s + c3 s^3 keep their energy and momentum.
    for (c, c3, v) in [(3.0, 20.0, 1.5), (0.0, 7.0, -2.0), (11.0, -1.0, 0.4)] {
        let own = format!(
            "model Own
               T.Interfaces.Flange_a flange_a; T.Interfaces.Flange_b flange_b; parameter Real c; parameter Real c3;
               Real s_rel = flange_b.s - flange_a.s; Real stored = c * s_rel ^ 2 / 2 + c3 * s_rel ^ 4 / 4;
             equation
               flange_b.f = c * s_rel + c3 * s_rel ^ 3; flange_a.f = -flange_b.f;
             end Own;
             model M
               Own spring(c = {c}, c3 = {c3});
               T.Components.Mass a(m = 1, s(fixed = true), v(fixed = true));
               T.Components.Mass b(m = 2, s(fixed = true), v(start = {v}, fixed = true));
             equation
               connect(a.flange_b, spring.flange_a); connect(spring.flange_b, b.flange_a);
             end M;"
        );
        let mut m = start(&own);
        for k in 1..=5 {
            m.run_to(f64::from(k) * 0.5).unwrap();
            let [v_a, v_b, stored] =
                ["a.v", "b.v", "spring.stored"].map(|name| m.read(name).unwrap());
            let energy = v_a * v_a / 2.0 + v_b * v_b + stored;
            assert!((energy - v * v).abs() < 1e-4 * v * v, "{c} {c3} {v}: {energy}");
            assert!((v_a + 2.0 * v_b - 2.0 * v).abs() < 1e-9, "{c} {c3} {v}");
        }
    }
}

#[test]
fn prescribed_motions_of_ones_own() {
    let own = "model Own
           Flange_b flange; Real r = sin(3 * time);
         equation
           flange.phi = r;
         end Own;
         model M
           Own own; Components.Inertia a(J = 2); Real tau = own.flange.tau;
         equation
           connect(own.flange, a.flange_a);
         end M;";
    let mut m = start(own);
    m.run_to(0.4).unwrap();
    close(&mut m, "a.w", 3.0 * 1.2_f64.cos(), 1e-12);
    close(&mut m, "tau", 18.0 * 1.2_f64.sin(), 1e-12);
    let own = "model Own
           Flange_b flange; Real phi(start = 0.3, fixed = true); Real w; Real a;
         equation
           phi = flange.phi; w = der(phi); a = der(w);
           w = 2 * time;
         end Own;
         model M
           Own own; Components.Inertia a(J = 2); Real tau = own.flange.tau;
         equation
           connect(own.flange, a.flange_a);
         end M;";
    let mut m = start(own);
    m.run_to(0.4).unwrap();
    close(&mut m, "a.phi", 0.3 + 0.16, 1e-9);
    close(&mut m, "own.w", 0.8, 1e-12);
    close(&mut m, "tau", -4.0, 1e-12);
}

#[test]
fn connectors_of_composites_are_read() {
    let composite = |equation: &str| {
        format!(
            "model Own
               Flange_b flange; Components.Inertia a(J = 2, phi(fixed = true), w(fixed = true)); Real x;
             equation
               x = {equation}; connect(a.flange_b, flange);
             end Own;
             model M
               Own own; Sources.ConstantTorque torque(tau_constant = 4);
             equation
               connect(torque.flange, own.flange);
             end M;"
        )
    };
    let mut m = start(&composite("der(flange.phi)"));
    m.run_to(0.5).unwrap();
    close(&mut m, "own.x", 1.0, 1e-9);
    // The torque that enters the component is all that accelerates what is in it.
    let mut m = start(&composite("flange.tau"));
    m.run_to(0.5).unwrap();
    close(&mut m, "own.x", 4.0, 1e-9);
    close(&mut m, "own.a.w", 1.0, 1e-9);
    close(&mut m, "own.flange.tau", 4.0, 1e-9);
    let heat = "model Own
           H.Interfaces.HeatPort_a port; H.Components.HeatCapacitor c(C = 2); Real x = port.Q_flow;
         equation
           connect(port, c.port);
         end Own;
         model M
           Own own; H.Sources.FixedHeatFlow source(Q_flow = 4);
         equation
           connect(source.port, own.port);
         end M;";
    let sentence = refusal(heat);
    assert!(sentence.contains("own.port.Q_flow is the flow of a connection"), "{sentence}");
}

#[test]
fn partial_classes_of_the_standard_library_are_extended() {
    if !has_library() {
        return;
    }
    let gear = |support: &str, connection: &str| {
        format!(
            "import Modelica.Mechanics.Rotational.Interfaces;
             model Own
               extends Interfaces.PartialElementaryTwoFlangesAndSupport2; parameter Real ratio = 2;
               Real phi_a = flange_a.phi - phi_support; Real phi_b = flange_b.phi - phi_support;
             equation
               phi_a = ratio * phi_b; 0 = ratio * flange_a.tau + flange_b.tau;
             end Own;
             model Other
               extends Interfaces.PartialTwoFlangesAndSupport; parameter Real ratio = 2;
             equation
               flange_a.phi - internalSupport.phi = ratio * (flange_b.phi - internalSupport.phi);
               0 = ratio * flange_a.tau + flange_b.tau;
               internalSupport.tau = flange_a.tau + flange_b.tau;
             end Other;
             model M
               Sources.ConstantTorque torque(tau_constant = 3);
               Components.Inertia a(J = 1, phi(fixed = true), w(fixed = true)); GEAR gear({support});
               Components.Inertia b(J = 2);
               Components.Inertia housing(J = 3, phi(fixed = true), w(fixed = true));
             equation
               connect(torque.flange, a.flange_a); connect(a.flange_b, gear.flange_a);
               connect(gear.flange_b, b.flange_a); {connection}
             end M;"
        )
    };
    for (support, connection) in
        [("", ""), ("useSupport = true", "connect(gear.support, housing.flange_a);")]
    {
        let text = gear(support, connection);
        let library = text.replace("GEAR gear(", "Components.IdealGear gear(ratio = 2, ");
        let library = library.replace("ratio = 2, )", "ratio = 2)");
        for own in ["Own", "Other"] {
            same(&text.replace("GEAR", own), &library, &["a.w", "b.phi", "housing.w"]);
        }
    }
    let rack = "model Own
           extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryRotationalToTranslational;
           parameter Real ratio = 5;
         equation
           flangeR.phi - internalSupportR.phi = ratio * (flangeT.s - internalSupportT.s);
           0 = ratio * flangeR.tau + flangeT.f;
         end Own;
         model M
           Sources.ConstantTorque torque(tau_constant = 3); Own part;
           T.Components.Mass mass(m = 2, s(fixed = true), v(fixed = true));
         equation
           connect(torque.flange, part.flangeR); connect(part.flangeT, mass.flange_a);
         end M;";
    let library = rack.replace("Own part", "Components.IdealGearR2T part(ratio = 5)");
    same(rack, &library, &["mass.s", "mass.v"]);
    let heated = "model Own
           extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliantWithRelativeStates;
           extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
           parameter Real c; parameter Real d;
         equation
           tau = c * phi_rel + d * w_rel; lossPower = d * w_rel ^ 2;
         end Own;
         model M
           Components.Fixed wall; Own part(c = 20, d = 3, useHeatPort = true);
           H.Components.HeatCapacitor case(C = 0.1, T(start = 300, fixed = true));
           Components.Inertia a(J = 1, phi(start = 1, fixed = true), w(fixed = true));
         equation
           connect(wall.flange, part.flange_a); connect(part.flange_b, a.flange_a);
           connect(part.heatPort, case.port);
         end M;";
    let library = heated.replace("Own part", "Components.SpringDamper part");
    same(heated, &library, &["a.phi", "part.phi_rel", "part.a_rel", "part.tau", "case.T"]);
}

#[test]
fn inertias_that_move_relative_to_a_housing() {
    let own = |housing: &str| {
        format!(
            "model Own
               Flange_b flange; Modelica.Mechanics.Rotational.Interfaces.Support support;
               parameter Real J = 0.1; Real phi(start = 0.2, fixed = true); Real w(start = 0, fixed = true);
             equation
               phi = flange.phi - support.phi; w = der(phi);
               J * der(w) = flange.tau + 2; support.tau = -flange.tau;
             end Own;
             model M
               Own own; {housing} Components.Inertia load(J = 0.3);
             equation
               connect(own.support, housing.flange); connect(own.flange, load.flange_a);
             end M;"
        )
    };
    let mut m = start(&own("Components.Fixed housing;"));
    m.run_to(0.5).unwrap();
    close(&mut m, "own.w", 2.0 / 0.4 * 0.5, 1e-9);
    close(&mut m, "own.flange.tau", -2.0 + 0.1 * 5.0, 1e-9);
    let free = "model Free
           extends Components.Inertia(J = 0.6, phi(fixed = true), w(fixed = true));
         end Free;";
    let text = own("Free housing;").replace("housing.flange)", "housing.flange_a)");
    let mut m = start(&format!("{free} {text}"));
    m.run_to(0.5).unwrap();
    // Of the energy J (w_l - w_h)^2 / 2 of the rotor, with the torque 2 between both.
    let [load, housing] = ["load.w", "housing.w"].map(|name| m.read(name).unwrap());
    assert!((0.3 * load + 0.6 * housing).abs() < 1e-9, "{load} {housing}");
    let relative = 2.0 / (0.1 + 0.3 * 0.6 / 0.9) * 0.5;
    assert!((load - housing - relative).abs() < 1e-9, "{load} {housing} {relative}");
}

#[test]
fn equations_give_values_to_inputs_of_tables() {
    if !has_library() {
        return;
    }
    let own = "model Own
           extends Compliant;
           Modelica.Blocks.Tables.CombiTable1Ds table(table = [-1, -6; 0, 0; 1, 2]);
         equation
           table.u = phi_rel; tau = table.y[1];
         end Own;
         model M
           Components.Fixed wall; Own part;
           Components.Inertia a(J = 0.5, phi(start = 0.5, fixed = true), w(fixed = true));
         equation
           connect(wall.flange, part.flange_a); connect(part.flange_b, a.flange_a);
         end M;";
    let mut m = start(own);
    close(&mut m, "part.tau", 1.0, 1e-12);
    let quarter = std::f64::consts::FRAC_PI_2;
    let [slow, fast] = [2.0_f64, 6.0].map(|c| (c / 0.5).sqrt());
    m.run_to(quarter / slow + quarter / fast).unwrap();
    close(&mut m, "a.phi", -0.5 * slow / fast, 1e-4);
    close(&mut m, "a.w", 0.0, 1e-3);
}

#[test]
fn flanges_of_a_component_have_its_torques_if_its_text_names_positions_only() {
    // The part is a spring and a damper, which its text connects with its flanges.
    let mut m = start(
        "model Own
           Flange_a flange_a; Flange_b flange_b;
           Components.Spring spring(c = 10); Components.Damper damper(d = 0.5);
           SI.Angle twist = flange_b.phi - flange_a.phi;
         equation
           connect(flange_a, spring.flange_a); connect(spring.flange_b, flange_b);
           connect(flange_a, damper.flange_a); connect(damper.flange_b, flange_b);
         end Own;
         model M
           Components.Inertia a(J = 1, phi(start = 0.3, fixed = true), w(fixed = true));
           Components.Inertia b(J = 2, phi(fixed = true), w(fixed = true)); Own own;
         equation
           connect(a.flange_b, own.flange_a); connect(own.flange_b, b.flange_a);
         end M;",
    );
    for t in [0.0, 0.2, 0.5] {
        m.run_to(t).unwrap();
        let [twist, w, v] = ["own.twist", "a.w", "b.w"].map(|name| m.read(name).unwrap());
        let torque = 10.0 * twist + 0.5 * (v - w);
        close(&mut m, "own.flange_b.tau", torque, 1e-12);
        close(&mut m, "own.flange_a.tau", -torque, 1e-12);
    }
}

#[test]
fn what_is_not_supported_is_refused() {
    let refused = |class: &str, sentence: &str| {
        let whole = format!(
            "model Own extends Two; {class} end Own;
             model M
               Components.Inertia a(J = 1); Components.Inertia b(J = 1); Own own;
             equation
               connect(a.flange_b, own.flange_a); connect(own.flange_b, b.flange_a);
             end M;"
        );
        let found = refusal(&whole);
        assert!(found.contains(sentence), "{class}: {found}");
    };
    refused("equation flange_a.tau = 0;", "no equation determines own.flange_b.tau");
    refused("", "no equation determines own.flange_a.tau");
    refused(
        "equation flange_a.phi = 2 * flange_b.phi; flange_a.tau = -0.4 * flange_b.tau;",
        "the flows there do work on it",
    );
    refused(
        "equation flange_a.phi = flange_b.phi ^ 2; 0 = flange_a.tau + flange_b.tau;",
        "but not as a sum of their positions with fixed factors",
    );
    refused(
        "equation der(flange_a.phi) = 2 * der(flange_b.phi); 0 = 2 * flange_a.tau + flange_b.tau;",
        "but not as a sum of their positions with fixed factors",
    );
    refused(
        "equation der(flange_a.phi) = flange_b.phi; 0 = flange_a.tau + flange_b.tau;",
        "constrains connectors by positions together with speeds",
    );
    refused(
        "Real w = der(flange_b.phi); equation flange_a.tau = der(w); flange_b.tau = 0;",
        "depend on the acceleration of own.flange_b",
    );
}

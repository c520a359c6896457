//! Classes of texts: names, inheritance, packages, arrays, functions and redeclarations.

use super::*;
use coupler::multibody::{self, Body, Revolute, World};
use coupler::rotational::{Fixed, Spring};

#[test]
fn names_extends_short_classes_and_local_packages() {
    let of = "
        package P
          import R = Modelica.Mechanics.Rotational;
          package Parts
            import Modelica.Mechanics.Rotational.{Components, Sources};
            model Wheel = Components.Inertia(phi(fixed = true), w(fixed = true));
            partial model Base
              Sources.ConstantTorque torque(tau_constant = 1);
              replaceable Wheel a(J = 1);
            end Base;
          end Parts;
          model M
            extends Parts.Base(torque(tau_constant = 2), a(J = 0.5, w(start = 1)));
            R.Components.SpringDamper spring(c = 100, d = 0.5);
            .P.Parts.Wheel b(J = 2);
          equation
            connect(torque.flange, a.flange_a);
            connect(a.flange_b, spring.flange_a);
            connect(spring.flange_b, b.flange_a);
          end M;
        end P;
        model N = P.M;";
    same(of, two_inertias, &["a.phi", "b.w", "spring.tau"]);
}

#[test]
fn connectors_of_composites() {
    let of = "
        package P
          model Drive
            Modelica.Mechanics.Rotational.Interfaces.Flange_b flange;
            Modelica.Mechanics.Rotational.Sources.ConstantTorque torque(tau_constant = 2);
            Modelica.Mechanics.Rotational.Components.Inertia a(
              J = 0.5, phi(fixed = true), w(start = 1, fixed = true));
          equation
            connect(torque.flange, a.flange_a);
            connect(a.flange_b, flange);
          end Drive;
          model M
            Drive drive;
            Modelica.Mechanics.Rotational.Components.SpringDamper spring(c = 100, d = 0.5);
            Modelica.Mechanics.Rotational.Components.Inertia b(
              J = 2, phi(fixed = true), w(fixed = true));
          equation
            connect(drive.flange, spring.flange_a);
            connect(spring.flange_b, b.flange_a);
          end M;
        end P;
        model N extends P.M; end N;";
    let rust = |m: &mut Assembly| {
        let torque = m.add("drive.torque", ConstantTorque::new().tau_constant(2));
        let a = m.add("drive.a", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(1)));
        let spring = m.add("spring", SpringDamper::new().c(100).d(0.5));
        let b = m.add("b", Inertia::new().J(2).phi(fixed(0)).w(fixed(0)));
        m.connect(torque.flange, a.flange_a);
        m.connect(a.flange_b, spring.flange_a);
        m.connect(spring.flange_b, b.flange_a);
    };
    same(of, rust, &["drive.a.phi", "b.w", "spring.tau"]);
}

/// Three wheels with springs between them.
fn chain(m: &mut Assembly) {
    let wall = m.add("wall", Fixed::new());
    let wheels = [1, 2, 3].map(|k| {
        let wheel = Inertia::new().J(f64::from(k)).phi(fixed(0)).w(fixed(0.5 * f64::from(k)));
        m.add(format!("wheel[{k}]"), wheel)
    });
    let springs =
        [1, 2, 3].map(|k| m.add(format!("spring[{k}]"), Spring::new().c(10.0 * f64::from(k))));
    m.connect(wall.flange, springs[0].flange_a);
    for k in 0..3 {
        m.connect(springs[k].flange_b, wheels[k].flange_a);
    }
    for k in 0..2 {
        m.connect(wheels[k].flange_b, springs[k + 1].flange_a);
    }
}

#[test]
fn arrays_of_components_loops_and_functions() {
    let of = "
        package P
          function weights
            input Integer n;
            output Real J[n];
          protected
            Real sum = 0;
          algorithm
            for i in 1:n loop
              sum := 0;
              while sum < i - 0.5 loop
                sum := sum + 1;
              end while;
              J[i] := if i > n then -1 else sum;
            end for;
          end weights;
          model M
            constant Integer n = 3;
            import R = Modelica.Mechanics.Rotational.Components;
            R.Fixed wall;
            R.Inertia wheel[n](
              J = weights(n), each phi(fixed = true),
              w(start = {0.5 * k for k in 1:n}, each fixed = true));
            R.Spring spring[n](c = linspace(10, 30, n));
          equation
            connect(wall.flange, spring[1].flange_a);
            connect(spring.flange_b, wheel.flange_a);
            for k in 1:n - 1 loop
              connect(wheel[k].flange_b, spring[k + 1].flange_a);
            end for;
          end M;
        end P;
        model N = P.M;";
    same(of, chain, &["wheel[1].phi", "wheel[3].w", "spring[2].tau"]);
}

#[test]
fn conditions_records_and_enumerations() {
    let of = "
        package P
          type Size = enumeration(small \"a\", large \"b\");
          record Data
            Real J = 7;
            Real c;
          end Data;
          model M
            parameter Size size = Size.large;
            parameter Data data(J = 0.5, c = if size == Size.large then 100 else 1);
            parameter Boolean hasSpring = size > Size.small and not data.J > 1;
            import R = Modelica.Mechanics.Rotational;
            R.Sources.ConstantTorque torque(tau_constant = 2);
            R.Components.Inertia a(J = data.J, phi(fixed = true), w(start = 1, fixed = true));
            R.Components.SpringDamper spring(c = data.c, d = 0.5) if hasSpring;
            R.Components.Fixed wall if not hasSpring;
            R.Components.Inertia b(J = 2, phi(fixed = true), w(fixed = true));
          equation
            connect(torque.flange, a.flange_a);
            connect(a.flange_b, spring.flange_a);
            connect(spring.flange_b, b.flange_a);
            connect(wall.flange, b.flange_b);
          end M;
        end P;
        model N = P.M;";
    same(of, two_inertias, &["a.phi", "b.w", "spring.tau"]);
}

fn pendulum(m: &mut Assembly) {
    let world = m.add("world", World::new().g(5).n([0, 0, -1]));
    let joint = m.add("arm.joint", Revolute::new().n([0, 1, 0]).phi(fixed(0.3)).w(fixed(0)));
    let body = m.add("arm.body", Body::new().m(2).r_cm([0.5, 0.0, 0.0]).inertia([0.1; 3]));
    m.connect(world.frame_b, joint.frame_a);
    m.connect(joint.frame_b, body.frame_a);
}

#[test]
fn inner_and_outer() {
    let of = "
        package P
          model Arm
            outer Modelica.Mechanics.MultiBody.World world;
            Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a;
            Modelica.Mechanics.MultiBody.Joints.Revolute joint(
              n = {0, 1, 0}, phi(start = 0.3, fixed = true), w(fixed = true));
            Modelica.Mechanics.MultiBody.Parts.Body body(
              m = 2, r_CM = {0.5, 0, 0}, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);
          equation
            connect(frame_a, joint.frame_a);
            connect(joint.frame_b, body.frame_a);
          end Arm;
          model M
            inner Modelica.Mechanics.MultiBody.World world(g = 5, n = {0, 0, -1});
            Arm arm;
          equation
            connect(world.frame_b, arm.frame_a);
          end M;
        end P;
        model N = P.M;";
    same(of, pendulum, &["arm.joint.phi", "arm.joint.w"]);
    let _ = multibody::Fixed::new();
}

#[test]
fn functions_of_ones_own_and_imported_constants() {
    let of = "
        package P
          function skew input Real x; output Real y; algorithm y := x / 4; end skew;
          model M
            import Modelica.Constants.*;
            Modelica.Mechanics.Rotational.Components.Inertia a(
              J = skew(2) * pi / pi, phi(fixed = true), w(start = 1, fixed = true));
          end M;
        end P;
        model N = P.M;";
    same(of, turning_inertia, &["a.w", "a.phi", "a.J"]);
}

#[test]
fn classes_that_extend_components_have_parameters_of_their_own() {
    let of = "
        package P
          model Wheel
            extends Modelica.Mechanics.Rotational.Components.Inertia(J = m * r ^ 2);
            parameter Real m = 1;
            parameter Real r = 1;
          end Wheel;
          model M
            Wheel a(m = 2, r = 0.5, phi(fixed = true), w(start = 1, fixed = true));
          end M;
        end P;
        model N = P.M;";
    same(of, turning_inertia, &["a.w", "a.phi", "a.J"]);
}

#[test]
fn redeclared_classes_and_empty_ranges() {
    let of = "
        package P
          import Modelica.Mechanics.Rotational.{Components, Sources};
          model A
            replaceable model Load = Components.Inertia(J = 1);
            Load b(phi(fixed = true), w(fixed = true));
          end A;
          model M
            extends A;
            redeclare model Load = Components.Inertia(J = 2 + sum(k for k in 1:2:0));
            Sources.ConstantTorque torque(tau_constant = 2);
            Components.Inertia a(J = 0.5, phi(fixed = true), w(start = 1, fixed = true));
            Components.SpringDamper spring(c = 100, d = 0.5);
          equation
            connect(torque.flange, a.flange_a);
            connect(a.flange_b, spring.flange_a);
            connect(spring.flange_b, b.flange_a);
          end M;
        end P;
        model N = P.M;";
    let rust = |m: &mut Assembly| {
        let b = m.add("b", Inertia::new().J(2).phi(fixed(0)).w(fixed(0)));
        let torque = m.add("torque", ConstantTorque::new().tau_constant(2));
        let a = m.add("a", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(1)));
        let spring = m.add("spring", SpringDamper::new().c(100).d(0.5));
        m.connect(torque.flange, a.flange_a);
        m.connect(a.flange_b, spring.flange_a);
        m.connect(spring.flange_b, b.flange_a);
    };
    same(of, rust, &["a.phi", "b.w", "spring.tau"]);
}

#[test]
fn packages_may_extend_classes_in_themselves() {
    let of = "
        package P
          extends P.Icons.Base;
          package Icons
            extends Modelica.Icons.IconsPackage;
            partial class Base end Base;
          end Icons;
          model M
            Modelica.Mechanics.Rotational.Components.Inertia a(
              J = 0.5, phi(fixed = true), w(start = 1, fixed = true));
          end M;
        end P;
        model N = P.M;";
    let rust = |m: &mut Assembly| {
        m.add("a", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(1)));
    };
    same(of, rust, &["a.phi", "a.w"]);
    for of in
        ["package A extends B; end A; package B extends A; end B;", "class B = A; class A = B;"]
    {
        let found = refusals(&format!("{of} model M extends B; end M;"));
        assert!(found[0].contains("inherits itself"), "{found:#?}");
    }
}

/// The folder of a package may have another name: that of a copy of its repository.
#[test]
fn folders_of_packages_may_have_other_names() {
    let folder = std::env::temp_dir().join(format!("Drives-main-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("Parts")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "package.mo",
        "package Drives model Wheel = Modelica.Mechanics.Rotational.Components.\
                         Inertia(J = 2); end Drives;",
    );
    write("Parts/package.mo", "within Drives; package Parts end Parts;");
    write("Parts/M.mo", "within Drives.Parts; model M Drives.Wheel a(w(start = 3)); end M;");
    let mut library = Library::new(Vec::new());
    let classes = library.open(&folder.join("Parts/M.mo"));
    std::fs::remove_dir_all(&folder).unwrap();
    let class = Rc::clone(&classes.unwrap()[0]);
    assert_eq!(&*class.path, "Drives.Parts.M");
    Text::new(library, &class).add_to(&mut Assembly::new()).unwrap();
}

//! The rotor with a place in space.

use crate::common::{Random, simulation, start, step, value};
use libraries::multibody::{BodyShape, World};
use libraries::prelude::*;
use libraries::rotational::*;

/// A rotation matrix by rows: about a random axis by a random angle.
fn random_rotation(random: &mut Random) -> [[f64; 3]; 3] {
    let axis = nalgebra::Unit::new_normalize(nalgebra::Vector3::from(random.vector()));
    let matrix = nalgebra::Rotation3::from_axis_angle(&axis, 3.0 * random.number()).into_inner();
    std::array::from_fn(|i| std::array::from_fn(|j| matrix[(i, j)]))
}

/// A rotor with a constant torque on its shaft.
fn driven(m: &mut Assembly, rotor: Rotor1D, tau: f64) -> Rotor1DPorts {
    let rotor = m.add("rotor", rotor);
    let torque = m.add("torque", Torque::new());
    let signal = m.add("tau", Constant::new().k(tau));
    m.connect(signal.y, torque.tau);
    m.connect(torque.flange, rotor.flange);
    rotor
}

#[test]
fn a_free_rotor_turns_as_in_the_example_of_its_source() {
    let rotor = Rotor1D::new()
        .physics_inertia(1.0)
        .reference_coordinate(1.0)
        .psi(fixed(0.5))
        .psi_t(fixed(0.5));
    let mut model = start(|m| {
        m.add("rotor", rotor);
    });
    step(&mut model, 1.0);
    assert!((value(&mut model, "rotor.rotation") - 2.0).abs() < 1e-12);
}

#[test]
fn the_place_in_space_does_not_change_the_motion() {
    let mut random = Random(3);
    for _ in 0..10 {
        let rotation = random_rotation(&mut random);
        let place = random.vector();
        let rotor = Rotor1D::new()
            .physics_inertia(0.4)
            .reference_position(place)
            .reference_rotation(rotation)
            .reference_coordinate(0.3)
            .psi(fixed(0.1))
            .psi_t(fixed(2.0));
        let mut model = start(|m| {
            driven(m, rotor, 3.0);
        });
        step(&mut model, 1.0);
        let psi = 0.1 + 2.0 + 0.5 * 3.0 / 0.4;
        let mut get = |local: &str| value(&mut model, &format!("rotor.{local}"));
        assert!((get("psi") - psi).abs() < 1e-12);
        assert!((get("rotation") - psi - 0.3).abs() < 1e-12);
        assert!((get("psi_tt") - 3.0 / 0.4).abs() < 1e-12);
        let speed = get("psi_t");
        let (sin, cos) = (psi + 0.3).sin_cos();
        for i in 0..3 {
            assert!((get(&format!("position[{}]", i + 1)) - place[i]).abs() < 1e-12);
            assert_eq!(get(&format!("velocity[{}]", i + 1)), 0.0);
            let along = rotation[i][2] * speed;
            assert!((get(&format!("angular_velocity[{}]", i + 1)) - along).abs() < 1e-11);
            let of_rows = [
                rotation[i][0] * cos + rotation[i][1] * sin,
                rotation[i][1] * cos - rotation[i][0] * sin,
                rotation[i][2],
            ];
            for (j, expected) in of_rows.into_iter().enumerate() {
                let name = format!("rotation_matrix[{},{}]", i + 1, j + 1);
                assert!((get(&name) - expected).abs() < 1e-12, "{name}");
            }
        }
        assert!((get("angular_velocity_local[3]") - speed).abs() < 1e-12);
    }
}

#[test]
fn a_rotor_is_an_inertia_to_its_shaft() {
    let text = |m: &mut Assembly, rotor: bool| {
        let flange = if rotor {
            m.add("rotor", Rotor1D::new().physics_inertia(0.4)).flange
        } else {
            m.add("inertia", Inertia::new().J(0.4)).flange_a
        };
        let spring = m.add("spring", SpringDamper::new().c(50.0).d(0.1).phi_rel(fixed(0.5)));
        let load = m.add("load", Inertia::new().J(2.0).phi(fixed(0.2)).w(fixed(1.0)));
        m.connect(flange, spring.flange_a);
        m.connect(spring.flange_b, load.flange_a);
    };
    let [mut rotor, mut inertia] = [true, false].map(|rotor| start(|m| text(m, rotor)));
    step(&mut rotor, 1.0);
    step(&mut inertia, 1.0);
    let [a, b] = [&mut rotor, &mut inertia].map(|model| value(model, "load.phi"));
    assert!((a - b).abs() < 1e-12, "{a} {b}");
}

#[test]
fn a_body_on_the_rotor_adds_its_inertia_about_the_axis() {
    let mut random = Random(5);
    let rotor =
        Rotor1D::new().physics_inertia(0.4).reference_rotation(random_rotation(&mut random));
    let mut model = start(|m| {
        m.add("world", World::new().g(0.0));
        let rotor = driven(m, rotor, 3.0);
        let body = BodyShape::new()
            .r([0.2, 0.0, 0.0])
            .r_cm([0.1, 0.0, 0.3])
            .m(2.0)
            .inertia([0.1, 0.2, 0.5]);
        let body = m.add("body", body);
        m.connect(rotor.frame, body.frame_a);
    });
    let inertia = 0.4 + 0.5 + 2.0 * 0.1 * 0.1;
    assert!((value(&mut model, "rotor.psi_tt") - 3.0 / inertia).abs() < 1e-12);
}

#[test]
fn a_matrix_that_does_not_rotate_is_refused() {
    let reflection = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]];
    for matrix in [reflection, [[1.0, 1e-6, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]] {
        let rotor = Rotor1D::new().physics_inertia(1.0).reference_rotation(matrix);
        let refusal = simulation(|m| {
            m.add("rotor", rotor);
        });
        let sentence = refusal.err().unwrap_or_default();
        assert!(sentence.contains("rotor.referenceRotation"), "{sentence}");
    }
}

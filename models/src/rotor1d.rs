//! Rotor with one coordinate, placed and oriented in space.
//!
//! A rotor with one rotation coordinate rotates about an inclined axis in space; an input is the
//! torque on its shaft. Its seven outputs are the ones that a 3-D model of its carrier needs:
//! position, displacement, velocity, rotation matrix, rotation, and the angular velocity in world
//! axes and in the axes of the rotor. Without torque the rotation after one second is 2 rad.
//!
//! The rotor is `ObjectRotationalMass1D` (`Rotor1D`) of Exudyn, with the start values of its
//! example.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        rotor: Rotor1D::new()
            .physics_inertia(1).reference_position([0.5, 0.0, 1.0])
            .reference_rotation([[0.6, 0.0, 0.8], [0.0, 1.0, 0.0], [-0.8, 0.0, 0.6]])
            .reference_coordinate(1).psi(fixed(0.5)).psi_t(fixed(0.5)),
        torque: Torque::new(),
        tau: ExternalInput::new().unit("N.m").start(0).describe("Torque on the shaft"),
    }
    m.connect(tau.y, torque.tau);
    m.connect(torque.flange, rotor.flange);

    m.output("rotation", rotor.rotation);
    for (name, outputs) in [
        ("position", rotor.position),
        ("displacement", rotor.displacement),
        ("velocity", rotor.velocity),
        ("angular_velocity", rotor.angular_velocity),
        ("angular_velocity_local", rotor.angular_velocity_local),
    ] {
        for (i, output) in outputs.into_iter().enumerate() {
            m.output(format!("{name}[{}]", i + 1), output);
        }
    }
    for (k, element) in rotor.rotation_matrix.into_iter().enumerate() {
        m.output(format!("rotation_matrix[{},{}]", k / 3 + 1, k % 3 + 1), element);
    }
}

//! One cylinder of an engine with its part of the crankshaft.

use coupler::multibody::*;
use coupler::prelude::*;
use coupler::translational::GasForce2;

/// Distance of the cylinder's top from the shaft in m.
const TOP: f64 = 0.42;
/// Length of the piston in m.
const PISTON: f64 = 0.1;
/// Length of the connecting rod in m.
const ROD: f64 = 0.2;
/// Length of the cylinder's part of the crankshaft in m.
const CRANK: f64 = 0.2;
/// Length of the crank pin in m.
const PIN: f64 = 0.1;
/// Distance of the crank pin from the shaft in m.
const OFFSET: f64 = 0.1;

/// Cylinder, piston, connecting rod and a part of the crankshaft, with the gas force.
pub struct Cylinder {
    /// Angle of this crank relative to the shaft in deg.
    pub crank_angle_offset: f64,
    /// Angle between the cylinder and the vertical plane in deg.
    pub inclination: f64,
    /// The joints between crank and piston.
    pub joints: PistonJoints,
}

/// The joints between crank and piston.
#[derive(Clone, Copy)]
pub enum PistonJoints {
    /// Single joints, which close a loop.
    Single,
    /// One assembly of two revolute joints and a slider.
    Assembly,
}

/// The frames by which a cylinder is connected to its neighbours.
#[derive(Clone, Copy)]
pub struct CylinderPorts {
    /// Frame of the block, on the side of the first cylinder.
    pub cylinder_a: Frame,
    /// Frame of the block, on the other side.
    pub cylinder_b: Frame,
    /// Frame of the shaft, on the side of the first cylinder.
    pub crank_a: Frame,
    /// Frame of the shaft, on the other side.
    pub crank_b: Frame,
}

/// A rotation about the x axis by an angle in deg, after a translation by `r` in m.
fn turned(r: [f64; 3], angle: f64) -> FixedRotation {
    let (sin, cos) = angle.to_radians().sin_cos();
    FixedRotation::new().n_x(X).n_y([0.0, cos, sin]).r(r)
}

/// A bar along the y axis whose width is along the x axis.
fn bar(y: f64, height: f64) -> BodyBox {
    BodyBox::new().r([0.0, y, 0.0]).width_direction(X).width(0.02).height(height)
}

/// A part of the shaft, slightly longer than the distance of its frames.
fn journal(length: f64, diameter: f64) -> BodyCylinder {
    BodyCylinder::new()
        .r([length, 0.0, 0.0])
        .diameter(diameter)
        .r_shape([-0.01, 0.0, 0.0])
        .length(length + 0.02)
}

/// Connecting rod and piston with their joints.
struct DrivenPiston {
    /// Frame at the crank pin.
    pin: Frame,
    /// Frame at the top of the cylinder.
    guide: Frame,
    /// Flange of the cylinder.
    support: TranslationalFlange,
    /// Flange of the piston.
    axis: TranslationalFlange,
}

impl PistonJoints {
    fn add_to(self, m: &mut Assembly, name: &str) -> DrivenPiston {
        let rod = || bar(ROD, 0.06).r_shape([0.0, -0.02, 0.0]);
        let piston = || BodyCylinder::new().r([0.0, PISTON, 0.0]).diameter(0.1);
        match self {
            PistonJoints::Single => {
                add! { m, name;
                    b1: RevolutePlanarLoopConstraint::new().n(X),
                    rod "connectingRod": rod(),
                    b2: Revolute::new().n(X),
                    piston: piston(),
                    cylinder: Prismatic::new().n([0, -1, 0]).s(guess(-0.3)),
                }
                m.chain((b1, rod, b2.frame_b));
                m.chain((b2.frame_a, piston, cylinder.frame_b));
                DrivenPiston {
                    pin: b1.frame_a,
                    guide: cylinder.frame_a,
                    support: cylinder.support,
                    axis: cylinder.axis,
                }
            }
            PistonJoints::Assembly => {
                add! { m, name;
                    joint "jointRRP": JointRRP::new()
                        .n_a(X).n_b([0, -1, 0]).r_rod1_ia([0.0, ROD, 0.0])
                        .r_rod2_ib([0.0, -PISTON, 0.0]).s_guess(0.1),
                    rod "connectingRod": rod(),
                    piston: piston(),
                }
                m.connect(joint.frame_ia, rod.frame_a);
                m.connect(joint.frame_ib, piston.frame_b);
                DrivenPiston {
                    pin: joint.frame_a,
                    guide: joint.frame_b,
                    support: joint.bearing,
                    axis: joint.axis,
                }
            }
        }
    }
}

impl Part for Cylinder {
    type Ports = CylinderPorts;

    fn add_to(self, m: &mut Assembly, name: String) -> CylinderPorts {
        add! { m, name;
            crank_angle1 "crankAngle1": turned([0.0; 3], self.crank_angle_offset),
            crank_angle2 "crankAngle2": turned([0.0; 3], -self.crank_angle_offset),
            crank1: journal(CRANK - PIN, 0.05),
            crank2: bar(OFFSET, 0.05),
            crank3: journal(PIN, 0.03),
            crank4: bar(-OFFSET, 0.05),
            mid: FixedTranslation::new().r([PIN / 2.0, 0.0, 0.0]),
        }
        let driven = self.joints.add_to(m, &name);
        add! { m, name;
            top "cylinderTop": FixedTranslation::new().r([0.0, TOP, 0.0]),
            inclination "cylinderInclination":
                turned([CRANK - PIN / 2.0, 0.0, 0.0], self.inclination),
            mounting: FixedTranslation::new().r([CRANK, 0.0, 0.0]),
            gas "gasForce": GasForce2::new().L(TOP - PISTON - (ROD - OFFSET)).d(0.1),
        }

        m.chain((crank_angle1.frame_b, crank1, crank2, crank3, crank4, crank_angle2.frame_a));
        m.chain((crank2.frame_b, mid, driven.pin));
        m.chain((mounting.frame_a, inclination, top, driven.guide));
        m.connect(gas.flange_a, driven.support);
        m.connect(gas.flange_b, driven.axis);
        CylinderPorts {
            cylinder_a: mounting.frame_a,
            cylinder_b: mounting.frame_b,
            crank_a: crank_angle1.frame_a,
            crank_b: crank_angle2.frame_b,
        }
    }
}

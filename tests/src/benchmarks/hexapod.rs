//! A platform on six legs whose lengths follow inputs of the FMU.
//!
//! A filter of second order follows each input; its output is the length of a leg. The states are
//! those of the filters: the pose of the platform follows from the lengths by six loops.

use libraries::multibody::*;
use libraries::prelude::*;
use libraries::translational::Position;

/// The inputs: the lengths of the legs in m.
pub const INPUTS: [&str; 6] = ["s1", "s2", "s3", "s4", "s5", "s6"];

/// Height of the platform at the start in m.
const HEIGHT: f64 = 0.8;

/// Foot and head of a leg in m.
fn leg(k: usize) -> [[f64; 3]; 2] {
    let at = |radius: f64, degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        [radius * cos, radius * sin, 0.0]
    };
    let (third, side) = (120.0 * (k / 2) as f64, if k.is_multiple_of(2) { -1.0 } else { 1.0 });
    [at(1.0, third + side * 12.0), at(0.6, third + side * 45.0)]
}

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        world: World::new().n([0, 0, -1]),
        platform: Body::new().m(50).r_cm([0.0, 0.0, 0.1]).inertia([4, 5, 6])
            .r_0(guess_vector([0.0, 0.0, HEIGHT])).angles_start(guess_vector([0.0; 3]))
            .use_quaternions(false),
    }
    for (k, input) in INPUTS.into_iter().enumerate() {
        let [foot, head] = leg(k);
        let line = [head[0] - foot[0], head[1] - foot[1], HEIGHT];
        let length = line.iter().map(|c| c * c).sum::<f64>().sqrt();
        let (phi_a, phi_b) = ((-line[2]).atan2(line[0]), line[1].atan2(line[0].hypot(line[2])));
        let name = format!("leg{}", k + 1);
        let input = m.add(input, ExternalInput::new().unit("m").start(length));
        add! { m, name;
            foot: FixedTranslation::new().r(foot),
            universal: Universal::new().n_a(Y).n_b(Z).phi_a(guess(phi_a)).phi_b(guess(phi_b)),
            slide: Prismatic::new().n(X).s(guess(length)),
            ball: Spherical::new(),
            head: FixedTranslation::new().r(head),
            drive: Position::new().f_crit(5.0).v(fixed(0)),
        }
        m.chain((world.frame_b, foot, universal, slide, ball, head.frame_b));
        m.connect(head.frame_a, platform.frame_a);
        m.connect(input.y, drive.s_ref);
        m.connect(drive.flange, slide.axis);
    }
    m.output("z", platform.r_0[2]);
    m.stop_time(2);
}

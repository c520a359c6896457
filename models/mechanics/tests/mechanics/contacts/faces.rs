//! Spheres against faces with edges, edges and cylinders: distances, motion over an edge, and a
//! mechanism whose pin enters and leaves slots.

use crate::common::{
    Random, TOLERANCE, energy, refusal, run_to, simulate, simulation, start, value,
};
use equations::{Ex, select};
use libraries::impulses::{CollisionSphereCylinder, CollisionSpherePlane};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational;
use mechanics::declaration::prelude::{Component, Contribution};
use mechanics::statements::contact::{ContactFriction, ContactLaw, Geometry};
use mechanics::vector::constant;
use nalgebra::{Rotation3, Unit, Vector3};

const G: f64 = 9.81;

/// A free ball, held against a contact whose surface is at `r` and turned by `angle` in deg about
/// `axis`.
fn against(
    m: &mut Assembly,
    ball: Body,
    (axis, angle): ([f64; 3], f64),
    r: [f64; 3],
    contact: [Frame; 2],
) {
    let world = m.add("world", World::new().g(G));
    let ball = m.add("ball", ball);
    let turned = m.add("turned", FixedRotation::new().n(axis).angle(angle).r(r));
    m.connect(world.frame_b, turned.frame_a);
    m.connect(ball.frame_a, contact[0]);
    m.connect(turned.frame_b, contact[1]);
}

fn ball(r: [f64; 3], v: [f64; 3]) -> Body {
    let ball = Body::new().m(0.8).r_cm([0.0; 3]).inertia([0.002; 3]);
    ball.r_0(fixed_vector(r)).v_0(fixed_vector(v))
}

fn with_plane(m: &mut Assembly, plane: CollisionSpherePlane) -> [Frame; 2] {
    let contact = m.add("contact", plane);
    [contact.frame_a, contact.frame_b]
}

fn with_cylinder(m: &mut Assembly, cylinder: CollisionSphereCylinder) -> [Frame; 2] {
    let contact = m.add("contact", cylinder);
    [contact.frame_a, contact.frame_b]
}

/// The distance of a coordinate beyond an interval that reaches `side` to both sides of zero.
fn beyond(x: f64, side: f64) -> f64 {
    x - x.clamp(-side, side)
}

#[test]
fn the_gap_is_the_distance_from_the_closest_point_of_the_face_or_the_cylinder() {
    let mut random = Random(7);
    for kind in 0..6 {
        for _ in 0..6 {
            let (place, at) = (random.vector().map(|x| 0.5 * x), random.vector());
            let (axis, angle) = (random.vector(), 170.0 * random.number());
            let turn = Rotation3::from_axis_angle(
                &Unit::new_normalize(Vector3::from(axis)),
                angle.to_radians(),
            );
            // The components are along the first direction of the surface, along the second one,
            // and along the normal.
            let p = turn.inverse() * (Vector3::from(place) - Vector3::from(at));
            let (u, v, h) = (p.z, p.x, p.y);
            let to = match kind {
                0 => [u.min(0.0), 0.0, h],
                1 => [0.0, beyond(v, 0.2), h],
                2 => [beyond(u, 0.3), beyond(v, 0.2), h],
                3 => {
                    let far = u.hypot(v);
                    [(far - 0.35).max(0.0), 0.0, h]
                }
                4 => [(u.hypot(v) - 0.2).max(0.0), 0.0, beyond(h, 0.4)],
                _ => [u, v, beyond(h, 0.4)],
            };
            let distance = Vector3::from(to).norm();
            let mut model = start(|m| {
                let plane = CollisionSpherePlane::new().ra(0.01).normal(Y);
                let cylinder = CollisionSphereCylinder::new().ra(0.01).length(0.8).n(Y);
                let contact = match kind {
                    0 => with_plane(m, plane.towards(Z)),
                    1 => with_plane(m, plane.along([0.0, 0.7, 1.0]).width(0.4)),
                    2 => with_plane(m, plane.along(Z).length(0.6).width(0.4)),
                    3 => with_plane(m, plane.radius(0.35)),
                    4 => with_cylinder(m, cylinder.rb(0.2)),
                    _ => with_cylinder(m, cylinder),
                };
                against(m, ball(place, [0.0; 3]), (axis, angle), at, contact);
            });
            let gap = value(&mut model, "contact.gap");
            assert!((gap - (distance - 0.01)).abs() < 1e-12, "{kind}: {gap} {distance}");
        }
    }
}

/// A ball of radius 0.1 m on a table whose edge is at x = 0.
fn on_a_table(v: f64, mu: f64) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let contact = CollisionSpherePlane::new().ra(0.1).elasticity(0.0).mu_r(mu);
        let contact = with_plane(m, contact.along(X).length(2.0).width(1.0));
        let ball = ball([-0.3, 0.1, 0.0], [v, 0.0, 0.0]);
        let ball = ball.w_0_start(fixed_vector([0.0, 0.0, if mu > 0.0 { -v / 0.1 } else { 0.0 }]));
        against(m, ball, (Z, 0.0), [-1.0, 0.0, 0.0], contact);
    }
}

/// Time and position at which a closed contact opens.
fn opens(model: &mut fmu_runtime::Simulation, end: f64) -> Option<[f64; 3]> {
    let mut left = None;
    let mut closed = false;
    simulate(model, end, |model| {
        let now = value(model, "contact.closed") == 1.0;
        if closed && !now && left.is_none() {
            left = Some([model.time(), value(model, "ball.r_0[1]"), value(model, "ball.r_0[2]")]);
        }
        closed = now;
    });
    left
}

#[test]
fn a_fast_ball_leaves_a_table_at_its_edge_and_falls_on_a_parabola() {
    for mu in [0.0, 0.4] {
        let mut model = start(on_a_table(1.5, mu));
        let begin = energy(&mut model);
        let [t, x, y] = opens(&mut model, 0.6).expect("it leaves the table");
        assert!((t - 0.2).abs() < 1e-6 && x.abs() < 1e-6 && (y - 0.1).abs() < 1e-8, "{t} {x} {y}");
        let fallen = 0.1 - value(&mut model, "ball.r_0[2]");
        assert!((fallen - 0.5 * G * 0.4 * 0.4).abs() < 1e-6, "{fallen}");
        assert!((value(&mut model, "ball.v_0[1]") - 1.5).abs() < 1e-8);
        assert!((energy(&mut model) - begin).abs() < 1e-7 * begin.abs());
    }
}

#[test]
fn a_slow_ball_rolls_over_the_edge_until_its_normal_force_vanishes() {
    let v = 0.3;
    let mut model = start(on_a_table(v, 0.0));
    let begin = energy(&mut model);
    let [_, x, y] = opens(&mut model, 1.6).expect("it leaves the edge");
    let cos = 2.0 / 3.0 + v * v / (3.0 * G * 0.1);
    // The contact counts as open from a small speed on, so it opens slightly later.
    assert!((y - 0.1 * cos).abs() < 5e-5 && (x.hypot(y) - 0.1).abs() < 1e-7, "{x} {y}");
    assert!((energy(&mut model) - begin).abs() < 1e-7 * begin.abs());
}

#[test]
fn balls_beside_a_face_miss_it_and_balls_from_below_hit_it() {
    let thrown = |x: f64, y: f64, v: f64| {
        let mut model = start(|m| {
            let contact = with_plane(m, CollisionSpherePlane::new().ra(0.1).radius(0.5));
            against(m, ball([x, y, 0.0], [0.0, v, 0.0]), (Z, 0.0), [0.0; 3], contact);
        });
        let begin = energy(&mut model);
        run_to(&mut model, 0.5);
        assert!((energy(&mut model) - begin).abs() < 1e-9);
        (value(&mut model, "contact.impacts"), value(&mut model, "ball.r_0[2]"))
    };
    assert_eq!(thrown(0.61, 0.6, 0.0).0, 0.0);
    assert_eq!(thrown(0.3, 0.6, 0.0).0, 1.0);
    let (impacts, y) = thrown(0.3, -0.6, 4.0);
    assert!(impacts == 1.0 && y < -0.1, "{impacts} {y}");
    // On the edge the ball is deflected.
    assert_eq!(thrown(0.55, 0.6, 0.0).0, 1.0);
}

#[test]
fn a_ball_on_a_horizontal_cylinder_leaves_it_on_the_side_where_it_was() {
    for side in [-1.0, 1.0] {
        let mut model = start(|m| {
            let barrel = CollisionSphereCylinder::new().ra(0.1).rb(0.3).length(1.0).elasticity(0.0);
            let contact = with_cylinder(m, barrel);
            let ball = ball([side * 1e-3, 0.4, 0.1], [0.0; 3]);
            against(m, ball, (Z, 0.0), [0.0; 3], contact);
        });
        let begin = energy(&mut model);
        let [_, x, y] = opens(&mut model, 2.0).expect("it leaves the cylinder");
        assert!((y - 0.4 * 2.0 / 3.0).abs() < 1e-4 && x * side > 0.0, "{x} {y}");
        assert!((energy(&mut model) - begin).abs() < 1e-5 * begin.abs());
    }
}

/// A Geneva wheel with four slots of 0.08 m, and a crank of 0.12 m that rotates in either
/// direction.
fn geneva(way: f64) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let (crank_radius, depth, pin_radius, play) = (0.12, 0.08, 6e-3, 2e-4);
        let world = m.add("world", World::new().g(0.0));
        let crank = m.add("crank", Revolute::new().n(Z));
        let drive = rotational::ConstantSpeed::new().w_fixed(way * 3.0);
        let drive = m.add("drive", drive.phi(fixed(0.0)));
        let pin = m.add("pin", FixedTranslation::new().r([-crank_radius, 0.0, 0.0]));
        let axis = m.add(
            "axis",
            FixedTranslation::new().r([crank_radius * std::f64::consts::SQRT_2, 0.0, 0.0]),
        );
        let wheel = Revolute::new().n(Z).phi(fixed(std::f64::consts::FRAC_PI_4)).w(fixed(0.0));
        let wheel = m.add("wheel", wheel.states(Always));
        let body = m.add("body", Body::new().m(0.4).r_cm([0.0; 3]).inertia([1e-3, 1e-3, 2e-3]));
        let brake = rotational::BearingFriction::new().tau_pos([[0.0, 0.3], [10.0, 0.3]]);
        let brake = m.add("brake", brake);
        m.connect(world.frame_b, crank.frame_a);
        m.connect(drive.flange, crank.axis);
        m.connect(crank.frame_b, pin.frame_a);
        m.connect(world.frame_b, axis.frame_a);
        m.connect(axis.frame_b, wheel.frame_a);
        m.connect(wheel.frame_b, body.frame_a);
        m.connect(brake.flange_a, wheel.axis);
        for k in 0..4 {
            let slot = FixedRotation::new().n(Z).angle(90.0 * f64::from(k));
            let slot = m.add(format!("slot{k}"), slot);
            m.connect(wheel.frame_b, slot.frame_a);
            for (side, name) in [(1.0, "right"), (-1.0, "left")] {
                let middle = crank_radius - 0.5 * depth;
                let wall = FixedTranslation::new().r([middle, -side * (pin_radius + play), 0.0]);
                let wall = m.add(format!("{name}{k}_middle"), wall);
                let contact = CollisionSpherePlane::new().ra(pin_radius).normal([0.0, side, 0.0]);
                let contact = contact.elasticity(0.0).along(Z).width(depth);
                let contact = m.add(format!("{name}{k}"), contact);
                m.connect(slot.frame_b, wall.frame_a);
                m.connect(wall.frame_b, contact.frame_b);
                m.connect(pin.frame_b, contact.frame_a);
            }
        }
    }
}

#[test]
fn the_pin_of_a_geneva_drive_turns_the_wheel_by_a_quarter_each_time_either_way() {
    let turned = |way: f64| {
        let mut model = start(geneva(way));
        let mut rests = Vec::new();
        for turn in 1..=2 {
            let end = f64::from(turn) * std::f64::consts::TAU / 3.0;
            run_to(&mut model, end);
            assert_eq!(value(&mut model, "brake.locked"), 1.0);
            rests.push(value(&mut model, "wheel.phi") - std::f64::consts::FRAC_PI_4);
        }
        rests
    };
    let (forward, backward) = (turned(1.0), turned(-1.0));
    for (k, (f, b)) in forward.iter().zip(&backward).enumerate() {
        let quarters = std::f64::consts::FRAC_PI_2 * (k + 1) as f64;
        assert!((f + quarters).abs() < 0.02, "turn {k}: {f}");
        assert!((f + b).abs() < 1e-6, "turn {k}: {f} {b}");
    }
}

mechanics::component! {
    /// A floor that ends at x = 0; beyond this its geometry has no surface.
    pub struct Ledge {}
    ports {
        /// Middle of the sphere
        frame_a: Frame,
        /// The floor
        frame_b: Frame,
    }
}

impl Component for Ledge {
    fn contribute(_: LedgeParameters, c: &mut Contribution<'_>) -> Result<(), mechanics::Error> {
        let ends = [c.frame("frame_a"), c.frame("frame_b")];
        let (elasticity, v_small) = (Ex::zero(), Ex::from(1e-2));
        let friction = ContactFriction::None;
        let law = ContactLaw { elasticity, friction, v_small, rests: true, drawn: false };
        c.contact(ends, law, |[a, b]| {
            let between = a.r - b.r;
            let normal = constant(Y);
            let of_a = constant([0.0, -0.1, 0.0]);
            let gap = select(between[0].lt(0.0), between[1] - 0.1, 5.0);
            Geometry { gap, normal, arms: [of_a, between + of_a] }
        });
        Ok(())
    }
}

#[test]
fn a_contact_opens_where_its_geometry_ends() {
    for tolerance in [1e-4, TOLERANCE] {
        let model = simulation(|m| {
            let world = m.add("world", World::new().g(G));
            let ball = m.add("ball", ball([-0.3, 0.1, 0.0], [1.5, 0.0, 0.0]));
            let contact = m.add("contact", Ledge::new());
            m.connect(ball.frame_a, contact.frame_a);
            m.connect(world.frame_b, contact.frame_b);
        });
        let mut model = model.unwrap();
        model.start(Some(tolerance)).unwrap();
        let begin = energy(&mut model);
        run_to(&mut model, 0.6);
        let fallen = 0.1 - value(&mut model, "ball.r_0[2]");
        assert!((fallen - 0.5 * G * 0.4 * 0.4).abs() < 2e-3 * fallen, "{fallen}");
        assert!((energy(&mut model) - begin).abs() < 1e-3, "{} {begin}", energy(&mut model));
    }
}

#[test]
fn impossible_faces_are_refused() {
    let with = |plane: CollisionSpherePlane| {
        refusal(move |m| {
            let contact = with_plane(m, plane);
            against(m, ball([0.0, 1.0, 0.0], [0.0; 3]), (Z, 0.0), [0.0; 3], contact);
        })
    };
    let plane = || CollisionSpherePlane::new().ra(0.1);
    assert!(with(plane().radius(0.0)).contains("radius"), "{}", with(plane().radius(0.0)));
    assert!(with(plane().along(X).width(-1.0)).contains("width"));
    assert!(with(plane().ra(0.0).radius(1.0)).contains("ra"));
    let text = with(plane().towards(Y));
    assert!(text.contains("towards") && text.contains("perpendicular to the surface"), "{text}");
}

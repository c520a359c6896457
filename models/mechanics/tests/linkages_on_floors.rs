//! Linkages that stand, slide and bounce on a floor with friction: they run to the end and win no
//! energy, also where the sliding turns back at a turning point of the linkage.

mod common;

use common::linkages::{at, attach, bar};
use common::{Random, energy, interpret, patient, value};
use equations::Interpreter;
use mechanics::impulses::CollisionSpherePlane;
use mechanics::multibody::*;
use mechanics::prelude::*;

/// How a linkage meets the floor.
#[derive(Clone, Copy, Debug)]
struct Foot {
    radius: f64,
    elasticity: f64,
    mu: f64,
    /// Height above the floor at the start.
    drop: f64,
}

/// A random linkage: its numbers are drawn one after the other.
struct Draw<'a> {
    m: &'a mut Assembly,
    random: &'a mut Random,
    world: Frame,
    foot: Foot,
    contacts: usize,
}

impl Draw<'_> {
    /// A number of a range.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.random.number() + 1.0)
    }

    /// True so often.
    fn chance(&mut self, part: f64) -> bool {
        self.between(0.0, 1.0) < part
    }

    /// A sphere at a frame, whose centre starts at `height` with the lowest of all at `lowest`.
    fn stand(&mut self, frame: Frame, lowest: f64) {
        let Foot { radius, elasticity, drop, .. } = self.foot;
        let name = format!("foot{}", self.contacts);
        self.contacts += 1;
        let y = lowest - radius - drop;
        let floor = self.m.add(format!("{name}_floor"), Fixed::default().r([0.0, y, 0.0]));
        let foot = CollisionSpherePlane::ra(radius).elasticity(elasticity).mu_r(1.0);
        let foot = self.m.add(name, foot);
        self.m.connect(frame, foot.frame_a);
        self.m.connect(floor.frame_b, foot.frame_b);
    }

    fn turn(&mut self, name: &str, from: Frame, n: [f64; 3], phi: f64, w: f64) -> Frame {
        let joint = Revolute::n(n).phi(fixed(phi)).w(fixed(w)).states(Always);
        let joint = self.m.add(name, joint);
        self.m.connect(from, joint.frame_a);
        joint.frame_b
    }

    fn slide(&mut self, name: &str, from: Frame, n: [f64; 3], s: f64, v: f64) -> Frame {
        let joint = self.m.add(name, Prismatic::n(n).s(fixed(s)).v(fixed(v)).states(Always));
        self.m.connect(from, joint.frame_a);
        joint.frame_b
    }

    fn bar(&mut self, name: &str, from: Frame, r: [f64; 3]) -> Frame {
        let mass = self.between(0.3, 4.0);
        let bar = self.m.add(name, bar(r, mass));
        self.m.connect(from, bar.frame_a);
        bar.frame_b
    }

    fn spring(&mut self, name: &str, [a, b]: [Frame; 2], length: f64, load: f64) {
        let travel = self.between(0.02, 0.2);
        let (c, d) = (load / travel, self.between(0.0, 0.3) * load / travel.sqrt() / 3.0);
        let preload = self.between(0.0, 1.0) * travel;
        let spring = SpringDamperParallel::c_d(c, d).s_unstretched(length + preload);
        let spring = self.m.add(name, spring);
        self.m.connect(spring.frame_a, a);
        self.m.connect(spring.frame_b, b);
    }

    /// One or two pendulums on a cart, or on a fixed pivot.
    fn pendulum(&mut self) {
        let mut frame = self.world;
        if self.chance(0.7) {
            let v = self.between(-2.0, 2.0);
            frame = self.slide("cart", frame, X, 0.0, v);
            let mass = self.between(0.5, 10.0);
            attach(self.m, "body", frame, Body::m_r_cm(mass, [0.0; 3]));
        }
        let (mut phi, mut height) = (0.0, 0.0);
        let mut feet = Vec::new();
        for k in 0..1 + usize::from(self.chance(0.5)) {
            let (turn, w) = (self.between(-1.2, 1.2), self.between(-2.0, 2.0));
            phi += turn;
            frame = self.turn(&format!("turn{k}"), frame, Z, turn, w);
            let length = self.between(0.2, 1.0);
            frame = self.bar(&format!("bar{k}"), frame, [0.0, -length, 0.0]);
            height -= length * phi.cos();
            feet.push((frame, height));
        }
        let lowest = feet.iter().fold(f64::INFINITY, |low, foot| low.min(foot.1));
        for (frame, _) in feet {
            self.stand(frame, lowest);
        }
    }

    /// A mass on a guide, upright or slanting, that an arm with a spring carries.
    fn arm_on_guide(&mut self) {
        let v = self.between(-1.0, 1.0);
        let lean = if self.chance(0.5) { 0.0 } else { self.between(-0.4, 0.4) };
        let axis = [lean.sin(), lean.cos(), 0.0];
        let guide = self.slide("guide", self.world, axis, 0.0, v);
        let mass = self.between(1.0, 100.0);
        attach(self.m, "mass", guide, Body::m_r_cm(mass, [0.0; 3]));
        let (phi, w) = (self.between(-1.4, 0.5), self.between(-2.0, 2.0));
        let arm = self.turn("joint", guide, Z, phi, w);
        let length = self.between(0.2, 0.6);
        let end = self.bar("arm", arm, [length, 0.0, 0.0]);
        if self.chance(0.7) {
            let (x, y) = (self.between(0.0, 0.1), self.between(0.3, 0.6));
            let tower = at(self.m, "tower", guide, [x, y, 0.0]);
            let part = self.between(0.3, 0.9) * length;
            let seat = at(self.m, "seat", arm, [part, 0.0, 0.0]);
            let distance = (part * phi.cos() - x).hypot(part * phi.sin() - y);
            self.spring("spring", [tower, seat], distance, 10.0 * mass);
        }
        self.stand(end, length * phi.sin());
    }

    /// A four-bar whose coupler touches the floor, on a guide or fixed.
    fn four_bar(&mut self) {
        let mut base = self.world;
        if self.chance(0.5) {
            let n = if self.chance(0.5) { X } else { Y };
            base = self.slide("guide", base, n, 0.0, 0.0);
            let mass = self.between(1.0, 30.0);
            attach(self.m, "mass", base, Body::m_r_cm(mass, [0.0; 3]));
        }
        // Nearly a parallelogram, below its ground.
        let (a, g) = (self.between(0.3, 0.6), self.between(0.5, 0.8));
        let (b, c) = (g * self.between(0.85, 1.15), a * self.between(0.9, 1.1));
        let (phi, w) = (self.between(-2.4, -0.7), self.between(-2.0, 2.0));
        let crank = self.turn("crank", base, Z, phi, w);
        let crank = self.bar("crank_bar", crank, [a, 0.0, 0.0]);
        let coupler = self.m.add("coupler", Revolute::n(Z).phi(guess(-phi)));
        self.m.connect(crank, coupler.frame_a);
        let far = self.bar("coupler_bar", coupler.frame_b, [b, 0.0, 0.0]);
        let ground = at(self.m, "ground", base, [g, 0.0, 0.0]);
        let rocker = self.m.add("rocker", Revolute::n(Z).phi(guess(phi)));
        self.m.connect(ground, rocker.frame_a);
        let end = self.bar("rocker_bar", rocker.frame_b, [c, 0.0, 0.0]);
        let closing = self.m.add("closing", RevolutePlanarLoopConstraint::n(Z));
        self.m.connect(far, closing.frame_a);
        self.m.connect(end, closing.frame_b);
        // The floor is put below the foot when the loop is closed.
        let (x, y) = (self.between(0.2, 0.8) * b, -self.between(0.0, 0.3));
        let foot = at(self.m, "foot", coupler.frame_b, [x, y, 0.0]);
        self.stand(foot, 0.0);
    }

    /// A chassis in the plane on two trailing arms with springs.
    fn planar_vehicle(&mut self) {
        let v = self.between(-3.0, 3.0);
        let x = self.slide("x", self.world, X, 0.0, v);
        let y = self.slide("y", x, Y, 0.0, 0.0);
        let chassis = self.turn("pitch", y, Z, 0.0, 0.0);
        let (mass, i) = (self.between(50.0, 500.0), self.between(20.0, 300.0));
        attach(self.m, "chassis", chassis, Body::m_r_cm(mass, [0.0; 3]).inertia([i; 3]));
        let (length, phi) = (self.between(0.3, 0.6), self.between(-0.6, 0.2));
        for (name, side) in [("front", 1.0), ("rear", -1.0)] {
            let place = side * self.between(0.5, 1.0);
            let pivot = at(self.m, format!("{name}_pivot"), chassis, [place, 0.0, 0.0]);
            let back = if self.chance(0.5) { -side } else { side };
            let arm = self.turn(&format!("{name}_turn"), pivot, Z, back * phi, 0.0);
            let end = self.bar(&format!("{name}_arm"), arm, [back * length, 0.0, 0.0]);
            let tower = at(self.m, format!("{name}_tower"), pivot, [0.0, 0.5, 0.0]);
            let seat = at(self.m, format!("{name}_seat"), arm, [0.7 * back * length, 0.0, 0.0]);
            let distance = (0.7 * length * phi.cos()).hypot(0.7 * length * phi.sin() - 0.5);
            self.spring(&format!("{name}_spring"), [tower, seat], distance, 5.0 * mass);
            // A wheel that turns, or a skid.
            let end = if self.chance(0.5) { end } else { self.wheel(name, end, Z) };
            self.stand(end, length * phi.sin());
        }
    }

    fn wheel(&mut self, name: &str, end: Frame, axis: [f64; 3]) -> Frame {
        let wheel = self.turn(&format!("{name}_axle"), end, axis, 0.0, 0.0);
        let (mass, i) = (self.between(1.0, 15.0), self.between(0.02, 1.0));
        attach(
            self.m,
            format!("{name}_wheel"),
            wheel,
            Body::m_r_cm(mass, [0.0; 3]).inertia([i; 3]),
        );
        wheel
    }

    /// A chassis in space on three swing arms, whose feet move sideways as they rise.
    fn vehicle(&mut self) {
        let mass = self.between(200.0, 1500.0);
        let zero = fixed_vector([0.0; 3]);
        let v = [self.between(-3.0, 3.0), 0.0, self.between(-0.5, 0.5)];
        let body = Body::m_r_cm(mass, [0.0; 3]).inertia([0.4 * mass, 1.5 * mass, 1.3 * mass]);
        let body = body.r_0(zero).v_0(fixed_vector(v)).angles_start(zero).w_0_start(zero);
        let chassis = self.m.add("chassis", body).frame_a;
        let (length, phi) = (self.between(0.3, 0.6), self.between(-0.3, 0.3));
        for (name, x, side) in [("left", 1.2, -1.0), ("right", 1.2, 1.0), ("rear", -1.2, 1.0)] {
            let pivot = at(self.m, format!("{name}_pivot"), chassis, [x, 0.0, 0.3 * side]);
            let arm = self.turn(&format!("{name}_turn"), pivot, X, -side * phi, 0.0);
            let end = self.bar(&format!("{name}_arm"), arm, [0.0, 0.0, side * length]);
            let tower = at(self.m, format!("{name}_tower"), pivot, [0.0, 0.5, 0.0]);
            let seat = at(self.m, format!("{name}_seat"), arm, [0.0, 0.0, 0.7 * side * length]);
            let distance = (0.7 * length * phi.cos()).hypot(0.7 * length * phi.sin() - 0.5);
            self.spring(&format!("{name}_spring"), [tower, seat], distance, 2.5 * mass);
            self.stand(end, length * phi.sin());
        }
    }

    /// A corner of double wishbones on an upright guide.
    fn wishbone(&mut self) {
        let guide = self.slide("guide", self.world, Y, 0.0, 0.0);
        let mass = self.between(20.0, 400.0);
        attach(self.m, "mass", guide, Body::m_r_cm(mass, [0.0; 3]));
        let (phi, upper) = (self.between(-0.5, 0.5), self.between(0.6, 1.0));
        let length = self.between(0.25, 0.5);
        let high = at(self.m, "high", guide, [0.0, 0.3, 0.0]);
        let lower = self.turn("lower", guide, Z, phi, 0.0);
        let out = self.bar("lower_arm", lower, [length, 0.0, 0.0]);
        let ball = self.m.add("ball", Revolute::n(Z).phi(guess(-phi)));
        self.m.connect(out, ball.frame_a);
        let x = (upper - 1.0) * length;
        let top = self.bar("upright", ball.frame_b, [x, 0.3, 0.0]);
        let joint = self.m.add("upper", Revolute::n(Z).phi(guess(phi)));
        self.m.connect(high, joint.frame_a);
        let tip = self.bar("upper_arm", joint.frame_b, [upper * length, 0.0, 0.0]);
        let closing = self.m.add("closing", RevolutePlanarLoopConstraint::n(Z));
        self.m.connect(top, closing.frame_a);
        self.m.connect(tip, closing.frame_b);
        let tower = at(self.m, "tower", guide, [0.05, 0.6, 0.0]);
        let seat = at(self.m, "seat", lower, [0.6 * length, 0.0, 0.0]);
        let distance = (0.6 * length * phi.cos() - 0.05).hypot(0.6 * length * phi.sin() - 0.6);
        self.spring("spring", [tower, seat], distance, 15.0 * mass);
        let offset = self.between(0.0, 0.15);
        let hub = at(self.m, "hub", ball.frame_b, [offset, 0.1, 0.0]);
        self.stand(hub, 0.0);
    }
}

/// Declares a linkage.
type Kind = fn(&mut Draw);

const KINDS: [(&str, Kind); 6] = [
    ("pendulum", |draw| draw.pendulum()),
    ("arm on a guide", |draw| draw.arm_on_guide()),
    ("four-bar", |draw| draw.four_bar()),
    ("planar vehicle", |draw| draw.planar_vehicle()),
    ("wishbone", |draw| draw.wishbone()),
    ("vehicle", |draw| draw.vehicle()),
];

/// Seeds in a row give numbers that have nothing in common.
fn mixed(seed: u64) -> u64 {
    let x = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
}

/// A linkage with its feet where they touch, or a little above the floor; none if its loop cannot
/// be closed.
fn linkage(seed: u64) -> Option<(String, Interpreter, usize)> {
    // Vehicles take longest.
    let place = match seed % 100 {
        99 => 5,
        place if place % 10 == 8 => 4,
        place => place as usize % 5,
    };
    let (kind, text) = KINDS[place];
    let mut random = Random(mixed(seed));
    let mut contacts = 0;
    let mut numbers = String::new();
    let mut foot = None;
    let model = interpret(|m| {
        let world = m.add("world", World::default()).frame_b;
        let none = Foot { radius: 0.0, elasticity: 0.0, mu: 0.0, drop: 0.0 };
        let mut draw = Draw { m, random: &mut random, world, foot: none, contacts: 0 };
        draw.foot = Foot {
            radius: draw.between(0.05, 0.3),
            elasticity: if draw.chance(0.4) { 0.0 } else { draw.between(0.0, 0.8) },
            mu: if draw.chance(0.1) { 0.0 } else { draw.between(0.0, 1.0) },
            drop: if draw.chance(0.4) { 0.0 } else { draw.between(0.0, 0.1) },
        };
        numbers = format!("{seed}: {kind} {:?}", draw.foot);
        foot = Some(draw.foot);
        text(&mut draw);
        contacts = draw.contacts;
    });
    let mut model = model.ok()?;
    model.initialize().ok()?;
    // Where a loop says how high the foot is the floor is moved there.
    let (drop, mu) = foot.map_or((0.0, 0.0), |foot: Foot| (foot.drop, foot.mu));
    model.climb().ok()?;
    let gaps = (0..contacts).map(|k| value(&mut model, &format!("foot{k}.gap")));
    let lowest = gaps.fold(f64::INFINITY, f64::min) - drop;
    for k in 0..contacts {
        let floor = format!("foot{k}_floor.r[2]");
        let y = value(&mut model, &floor);
        assert!(model.set_parameter(&floor, y + lowest));
        assert!(model.set_parameter(&format!("foot{k}.mu_R"), mu));
    }
    Some((numbers, model, contacts))
}

/// Below this speed in m/s a contact sticks: half a hundredth of `v_small`.
const STICKS: f64 = 0.5e-4;

/// Runs a linkage; no energy is won, but for what friction may give at speeds that count as none.
fn run(model: &mut Interpreter, feet: usize, end: f64) -> Result<(), String> {
    model.initialize().map_err(|why| format!("{why:?}"))?;
    model.initial = true;
    model.settle()?;
    model.initial = false;
    model.settle()?;
    let (mut t, mut before, mut friction) = (model.t, energy(model), 0.0);
    let mut largest = value(model, "energy.kinetic");
    patient::simulate(model, (end, 0.01, 20_000), |model| {
        let now = energy(model);
        largest = largest.max(value(model, "energy.kinetic"));
        let tolerated = 1e-6 * largest + 1e-7 + 2.0 * friction * STICKS * (model.t - t);
        let won = now - before;
        if won > tolerated {
            return Err(format!("{won:e} J are won of {largest} J, where {tolerated:e} J may be"));
        }
        (t, before) = (model.t, now);
        friction = (0..feet).map(|k| value(model, &format!("foot{k}.f[1]")).abs()).sum();
        Ok(())
    })
}

/// Whether a foot that slides has a force neither when it presses nor when it does not.
fn is_paradox(model: &mut Interpreter, feet: usize) -> bool {
    (0..feet).any(|k| {
        let name = |local: &str| format!("foot{k}.{local}");
        let slides = value(model, &name("closed")) == 1.0 && value(model, &name("mode")) != 0.0;
        let begins = format!("foot{k}: f_n > 0");
        let all = 0..model.r.len();
        let presses =
            all.into_iter().find(|&i| model.program().relation_name(i).starts_with(&begins));
        let presses = presses.expect("every foot may press");
        let mut residual = |truth: bool| {
            model.r[presses] = truth;
            model.climb().expect("it can be evaluated");
            model.relations().expect("it can be evaluated");
            model.d[presses]
        };
        slides && residual(true) < 0.0 && residual(false) > 0.0
    })
}

/// Whether the force of a foot has grown beyond all bounds, as it does where friction that presses
/// a sliding foot is about to have no solution: it jams.
fn is_jammed(model: &mut Interpreter, feet: usize) -> bool {
    (0..feet).any(|k| value(model, &format!("foot{k}.f_n")) > 1e8)
}

/// Why a linkage may stop: friction without a solution or about to be, or a linkage at a dead
/// point.
fn may_stop(why: &str, model: &mut Interpreter, feet: usize) -> bool {
    (why.contains("steps") && is_jammed(model, feet))
        || (why.contains("Painlevé") && is_paradox(model, feet))
        || (why.contains("kind: Singular") && why.contains("closing"))
}

/// A mass on an upright guide whose arm, held up by a spring, slides with its end on the floor.
fn hanging_arm(m: &mut Assembly) {
    let world = m.add("world", World::default());
    let guide = m.add("guide", Prismatic::n(Y).s(fixed(0.36)).v(fixed(0.0)));
    let joint = m.add("joint", Revolute::n(Z).phi(fixed(-0.12)).w(fixed(0.0)));
    let arm = BodyShape::r_cm_m([0.36, 0.0, 0.0], [0.18, 0.0, 0.0], 3.5).inertia([0.06; 3]);
    let arm = m.add("arm", arm);
    m.connect(world.frame_b, guide.frame_a);
    m.connect(guide.frame_b, joint.frame_a);
    m.connect(joint.frame_b, arm.frame_a);
    attach(m, "mass", guide.frame_b, Body::m_r_cm(110.0, [0.0; 3]));
    let tower = at(m, "tower", guide.frame_b, [0.1, 0.5, 0.0]);
    let seat = at(m, "seat", joint.frame_b, [0.18, 0.0, 0.0]);
    let spring = SpringDamperParallel::c_d(4500.0, 80.0).s_unstretched(0.62);
    let spring = m.add("spring", spring);
    m.connect(spring.frame_a, tower);
    m.connect(spring.frame_b, seat);
    let foot = m.add("foot0", CollisionSpherePlane::ra(0.3).elasticity(0.0).mu_r(0.5));
    m.connect(foot.frame_a, arm.frame_b);
    m.connect(foot.frame_b, world.frame_b);
}

#[test]
fn an_arm_goes_on_where_the_sliding_of_its_foot_turns_back() {
    for mu in [0.0, 0.02, 0.2, 0.5, 0.8] {
        let mut model = interpret(hanging_arm).expect("the model is sound");
        assert!(model.set_parameter("foot0.mu_R", mu));
        run(&mut model, 1, 2.5).unwrap_or_else(|why| panic!("mu = {mu}: t={}: {why}", model.t));
        assert_eq!(value(&mut model, "foot0.closed"), 1.0);
    }
}

#[test]
fn a_foot_swings_through_its_turning_point_and_slides_the_other_way() {
    // A mass on an upright guide sinks while its arm keeps its end on the floor. A heavy wheel
    // there does not turn, so the end moves as the cosine of the arm's angle: the turning point is
    // where the arm is level.
    for (mu, side) in [(0.1, 1.0_f64), (0.4, 1.0), (0.1, -1.0), (0.4, -1.0)] {
        let mut directions = Vec::new();
        // Sinking from below the level, or thrown up from above it.
        let w = if side > 0.0 { 0.0 } else { -9.0 };
        let lift = -w * 0.5 * 0.6_f64.cos();
        let height = -0.5 * (0.6 * side).sin() - 0.1;
        let mut model = interpret(|m| {
            let world = m.add("world", World::default());
            let guide = m.add("guide", Prismatic::n(Y).s(fixed(0.0)).v(fixed(lift)));
            let joint = m.add("joint", Revolute::n(Z).phi(fixed(-0.6 * side)).w(fixed(w)));
            let arm = m.add("arm", bar([0.5, 0.0, 0.0], 2.0));
            m.connect(world.frame_b, guide.frame_a);
            m.connect(guide.frame_b, joint.frame_a);
            m.connect(joint.frame_b, arm.frame_a);
            attach(m, "mass", guide.frame_b, Body::m_r_cm(20.0, [0.0; 3]));
            let hub = m.add("hub", Revolute::n(Z).phi(fixed(0.0)).w(fixed(0.0)));
            m.connect(arm.frame_b, hub.frame_a);
            attach(m, "wheel", hub.frame_b, Body::m_r_cm(1.0, [0.0; 3]).inertia([1e3; 3]));
            let floor = m.add("floor", Fixed::default().r([0.0, height, 0.0]));
            let foot = CollisionSpherePlane::ra(0.1).elasticity(0.0).mu_r(mu);
            let foot = m.add("foot0", foot);
            m.connect(foot.frame_a, hub.frame_b);
            m.connect(foot.frame_b, floor.frame_b);
        })
        .expect("the model is sound");
        run(&mut model, 1, 0.1).expect("it begins to move");
        patient::simulate(&mut model, (0.45, 0.01, 5000), |model| {
            directions.push((value(model, "joint.phi"), value(model, "foot0.f[1]")));
            Ok(())
        })
        .expect("it runs to the end");
        // The arm passes the level: outwards before, inwards after.
        for (phi, f) in directions {
            let inwards = f * phi * side;
            assert!(phi.abs() < 1e-3 || inwards > 0.0, "phi = {phi}: {f} N");
        }
        assert!(value(&mut model, "joint.phi") * side > 0.1, "it swings through");
    }
}

#[test]
fn random_linkages_on_a_floor_run_to_the_end_and_win_no_energy() {
    // More of them: COUPLER_LINKAGES=5000, from COUPLER_FIRST_LINKAGE on.
    let number = |name: &str, otherwise| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let first: u64 = number("COUPLER_FIRST_LINKAGE", 0);
    let count: u64 = number("COUPLER_LINKAGES", 200);
    let (mut failed, mut stopped) = (Vec::new(), 0);
    for seed in first..first + count {
        let Some((numbers, mut model, feet)) = linkage(seed) else {
            stopped += 1;
            continue;
        };
        let end = [0.3, 0.15, 0.1][feet.clamp(1, 3) - 1];
        if let Err(why) = run(&mut model, feet, end) {
            stopped += 1;
            if !may_stop(&why, &mut model, feet) {
                failed.push(format!("{numbers}: t={}: {why}", model.t));
            }
        }
    }
    assert!(failed.is_empty(), "{} of {count}:\n{}", failed.len(), failed.join("\n"));
    assert!(10 * stopped < count.max(20), "{stopped} of {count} stop");
}

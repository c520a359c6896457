//! Random linkages above a floor: pendulums, arms on guides, four-bars, and vehicles.

use super::account::keep_account;
use super::linkages::{at, attach};
use super::{Random, program_with, simulation_of, value};
use equations::Program;
use fmu_runtime::Simulation;
use libraries::impulses::CollisionSpherePlane;
use libraries::multibody::*;
use libraries::prelude::*;

/// A linkage at its start.
pub struct Linkage {
    /// Its kind and how it meets the floor.
    pub numbers: String,
    /// The model before its start, with its energy account; the contacts of its feet are `foot0`,
    /// `foot1`, and so on.
    pub model: Simulation,
    /// Its program.
    pub program: Program,
    /// The number of its feet.
    pub feet: usize,
    /// Its loops.
    pub loops: Vec<Loop>,
}

/// A loop of bars in a plane.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Names of three joints. The sum of the first two angles, minus the third one, plus the offset
    /// in rad, is the angle between the two bars that close the loop. Where it is zero or pi, the
    /// loop is at a dead point.
    joints: [String; 3],
    offset: f64,
}

impl Loop {
    /// The sine of the angle between the bars that close the loop.
    pub fn sine(&self, model: &mut Simulation) -> f64 {
        let [a, b, c] = self.joints.each_ref().map(|joint| value(model, &format!("{joint}.phi")));
        (a + b - c + self.offset).sin()
    }
}

/// How a linkage meets the floor.
#[derive(Clone, Copy, Debug)]
struct Foot {
    radius: f64,
    elasticity: f64,
    mu: f64,
    /// Height above the floor at the start.
    drop: f64,
}

/// A random linkage under construction: its numbers are drawn one after the other.
struct Draw<'a> {
    m: &'a mut Assembly,
    random: &'a mut Random,
    world: Frame,
    radius: f64,
    elasticity: f64,
    feet: usize,
    loops: Vec<Loop>,
}

/// A plane in which bars rotate: it is vertical, and `out` points away from the part that carries
/// the bars.
#[derive(Clone, Copy)]
struct Upright {
    axis: [f64; 3],
    out: [f64; 3],
}

/// The plane of planar linkages.
const PLANE: Upright = Upright { axis: Z, out: X };

impl Upright {
    /// The lateral plane on one side of a vehicle that points along x.
    fn lateral(side: f64) -> Upright {
        Upright { axis: [-side, 0.0, 0.0], out: [0.0, 0.0, side] }
    }

    fn at(self, out: f64, up: f64) -> [f64; 3] {
        [out * self.out[0], up, out * self.out[2]]
    }
}

impl Draw<'_> {
    /// A random number from a range.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.random.number() + 1.0)
    }

    /// True with the probability `part`.
    fn chance(&mut self, part: f64) -> bool {
        self.between(0.0, 1.0) < part
    }

    /// Adds a sphere at a frame, above a floor that the lowest sphere determines.
    fn stand(&mut self, frame: Frame) {
        let name = format!("foot{}", self.feet);
        self.feet += 1;
        let floor = self.m.add(format!("{name}_floor"), Fixed::new().r([0.0, -1.0, 0.0]));
        let foot =
            CollisionSpherePlane::new().ra(self.radius).elasticity(self.elasticity).mu_r(1.0);
        let foot = self.m.add(name, foot);
        self.m.connect(frame, foot.frame_a);
        self.m.connect(floor.frame_b, foot.frame_b);
    }

    fn turn(&mut self, name: &str, from: Frame, n: [f64; 3], phi: f64, w: f64) -> Frame {
        let joint = Revolute::new().n(n).phi(fixed(phi)).w(fixed(w)).states(Always);
        let joint = self.m.add(name, joint);
        self.m.connect(from, joint.frame_a);
        joint.frame_b
    }

    fn slide(&mut self, name: &str, from: Frame, n: [f64; 3], s: f64, v: f64) -> Frame {
        let joint = self.m.add(name, Prismatic::new().n(n).s(fixed(s)).v(fixed(v)).states(Always));
        self.m.connect(from, joint.frame_a);
        joint.frame_b
    }

    fn mass(&mut self, name: impl Into<String>, frame: Frame, [low, high]: [f64; 2]) -> f64 {
        let mass = self.between(low, high);
        attach(self.m, name, frame, Body::new().m(mass).r_cm([0.0; 3]));
        mass
    }

    /// A slender bar; returns its end.
    fn bar(&mut self, name: &str, from: Frame, r: [f64; 3]) -> Frame {
        let mass = self.between(0.3, 4.0);
        let square: f64 = r.iter().map(|c| c * c).sum();
        let product = |i: usize, j: usize| -mass * r[i] * r[j] / 12.0;
        let inertia = [0, 1, 2].map(|k| 1e-4 + mass * square / 12.0 + product(k, k));
        let bar = BodyShape::new().r(r).r_cm(r.map(|c| c / 2.0)).m(mass).inertia(inertia);
        let bar = bar.products([product(1, 0), product(2, 0), product(2, 1)]);
        let bar = self.m.add(name, bar);
        self.m.connect(from, bar.frame_a);
        bar.frame_b
    }

    fn spring(&mut self, name: &str, [a, b]: [Frame; 2], length: f64, load: f64) {
        let travel = self.between(0.02, 0.2);
        let (c, d) = (load / travel, self.between(0.0, 0.3) * load / travel.sqrt() / 3.0);
        let preload = self.between(0.0, 1.0) * travel;
        let spring = SpringDamperParallel::new().c(c).d(d).s_unstretched(length + preload);
        let spring = self.m.add(name, spring);
        self.m.connect(spring.frame_a, a);
        self.m.connect(spring.frame_b, b);
    }

    /// A joint of a loop with a bar on it.
    fn link(&mut self, name: &str, from: Frame, n: [f64; 3], phi: f64, r: [f64; 3]) -> [Frame; 2] {
        let joint = self.m.add(name, Revolute::new().n(n).phi(guess(phi)));
        self.m.connect(from, joint.frame_a);
        [joint.frame_b, self.bar(&format!("{name}_bar"), joint.frame_b, r)]
    }

    fn close(&mut self, name: &str, n: [f64; 3], ends: [Frame; 2], joints: [&str; 3], offset: f64) {
        let closing = self.m.add(name, RevolutePlanarLoopConstraint::new().n(n));
        self.m.connect(ends[0], closing.frame_a);
        self.m.connect(ends[1], closing.frame_b);
        self.loops.push(Loop { joints: joints.map(str::to_owned), offset });
    }

    /// One or two pendulums on a cart, or on a fixed pivot.
    fn pendulum(&mut self) {
        let mut frame = self.world;
        if self.chance(0.7) {
            let v = self.between(-2.0, 2.0);
            frame = self.slide("cart", frame, X, 0.0, v);
            self.mass("body", frame, [0.5, 10.0]);
        }
        for k in 0..1 + usize::from(self.chance(0.5)) {
            let (phi, w) = (self.between(-1.2, 1.2), self.between(-2.0, 2.0));
            frame = self.turn(&format!("turn{k}"), frame, Z, phi, w);
            let length = self.between(0.2, 1.0);
            frame = self.bar(&format!("bar{k}"), frame, [0.0, -length, 0.0]);
            self.stand(frame);
        }
    }

    /// A mass on a vertical or inclined guide, which an arm with a spring carries.
    fn arm_on_guide(&mut self) {
        let v = self.between(-1.0, 1.0);
        let lean = if self.chance(0.5) { 0.0 } else { self.between(-0.4, 0.4) };
        let axis = [lean.sin(), lean.cos(), 0.0];
        let guide = self.slide("guide", self.world, axis, 0.0, v);
        let mass = self.mass("mass", guide, [1.0, 100.0]);
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
        self.stand(end);
    }

    /// A four-bar linkage, fixed or on a guide, whose coupler touches the floor.
    fn four_bar(&mut self) {
        let mut base = self.world;
        if self.chance(0.5) {
            let n = if self.chance(0.5) { X } else { Y };
            base = self.slide("guide", base, n, 0.0, 0.0);
            self.mass("mass", base, [1.0, 30.0]);
        }
        // Nearly a parallelogram below its ground link, with lengths with which the loop can be
        // closed.
        let (a, b, c, g, phi) = loop {
            let (a, g) = (self.between(0.3, 0.6), self.between(0.5, 0.8));
            let (b, c) = (g * self.between(0.85, 1.15), a * self.between(0.9, 1.1));
            let phi = self.between(-2.4, -0.7);
            let open = (a * phi.cos() - g).hypot(a * phi.sin());
            if (1.02 * (b - c).abs()..0.98 * (b + c)).contains(&open) {
                break (a, b, c, g, phi);
            }
        };
        let w = self.between(-2.0, 2.0);
        let crank = self.turn("crank", base, Z, phi, w);
        let crank = self.bar("crank_bar", crank, [a, 0.0, 0.0]);
        let [coupler, far] = self.link("coupler", crank, Z, -phi, [b, 0.0, 0.0]);
        let ground = at(self.m, "ground", base, [g, 0.0, 0.0]);
        let [_, end] = self.link("rocker", ground, Z, phi, [c, 0.0, 0.0]);
        self.close("closing", Z, [far, end], ["crank", "coupler", "rocker"], 0.0);
        let (x, y) = (self.between(0.2, 0.8) * b, -self.between(0.0, 0.3));
        let foot = at(self.m, "foot", coupler, [x, y, 0.0]);
        self.stand(foot);
    }

    /// A planar chassis on two trailing arms with springs.
    fn planar_vehicle(&mut self) {
        let v = self.between(-3.0, 3.0);
        let x = self.slide("x", self.world, X, 0.0, v);
        let y = self.slide("y", x, Y, 0.0, 0.0);
        let chassis = self.turn("pitch", y, Z, 0.0, 0.0);
        let (mass, i) = (self.between(50.0, 500.0), self.between(20.0, 300.0));
        attach(self.m, "chassis", chassis, Body::new().m(mass).r_cm([0.0; 3]).inertia([i; 3]));
        let (length, phi) = (self.between(0.3, 0.6), self.between(-0.6, 0.2));
        for (name, side) in [("front", 1.0), ("rear", -1.0)] {
            let place = side * self.between(0.5, 1.0);
            let pivot = at(self.m, format!("{name}_pivot"), chassis, [place, 0.0, 0.0]);
            let back = if self.chance(0.5) { -side } else { side };
            let out = [back, 0.0, 0.0];
            let end = self.swing_arm(name, pivot, (Z, back * phi, phi, length), out, 5.0 * mass);
            // A wheel that rotates, or a skid.
            let end = if self.chance(0.5) { end } else { self.wheel(name, end, Z) };
            self.stand(end);
        }
    }

    /// An arm with a spring that rotates about an axis; `phi` is its angle above the horizontal.
    fn swing_arm(
        &mut self,
        name: &str,
        pivot: Frame,
        (axis, turned, phi, length): ([f64; 3], f64, f64, f64),
        out: [f64; 3],
        load: f64,
    ) -> Frame {
        let arm = self.turn(&format!("{name}_turn"), pivot, axis, turned, 0.0);
        let end = self.bar(&format!("{name}_arm"), arm, out.map(|c| c * length));
        let tower = at(self.m, format!("{name}_tower"), pivot, [0.0, 0.5, 0.0]);
        let seat = at(self.m, format!("{name}_seat"), arm, out.map(|c| 0.7 * c * length));
        let distance = (0.7 * length * phi.cos()).hypot(0.7 * length * phi.sin() - 0.5);
        self.spring(&format!("{name}_spring"), [tower, seat], distance, load);
        end
    }

    fn wheel(&mut self, name: &str, end: Frame, axis: [f64; 3]) -> Frame {
        let wheel = self.turn(&format!("{name}_axle"), end, axis, 0.0, 0.0);
        let (mass, i) = (self.between(1.0, 15.0), self.between(0.02, 1.0));
        let body = Body::new().m(mass).r_cm([0.0; 3]).inertia([i; 3]);
        attach(self.m, format!("{name}_wheel"), wheel, body);
        wheel
    }

    /// A chassis in space whose feet move sideways as they rise: on three or four swing arms, or on
    /// four double wishbones.
    fn vehicle(&mut self) {
        let mass = self.between(200.0, 1500.0);
        let zero = fixed_vector([0.0; 3]);
        let v = [self.between(-3.0, 3.0), 0.0, self.between(-0.5, 0.5)];
        let body = Body::new().m(mass).r_cm([0.0; 3]).inertia([0.4 * mass, 1.5 * mass, 1.3 * mass]);
        let body = body.r_0(zero).v_0(fixed_vector(v)).angles_start(zero).w_0_start(zero);
        let chassis = self.m.add("chassis", body).frame_a;
        let (wishbones, wheels) = (self.chance(0.5), self.chance(0.5));
        let three = !wishbones && self.chance(0.5);
        let (length, phi) = (self.between(0.3, 0.6), self.between(-0.3, 0.3));
        let places = [("fl", 1.2, -1.0), ("fr", 1.2, 1.0), ("rl", -1.2, -1.0), ("rr", -1.2, 1.0)];
        for (name, x, side) in places.into_iter().take(if three { 3 } else { 4 }) {
            let wide = if three && x < 0.0 { 0.0 } else { 0.3 };
            let pivot = at(self.m, format!("{name}_pivot"), chassis, [x, 0.0, wide * side]);
            let plane = Upright::lateral(side);
            let end = if wishbones {
                self.double_wishbone(&format!("{name}_"), pivot, plane, (length, phi), 3.0 * mass)
            } else {
                let about = (plane.axis, phi, phi, length);
                self.swing_arm(name, pivot, about, plane.out, 2.5 * mass)
            };
            let end = if wheels { self.wheel(name, end, Z) } else { end };
            self.stand(end);
        }
    }

    /// One double wishbone on a vertical guide.
    fn wishbone(&mut self) {
        let guide = self.slide("guide", self.world, Y, 0.0, 0.0);
        let mass = self.mass("mass", guide, [20.0, 400.0]);
        let about = (self.between(0.25, 0.5), self.between(-0.5, 0.5));
        let hub = self.double_wishbone("", guide, PLANE, about, 15.0 * mass);
        self.stand(hub);
    }

    /// Lower and upper arm, upright and spring; returns the hub. The lower arm has the given length
    /// and the given angle above the horizontal.
    fn double_wishbone(
        &mut self,
        prefix: &str,
        base: Frame,
        plane: Upright,
        (length, phi): (f64, f64),
        load: f64,
    ) -> Frame {
        let n = |local: &str| format!("{prefix}{local}");
        let axis = plane.axis;
        let (upper, x) = loop {
            let upper = self.between(0.6, 1.0);
            let x = (upper - 1.0) * length;
            let open = (length * phi.cos()).hypot(length * phi.sin() - 0.3);
            let (a, b) = (x.hypot(0.3), upper * length);
            if (1.02 * (a - b).abs()..0.98 * (a + b)).contains(&open) {
                break (upper, x);
            }
        };
        let high = at(self.m, n("high"), base, plane.at(0.0, 0.3));
        let lower = self.turn(&n("lower"), base, axis, phi, 0.0);
        let out = self.bar(&n("lower_arm"), lower, plane.at(length, 0.0));
        let [ball, top] = self.link(&n("ball"), out, axis, -phi, plane.at(x, 0.3));
        let [_, tip] = self.link(&n("upper"), high, axis, phi, plane.at(upper * length, 0.0));
        let joints = [&*n("lower"), &*n("ball"), &*n("upper")];
        self.close(&n("closing"), axis, [top, tip], joints, 0.3_f64.atan2(x));
        let tower = at(self.m, n("tower"), base, plane.at(0.05, 0.6));
        let seat = at(self.m, n("seat"), lower, plane.at(0.6 * length, 0.0));
        let distance = (0.6 * length * phi.cos() - 0.05).hypot(0.6 * length * phi.sin() - 0.6);
        self.spring(&n("spring"), [tower, seat], distance, load);
        let offset = self.between(0.0, 0.15);
        at(self.m, n("hub"), ball, plane.at(offset, 0.1))
    }
}

/// A function that adds a linkage.
type Kind = fn(&mut Draw);

/// The kinds of linkages. Vehicles in space take the longest.
const KINDS: [(&str, Kind); 10] = [
    ("pendulum", |draw| draw.pendulum()),
    ("arm on a guide", |draw| draw.arm_on_guide()),
    ("four-bar", |draw| draw.four_bar()),
    ("planar vehicle", |draw| draw.planar_vehicle()),
    ("wishbone", |draw| draw.wishbone()),
    ("pendulum", |draw| draw.pendulum()),
    ("arm on a guide", |draw| draw.arm_on_guide()),
    ("four-bar", |draw| draw.four_bar()),
    ("wishbone", |draw| draw.wishbone()),
    ("vehicle", |draw| draw.vehicle()),
];

/// Mixes the bits of a seed, so that consecutive seeds give unrelated numbers.
fn mixed(seed: u64) -> u64 {
    let x = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
}

/// The linkage of a seed; its lowest foot touches the floor or is slightly above it.
pub fn linkage(seed: u64) -> Result<Linkage, String> {
    let (kind, text) = KINDS[seed as usize % KINDS.len()];
    let mut random = Random(mixed(seed));
    let mut drawn = None;
    let text = |m: &mut Assembly| {
        let world = m.add("world", World::new()).frame_b;
        let random = &mut random;
        let (radius, elasticity, feet) = (0.0, 0.0, 0);
        let mut draw = Draw { m, random, world, radius, elasticity, feet, loops: Vec::new() };
        let foot = Foot {
            radius: draw.between(0.05, 0.3),
            elasticity: if draw.chance(0.4) { 0.0 } else { draw.between(0.0, 0.8) },
            mu: if draw.chance(0.1) { 0.0 } else { draw.between(0.0, 1.0) },
            drop: if draw.chance(0.4) { 0.0 } else { draw.between(0.0, 0.1) },
        };
        (draw.radius, draw.elasticity) = (foot.radius, foot.elasticity);
        text(&mut draw);
        drawn = Some((foot, draw.feet, draw.loops));
    };
    let program = program_with(text, |model| keep_account(model, &[]));
    let (foot, feet, loops) = drawn.expect("the text has run");
    let numbers = format!("{seed}: {kind} {foot:?}");
    let fails = |why: String| format!("{numbers}: {why}");
    let program = program.map_err(fails)?;
    let on_floor_at = |height: f64| {
        let mut model = simulation_of(&program);
        for k in 0..feet {
            model.set(&format!("foot{k}_floor.r[2]"), height).unwrap();
            model.set(&format!("foot{k}.mu_R"), foot.mu).unwrap();
        }
        model
    };
    // The floor, which is far below, is moved to the lowest foot.
    let mut above = on_floor_at(-16.0);
    above.start(None).map_err(|failure| fails(failure.to_string()))?;
    let gaps = (0..feet).map(|k| value(&mut above, &format!("foot{k}.gap")));
    let lowest = gaps.fold(f64::INFINITY, f64::min) - foot.drop;
    Ok(Linkage { numbers, model: on_floor_at(lowest - 16.0), program, feet, loops })
}

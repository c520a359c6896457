//! Random simultaneous impacts of trees and of mechanisms with loops: no energy is gained, and the
//! order in which components are declared has no influence.

use crate::common::{Random, energy, initialize, program, simulation_of, value};
use equations::Program;
use fmu_runtime::Simulation;
use libraries::impulses::{CollisionSpherePlane, CollisionSphereSphere};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational::{IdealGear, Inertia};
use std::collections::BTreeMap;

/// Distance in m by which a floor is moved out of the way.
const AWAY: f64 = 16.0;

/// Frames by name.
type Frames = BTreeMap<String, Frame>;

/// A function that declares a component.
type Part = Box<dyn Fn(&mut Assembly, &mut Frames)>;

/// Components and connections of a mechanism, in any order.
#[derive(Default)]
struct Mechanism {
    parts: Vec<Part>,
    connections: Vec<(String, String)>,
    /// Positions and speeds that are states.
    states: Vec<[String; 2]>,
    /// Variables in which motions are compared.
    speeds: Vec<String>,
    contacts: Vec<Contact>,
}

struct Contact {
    name: String,
    rubs: bool,
    /// The name of the floor and its normal; without it the contact is one of two spheres.
    floor: Option<(String, [f64; 3])>,
}

impl Mechanism {
    fn part(&mut self, add: impl Fn(&mut Assembly, &mut Frames) + 'static) {
        self.parts.push(Box::new(add));
    }

    fn connect(&mut self, a: &str, b: &str) {
        self.connections.push((a.to_owned(), b.to_owned()));
    }

    fn world(g: f64) -> Mechanism {
        let mut mechanism = Mechanism::default();
        mechanism.part(move |m, frames| {
            let world = m.add("world", World::new().g(g));
            frames.insert("world".to_owned(), world.frame_b);
        });
        mechanism
    }

    /// A revolute joint between two frames; its coordinate is a state if it has a speed.
    fn turn(
        &mut self,
        name: &'static str,
        [a, b]: [&str; 2],
        n: [f64; 3],
        phi: f64,
        w: Option<f64>,
    ) {
        self.part(move |m, frames| {
            let joint = match w {
                Some(w) => Revolute::new().n(n).phi(fixed(phi)).w(fixed(w)).states(Always),
                None => Revolute::new().n(n).phi(guess(phi)),
            };
            let joint = m.add(name, joint);
            frames.insert(format!("{name}.a"), joint.frame_a);
            frames.insert(format!("{name}.b"), joint.frame_b);
        });
        self.connect(a, &format!("{name}.a"));
        self.connect(&format!("{name}.b"), b);
        if w.is_some() {
            self.states.push([format!("{name}.phi"), format!("{name}.w")]);
        }
        self.speeds.push(format!("{name}.w"));
    }

    /// The same with an inertia behind a gear on the joint's axis.
    fn geared_turn(&mut self, name: &'static str, ends: [&str; 2], n: [f64; 3], phi: f64) {
        self.part(move |m, frames| {
            let joint =
                m.add(name, Revolute::new().n(n).phi(fixed(phi)).w(fixed(0.5)).states(Always));
            let gear = m.add(format!("{name}_gear"), IdealGear::new().ratio(-7.0));
            let rotor = m.add(format!("{name}_rotor"), Inertia::new().J(0.01));
            m.connect(rotor.flange_b, gear.flange_a);
            m.connect(gear.flange_b, joint.axis);
            frames.insert(format!("{name}.a"), joint.frame_a);
            frames.insert(format!("{name}.b"), joint.frame_b);
        });
        self.connect(ends[0], &format!("{name}.a"));
        self.connect(&format!("{name}.b"), ends[1]);
        self.states.push([format!("{name}.phi"), format!("{name}.w")]);
        self.speeds.extend([format!("{name}.w"), format!("{name}_rotor.w")]);
    }

    fn slide(
        &mut self,
        name: &'static str,
        [a, b]: [&str; 2],
        n: [f64; 3],
        s: f64,
        v: Option<f64>,
    ) {
        self.part(move |m, frames| {
            let joint = match v {
                Some(v) => Prismatic::new().n(n).s(fixed(s)).v(fixed(v)).states(Always),
                None => Prismatic::new().n(n).s(guess(s)),
            };
            let joint = m.add(name, joint);
            frames.insert(format!("{name}.a"), joint.frame_a);
            frames.insert(format!("{name}.b"), joint.frame_b);
        });
        self.connect(a, &format!("{name}.a"));
        self.connect(&format!("{name}.b"), b);
        if v.is_some() {
            self.states.push([format!("{name}.s"), format!("{name}.v")]);
        }
        self.speeds.push(format!("{name}.v"));
    }

    /// A bar with a mass and a frame at each end, `name.a` and `name.b`.
    fn bar(&mut self, name: &'static str, r: [f64; 3], mass: f64) {
        self.part(move |m, frames| {
            let middle = r.map(|c| c / 2.0);
            let bar = BodyShape::new().r(r).r_cm(middle).m(mass).inertia([0.02, 0.03, 0.025]);
            let bar = m.add(name, bar);
            frames.insert(format!("{name}.a"), bar.frame_a);
            frames.insert(format!("{name}.b"), bar.frame_b);
        });
    }

    /// A rod without mass, `name.a` and `name.b`.
    fn rod(&mut self, name: &'static str, r: [f64; 3]) {
        self.part(move |m, frames| {
            let rod = m.add(name, FixedTranslation::new().r(r));
            frames.insert(format!("{name}.a"), rod.frame_a);
            frames.insert(format!("{name}.b"), rod.frame_b);
        });
    }

    /// A frame `name.b` at a position on a part.
    fn place(&mut self, name: &'static str, on: &str, r: [f64; 3]) {
        self.rod(name, r);
        self.connect(on, &format!("{name}.a"));
    }

    /// A free body.
    fn free(&mut self, name: &'static str, r: [f64; 3]) {
        self.part(move |m, frames| {
            let body = Body::new().m(1.3).r_cm([0.02, -0.03, 0.01]).inertia([0.03, 0.02, 0.04]);
            let body = body.r_0(fixed_vector(r)).v_0(fixed_vector([0.1, 0.2, 0.3]));
            let body =
                m.add(name, body.w_0_start(fixed_vector([0.3, 0.1, 0.2])).enforce_states(true));
            frames.insert(name.to_owned(), body.frame_a);
        });
        for k in 1..=3 {
            self.states.push([format!("{name}.r_0[{k}]"), format!("{name}.v_0[{k}]")]);
            self.speeds.push(format!("{name}.v_0[{k}]"));
            self.speeds.push(format!("{name}.w_a[{k}]"));
        }
    }

    /// A sphere around a frame and a plane.
    fn plane(&mut self, name: &'static str, sphere: &str, rubs: bool, random: &mut Random) {
        let normal = random.vector();
        let floor = format!("{name}_floor");
        let named = floor.clone();
        self.part(move |m, frames| {
            let floor = m.add(&floor, Fixed::new().r([0.1, 0.2, 0.3]));
            frames.insert(floor_frame(name), floor.frame_b);
        });
        self.part(move |m, frames| {
            let mu = if rubs { 0.3 } else { 0.0 };
            let contact =
                CollisionSpherePlane::new().ra(0.05).normal(normal).elasticity(0.5).mu_r(mu);
            let contact = m.add(name, contact);
            frames.insert(format!("{name}.a"), contact.frame_a);
            frames.insert(format!("{name}.b"), contact.frame_b);
        });
        self.connect(sphere, &format!("{name}.a"));
        self.connect(&floor_frame(name), &format!("{name}.b"));
        let length = normal.iter().map(|c| c * c).sum::<f64>().sqrt();
        let floor = Some((named, normal.map(|c| c / length)));
        self.contacts.push(Contact { name: name.to_owned(), rubs, floor });
    }

    /// Two spheres around frames.
    fn pair(&mut self, name: &'static str, [a, b]: [&str; 2], rubs: bool) {
        self.part(move |m, frames| {
            let mu = if rubs { 0.3 } else { 0.0 };
            let contact = CollisionSphereSphere::new().ra(0.05).rb(0.05).elasticity(0.5).mu_r(mu);
            let contact = m.add(name, contact);
            frames.insert(format!("{name}.a"), contact.frame_a);
            frames.insert(format!("{name}.b"), contact.frame_b);
        });
        self.connect(a, &format!("{name}.a"));
        self.connect(b, &format!("{name}.b"));
        self.contacts.push(Contact { name: name.to_owned(), rubs, floor: None });
    }

    /// The program, with components and connections in their own order or in a random one.
    fn program(&self, random: Option<&mut Random>) -> Program {
        let mut parts: Vec<&Part> = self.parts.iter().collect();
        let mut connections: Vec<(&str, &str)> =
            self.connections.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        if let Some(random) = random {
            shuffle(&mut parts, random);
            shuffle(&mut connections, random);
        }
        let text = |m: &mut Assembly| {
            let mut frames = Frames::new();
            parts.iter().for_each(|part| part(m, &mut frames));
            connections.iter().for_each(|(a, b)| m.connect(frames[*a], frames[*b]));
        };
        program(text).expect("the mechanism is sound")
    }
}

fn floor_frame(contact: &str) -> String {
    format!("{contact}_floor.b")
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for k in (1..items.len()).rev() {
        let other = (0.5 * (random.number() + 1.0) * (k + 1) as f64) as usize;
        items.swap(k, other.min(k));
    }
}

/// An arm of three joints with an inertia behind a gear, and a free body.
fn tree(random: &mut Random) -> Mechanism {
    let mut t = Mechanism::world(9.81);
    t.bar("upper", [0.5, 0.1, 0.0], 1.2);
    t.bar("lower", [0.2, 0.4, 0.1], 0.8);
    t.bar("hand", [0.1, 0.0, 0.3], 0.5);
    t.geared_turn("shoulder", ["world", "upper.a"], Z, 0.3);
    t.slide("boom", ["upper.b", "lower.a"], [0.8, 0.0, 0.6], 0.2, Some(0.1));
    t.turn("wrist", ["lower.b", "hand.a"], [0.6, 0.8, 0.0], 0.4, Some(0.2));
    t.free("free", [1.5, 0.3, 0.2]);
    t.plane("at_hand", "hand.b", true, random);
    t.plane("at_elbow", "lower.a", false, random);
    t.plane("at_free", "free", true, random);
    t.pair("between", ["lower.b", "free"], true);
    t
}

/// A planar linkage with a pendulum across its plane, closed by a constraint.
fn four_bar(random: &mut Random) -> Mechanism {
    let mut t = Mechanism::world(9.81);
    t.bar("crank", [0.4, 0.0, 0.0], 1.0);
    t.bar("coupler", [1.0, 0.0, 0.0], 2.0);
    t.bar("rocker", [0.7, 0.0, 0.0], 1.5);
    t.bar("bob", [0.0, -0.3, 0.0], 0.6);
    t.place("ground", "world", [0.9, 0.0, 0.0]);
    t.place("middle", "coupler.a", [0.5, 0.2, 0.1]);
    t.geared_turn("a", ["world", "crank.a"], Z, 1.2);
    t.turn("b", ["crank.b", "coupler.a"], Z, -1.0, None);
    t.turn("d", ["ground.b", "rocker.a"], Z, 1.3, None);
    t.turn("swing", ["middle.b", "bob.a"], X, 0.3, Some(0.4));
    t.part(|m, frames| {
        let closing = m.add("c", RevolutePlanarLoopConstraint::new().n(Z));
        frames.insert("c.a".to_owned(), closing.frame_a);
        frames.insert("c.b".to_owned(), closing.frame_b);
    });
    t.connect("coupler.b", "c.a");
    t.connect("rocker.b", "c.b");
    t.free("free", [1.5, 1.3, 0.2]);
    t.plane("at_coupler", "middle.b", true, random);
    t.plane("at_rocker", "rocker.b", false, &mut Random(5));
    t.plane("at_bob", "bob.b", true, random);
    t.pair("at_free", ["crank.b", "free"], true);
    t
}

/// A loop in space whose cut the compiler chooses, and a body on its slide.
fn spatial(random: &mut Random) -> Mechanism {
    let mut t = Mechanism::world(9.81);
    t.bar("crank", [0.0, 0.5, 0.1], 0.5);
    t.bar("rod", [1.0, -0.3, -0.1], 0.5);
    t.bar("post", [0.0, 0.2, 0.0], 0.5);
    t.place("ground", "world", [1.2, 0.0, 0.0]);
    t.part(|m, frames| {
        let ball = m.add("ball", Spherical::new().use_quaternions(false));
        frames.insert("ball.a".to_owned(), ball.frame_a);
        frames.insert("ball.b".to_owned(), ball.frame_b);
    });
    t.turn("drive", ["world", "crank.a"], X, 0.0, Some(1.0));
    t.connect("crank.b", "ball.a");
    t.connect("ball.b", "rod.a");
    t.slide("slide", ["ground.b", "post.a"], X, -0.2, None);
    t.turn("z", ["post.b", "fork.a"], Z, 0.0, None);
    t.rod("fork", [0.0; 3]);
    t.turn("y", ["fork.b", "rod.b"], Y, 0.0, None);
    t.bar("tail", [0.3, 0.1, 0.2], 0.7);
    t.turn("hinge", ["post.a", "tail.a"], Z, 0.2, Some(0.3));
    t.plane("at_crank", "crank.b", true, random);
    t.plane("at_post", "post.b", true, &mut Random(5));
    t.plane("at_tail", "tail.b", false, random);
    t.pair("between", ["tail.b", "crank.b"], true);
    t
}

/// The numbers of a random state, which are the same for every order of the components.
struct Draw {
    states: Vec<(String, f64)>,
    parameters: Vec<(String, f64)>,
}

impl Draw {
    /// States near those of the start, and random contact laws; if `elastic`, without losses.
    fn new(
        mechanism: &Mechanism,
        begin: &mut Simulation,
        elastic: bool,
        random: &mut Random,
    ) -> Draw {
        let (mut states, mut parameters) = (Vec::new(), Vec::new());
        for [position, speed] in &mechanism.states {
            let q = value(begin, position) + 0.2 * random.number();
            states.push((position.clone(), q));
            states.push((speed.clone(), 3.0 * random.number()));
        }
        for contact in &mechanism.contacts {
            let name = &contact.name;
            let e = if elastic { 1.0 } else { (1.3 * random.number()).clamp(0.0, 1.0) };
            parameters.push((format!("{name}.elasticity"), e));
            if contact.rubs {
                // With much friction a contact that slides may have no force (Painlevé).
                let mu = if elastic { 0.0 } else { 0.4 * random.number().abs() };
                parameters.push((format!("{name}.mu_R"), mu));
            }
        }
        Draw { states, parameters }
    }

    /// Starts in the states, with the surfaces of contacts out of the way or at the given gaps.
    fn begin(&self, mechanism: &Mechanism, model: &mut Simulation, gaps: Option<&[f64]>) {
        model.reset().unwrap();
        for (name, value) in self.parameters.iter().chain(&self.states) {
            model.set(name, *value).unwrap();
        }
        for (k, Contact { name, floor, .. }) in mechanism.contacts.iter().enumerate() {
            let gap = gaps.map_or(0.0, |gaps| gaps[k]);
            let Some((floor, n)) = floor else {
                model.set(&format!("{name}.ra"), gap).unwrap();
                continue;
            };
            for (k, n) in (1..=3).zip(n) {
                let coordinate = format!("{floor}.r[{k}]");
                let near = value(model, &coordinate);
                model.set(&coordinate, near + (gap - AWAY) * n).unwrap();
            }
        }
        initialize(model);
    }

    /// Starts before and after the impacts at which all contacts touch in the states.
    fn strike(&self, mechanism: &Mechanism, [before, after]: &mut [Simulation; 2]) {
        self.begin(mechanism, before, None);
        let gap = |model: &mut Simulation, contact: &Contact| {
            value(model, &format!("{}.gap", contact.name))
        };
        let contacts = mechanism.contacts.iter();
        let gaps: Vec<f64> = contacts.clone().map(|contact| gap(before, contact)).collect();
        assert!(gaps.iter().all(|gap| *gap > 0.0), "{gaps:?}");
        self.begin(mechanism, after, Some(&gaps));
        for contact in contacts {
            let gap = gap(after, contact);
            assert!(gap.abs() < 1e-12, "{}: {gap}", contact.name);
        }
    }
}

fn speeds(mechanism: &Mechanism, at: &mut Simulation) -> Vec<f64> {
    mechanism.speeds.iter().map(|name| value(at, name)).collect()
}

/// Number of impacts of all contacts.
fn impacts(mechanism: &Mechanism, at: &mut Simulation) -> f64 {
    mechanism.contacts.iter().map(|c| value(at, &format!("{}.impacts", c.name))).sum()
}

/// Random states of each mechanism, in two orders of declaration.
fn check(mechanism: fn(&mut Random) -> Mechanism, elastic: bool, draws: usize) {
    let mut random = Random(11);
    let mechanism = mechanism(&mut random);
    let one = mechanism.program(None);
    let other = mechanism.program(Some(&mut random));
    let mut begin = simulation_of(&one);
    begin.enter_initialization_mode(0.0, None).unwrap();
    let [mut one, mut other] = [one, other].map(|of| [simulation_of(&of), simulation_of(&of)]);
    let (mut several, mut losses) = (0, 0);
    for number in 0..draws {
        let draw = Draw::new(&mechanism, &mut begin, elastic, &mut random);
        draw.strike(&mechanism, &mut one);
        draw.strike(&mechanism, &mut other);
        let ([first, a], [_, b]) = (&mut one, &mut other);
        let (before, kinetic) = (energy(first), value(first, "energy.kinetic"));
        let first = speeds(&mechanism, first);
        let (u, v) = (speeds(&mechanism, a), speeds(&mechanism, b));
        let size = first.iter().chain(&u).fold(0.0, |size: f64, u| size.max(u.abs()));
        for ((u, v), name) in u.iter().zip(&v).zip(&mechanism.speeds) {
            assert!(
                (u - v).abs() <= 1e-12 * size,
                "{number}: {name}: {u} {v} ({:e})",
                (u - v) / size
            );
        }
        let change = energy(a) - before;
        let limit = 1e-12 * kinetic;
        assert!(change <= limit, "{number}: {change} J are gained of {kinetic} J");
        let count = impacts(&mechanism, a);
        // A sphere that is wedged between two surfaces would bounce without end.
        let wedged = count > 40.0;
        let kept = change >= -limit;
        assert!(!elastic || kept || wedged, "{number}: {change} J are lost of {kinetic} J");
        losses += usize::from(change < -0.01 * kinetic);
        several += usize::from(count > 1.0 && !wedged);
    }
    assert!(several > draws / 3 && (elastic || losses > draws / 2), "{several} {losses}");
}

const ALL: [fn(&mut Random) -> Mechanism; 3] = [tree, four_bar, spatial];

#[test]
fn simultaneous_impacts_gain_no_energy_in_any_order_of_declaration() {
    for mechanism in ALL {
        check(mechanism, false, 70);
    }
}

#[test]
fn simultaneous_elastic_impacts_keep_the_energy_in_any_order_of_declaration() {
    for mechanism in ALL {
        check(mechanism, true, 20);
    }
}

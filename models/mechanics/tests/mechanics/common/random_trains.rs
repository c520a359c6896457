//! Random drive trains: gears with losses, friction, elasticity, planetaries and stops in series
//! and in parallel, driven and pressed by signals of all kinds.

use libraries::prelude::*;
use libraries::rotational::*;
use libraries::translational::MassWithStopAndFriction;
use mechanics::start::Start;
use random::Random;

/// A place at which the next element may be connected.
#[derive(Clone, Copy)]
struct Node {
    flange: Flange,
    /// Speed at the start in rad/s.
    w: f64,
    /// Nodes that are connected rigidly have the same number.
    group: usize,
}

/// A drive train under construction.
struct Train<'a> {
    m: &'a mut Assembly,
    random: Random,
    nodes: Vec<Node>,
    count: usize,
    /// Names of the torques of sources, and of the speeds at which they work.
    sources: Vec<[String; 2]>,
    /// Groups of rigidly connected nodes in which a mass with stops determines a position.
    stopped: Vec<usize>,
    /// The name of the inertia that was added last.
    inertia: String,
    /// Whether its friction depends on speed, and most of its elements have friction.
    rough: bool,
}

/// Adds the drive train of a seed, which is simulated for 2 s. Returns the names of the driving
/// torques (positive if they brake), each with the name of the speed at which it works.
pub fn train(m: &mut Assembly, seed: u64) -> Vec<[String; 2]> {
    Train::new(m, generator(seed), false).complete()
}

/// The same with bearings, brakes, clutches and one-way clutches in most places, whose friction
/// depends on speed, and whose normal forces rise and fall.
pub fn rough_train(m: &mut Assembly, seed: u64) -> Vec<[String; 2]> {
    Train::new(m, generator(!seed), true).complete()
}

impl<'a> Train<'a> {
    fn new(m: &'a mut Assembly, random: Random, rough: bool) -> Train<'a> {
        Train {
            m,
            random,
            nodes: Vec::new(),
            count: 0,
            sources: Vec::new(),
            stopped: Vec::new(),
            inertia: String::new(),
            rough,
        }
    }

    /// Adds the whole train.
    fn complete(mut self) -> Vec<[String; 2]> {
        let w = if self.random.chance(0.5) { 0.0 } else { self.random.between(-5.0, 5.0) };
        let first = self.inertia(fixed(0.0), fixed(w));
        self.nodes.push(Node { flange: first, w, group: 0 });
        self.drive(first);
        for _ in 0..3 + self.random.below(4) {
            self.element();
            if self.random.chance(0.2) {
                self.parallel();
            }
        }
        self.m.stop_time(2.0);
        self.sources
    }

    fn name(&mut self, kind: &str) -> String {
        self.count += 1;
        format!("{kind}{}", self.count)
    }

    fn inertia(&mut self, phi: Start, w: Start) -> Flange {
        let name = self.name("inertia");
        let inertia = Inertia::new().J(self.random.size(0.05, 3.0)).phi(phi).w(w);
        self.inertia.clone_from(&name);
        self.m.add(name, inertia).flange_a
    }

    /// A torque at the inertia that was added last.
    fn drive(&mut self, flange: Flange) {
        let amplitude = self.random.sign() * self.random.size(3.0, 60.0);
        let signal = self.signal(amplitude, 0.2 * amplitude);
        let name = self.name("torque");
        self.sources.push([format!("{name}.flange.tau"), format!("{}.w", self.inertia)]);
        let torque = self.m.add(name, Torque::new());
        self.m.connect(signal, torque.tau);
        self.m.connect(torque.flange, flange);
    }

    /// A duration in s, or a percentage. In rough trains it has two decimals, so that some events
    /// are within rounding of communication points.
    fn duration(&mut self, low: f64, high: f64) -> f64 {
        let exact = self.random.between(low, high);
        if self.rough { (exact * 100.0).round() / 100.0 } else { exact }
    }

    /// A random signal with this amplitude and offset.
    fn signal(&mut self, amplitude: f64, offset: f64) -> Quantity {
        let start = if self.random.chance(0.5) { 0.0 } else { self.duration(0.0, 1.0) };
        let (name, period) = (self.name("signal"), self.duration(0.2, 1.5));
        let kind = self.random.below(6);
        let width = self.duration(10.0, 90.0);
        let m = &mut *self.m;
        match kind {
            0 => m.add(name, Constant::new().k(amplitude)).y,
            1 => m.add(name, Step::new().height(amplitude).offset(offset).start_time(start)).y,
            2 => {
                let ramp = Ramp::new().height(amplitude).duration(period).offset(offset);
                m.add(name, ramp.start_time(start)).y
            }
            3 => {
                let pulse = Pulse::new().amplitude(amplitude).period(period).width(width);
                m.add(name, pulse.start_time(start).offset(offset)).y
            }
            4 => {
                let [a, b, c] = [0.2, 0.3, 0.2].map(|part| part * period);
                let trapezoid = Trapezoid::new().amplitude(amplitude).period(period);
                let trapezoid = trapezoid.rising(a).width(b).falling(c);
                m.add(name, trapezoid.offset(offset)).y
            }
            _ => m.add(name, Sine::new().amplitude(amplitude).f(1.0 / period).offset(offset)).y,
        }
    }

    /// A signal that presses a clutch or brake, between no force and the largest one.
    fn press(&mut self) -> Quantity {
        let least = self.random.between(-0.3, 0.3);
        if !self.rough || self.random.chance(0.3) {
            return self.signal(1.0 - least, least);
        }
        let (name, start) = (self.name("press"), self.duration(0.0, 1.0));
        let (low, high) = (least.min(0.0), self.random.between(0.3, 1.0));
        let [from, to] = if self.random.chance(0.6) { [high, low] } else { [low, high] };
        let ramp = Ramp::new().offset(from).height(to - from).start_time(start);
        let ramp = ramp.duration(self.duration(0.1, 1.0));
        self.m.add(name, ramp).y
    }

    fn node(&mut self) -> Node {
        // One of the last nodes is preferred, so that trains become long.
        let n = self.nodes.len();
        let back = if self.random.chance(0.7) { 0 } else { self.random.below(n) };
        self.nodes[n - 1 - back]
    }

    fn loss_table(&mut self) -> Vec<[f64; 5]> {
        let bearing = if self.random.chance(0.2) { 0.0 } else { 2.0 };
        let lossless = self.random.chance(0.1);
        let mut row = |speed: f64| {
            let random = &mut self.random;
            let mut eta = || if lossless { 1.0 } else { random.between(0.25, 0.99) };
            let (eta_1, eta_2) = (eta(), eta());
            [speed, eta_1, eta_2, random.between(0.0, bearing), random.between(0.0, bearing)]
        };
        let first = row(0.0);
        let second = row(5.0);
        let third = row(1000.0);
        match self.random.below(3) {
            0 => vec![first, second, third],
            _ => vec![first],
        }
    }

    fn ratio(&mut self) -> f64 {
        self.random.sign() * self.random.size(0.3, 4.0)
    }

    fn peak(&mut self) -> f64 {
        if self.random.chance(0.5) { 1.0 } else { self.random.between(1.0, 1.6) }
    }

    /// A friction coefficient, or the torque of a bearing, over the speed.
    fn characteristic(&mut self, size: f64) -> Vec<[f64; 2]> {
        if !self.rough && self.random.chance(0.6) {
            return vec![[0.0, size]];
        }
        let [a, b] = [self.random.between(0.5, 1.5), self.random.between(0.3, 1.5)];
        vec![[0.0, size], [2.0, a * size], [500.0, b * size]]
    }

    /// Adds an element at an existing node.
    fn element(&mut self) {
        let from = self.node();
        let kind = self.random.below(10);
        match if self.rough { [3, 3, 4, 4, 5, 6, 6, 6, 0, kind][kind] } else { kind } {
            0..=2 => self.lossy_gear(from),
            3 | 4 => self.between(from, None),
            5 => self.brake(from),
            6 => self.bearing(from),
            7 => self.gearbox(from),
            8 => self.planetary(from),
            _ => self.mass_with_stop(from),
        }
    }

    /// Adds an element between two existing nodes.
    fn parallel(&mut self) {
        let (a, b) = (self.node(), self.node());
        if a.flange != b.flange {
            let (from, to) = if a.w <= b.w { (a, b) } else { (b, a) };
            self.between(from, Some(to));
        }
    }

    /// Adds an element whose flanges can rotate relative to each other: to a new inertia, or to a
    /// node.
    fn between(&mut self, from: Node, to: Option<Node>) {
        let kind = self.random.below(if self.rough { 3 } else { 4 });
        let to = to.unwrap_or_else(|| {
            let turns = self.random.between(-5.0, 5.0);
            let turns = if kind == 1 { turns.abs() } else { turns };
            let w = if self.random.chance(0.5) { from.w } else { from.w + turns };
            let flange = self.inertia(fixed(0.0), fixed(w));
            if self.random.chance(0.5) {
                self.drive(flange);
            }
            let node = Node { flange, w, group: self.count };
            self.nodes.push(node);
            node
        });
        let (c, d) = (self.random.size(50.0, 3000.0), self.random.between(0.0, 5.0));
        let (fn_max, peak) = (self.random.size(2.0, 60.0), self.peak());
        let (a, b) = match kind {
            0 => {
                let mu = self.characteristic(0.5);
                let (name, press) = (self.name("clutch"), self.press());
                let clutch = self.m.add(name, Clutch::new().fn_max(fn_max).peak(peak).mu_pos(mu));
                self.m.connect(press, clutch.f_normalized);
                (clutch.flange_a, clutch.flange_b)
            }
            1 => {
                let (name, press) = (self.name("oneWayClutch"), self.press());
                let clutch = OneWayClutch::new().fn_max(fn_max).peak(peak);
                let clutch = match self.rough {
                    true => clutch.mu_pos(self.characteristic(0.5)),
                    false => clutch,
                };
                let clutch = self.m.add(name, clutch);
                self.m.connect(press, clutch.f_normalized);
                (clutch.flange_a, clutch.flange_b)
            }
            2 => {
                let name = self.name("springDamper");
                let spring = self.m.add(name, SpringDamper::new().c(c).d(d));
                (spring.flange_a, spring.flange_b)
            }
            _ => {
                let (name, b) = (self.name("elastoBacklash"), self.random.between(0.0, 0.1));
                let spring = self.m.add(name, ElastoBacklash::new().c(c).d(d).b(b));
                (spring.flange_a, spring.flange_b)
            }
        };
        self.m.connect(from.flange, a);
        self.m.connect(b, to.flange);
    }

    /// Continues behind a rigid element, with an inertia or without.
    fn behind(&mut self, from: Node, flange: Flange, w: f64) {
        if self.random.chance(0.7) {
            let inertia = self.inertia(Start::default(), Start::default());
            self.m.connect(flange, inertia);
            if self.random.chance(0.4) {
                self.drive(inertia);
            }
        }
        self.nodes.push(Node { flange, w, group: from.group });
    }

    fn lossy_gear(&mut self, from: Node) {
        let (name, ratio, table) = (self.name("lossyGear"), self.ratio(), self.loss_table());
        let gear = self.m.add(name, LossyGear::new().ratio(ratio).loss_table(table));
        if self.random.chance(0.5) {
            self.m.connect(from.flange, gear.flange_a);
            self.behind(from, gear.flange_b, from.w / ratio);
        } else {
            self.m.connect(from.flange, gear.flange_b);
            self.behind(from, gear.flange_a, from.w * ratio);
        }
    }

    fn brake(&mut self, from: Node) {
        let (fn_max, peak) = (self.random.size(1.0, 60.0), self.peak());
        let mu = self.characteristic(0.5);
        let (name, press) = (self.name("brake"), self.press());
        let brake = self.m.add(name, Brake::new().fn_max(fn_max).peak(peak).mu_pos(mu));
        self.m.connect(press, brake.f_normalized);
        self.m.connect(from.flange, brake.flange_a);
        if self.random.chance(0.5) {
            self.behind(from, brake.flange_b, from.w);
        }
    }

    fn bearing(&mut self, from: Node) {
        let (tau, peak) = (self.random.size(0.3, 10.0), self.peak());
        let name = self.name("bearing");
        let bearing = BearingFriction::new().tau_pos(self.characteristic(tau)).peak(peak);
        let bearing = self.m.add(name, bearing);
        self.m.connect(from.flange, bearing.flange_a);
        if self.random.chance(0.5) {
            self.behind(from, bearing.flange_b, from.w);
        }
    }

    fn gearbox(&mut self, from: Node) {
        let (name, ratio, table) = (self.name("gearbox"), self.ratio(), self.loss_table());
        let (c, d) = (self.random.size(50.0, 3000.0), self.random.between(0.0, 5.0));
        let b = if self.random.chance(0.5) { 0.0 } else { self.random.between(0.0, 0.1) };
        let gearbox = Gearbox::new().ratio(ratio).c(c).d(d).loss_table(table).b(b);
        let gearbox = self.m.add(name, gearbox);
        let w = from.w / ratio;
        let flange = self.inertia(fixed(0.0), fixed(w));
        self.m.connect(from.flange, gearbox.flange_a);
        self.m.connect(gearbox.flange_b, flange);
        if self.random.chance(0.5) {
            self.drive(flange);
        }
        self.nodes.push(Node { flange, w, group: self.count });
    }

    fn planetary(&mut self, from: Node) {
        let (name, ratio) = (self.name("planetary"), self.random.between(1.2, 4.0));
        let planetary = self.m.add(name, IdealPlanetary::new().ratio(ratio));
        let held = self.random.chance(0.3);
        let w = if held { 0.0 } else { from.w };
        let ring = self.inertia(fixed(0.0), fixed(w));
        self.m.connect(planetary.ring, ring);
        self.m.connect(from.flange, planetary.sun);
        self.nodes.push(Node { flange: ring, w, group: from.group });
        let w = (from.w + ratio * w) / (1.0 + ratio);
        self.behind(from, planetary.carrier, w);
    }

    /// Adds at most one for each group, because its position is a state.
    fn mass_with_stop(&mut self, from: Node) {
        if self.stopped.contains(&from.group) {
            return;
        }
        self.stopped.push(from.group);
        let (name, ratio) = (self.name("rack"), self.random.sign() * self.random.size(3.0, 50.0));
        let rack = self.m.add(name, IdealGearR2T::new().ratio(ratio));
        let (name, mass) = (self.name("mass"), self.random.size(0.5, 30.0));
        let (coulomb, stribeck) = (self.random.between(0.0, 30.0), self.random.between(0.0, 30.0));
        let friction = self.random.between(0.0, 5.0);
        let reach = [self.random.size(0.02, 2.0), self.random.size(0.02, 2.0)];
        let mass = MassWithStopAndFriction::new()
            .m(mass)
            .f_coulomb(coulomb)
            .f_stribeck(stribeck)
            .f_prop(friction)
            .fexp(2.0)
            .smin(-reach[0])
            .smax(reach[1]);
        let mass = self.m.add(name, mass);
        self.m.connect(from.flange, rack.flange_r);
        self.m.connect(rack.flange_t, mass.flange_a);
    }
}

/// The random generator of a seed; generators of neighbouring seeds begin with unrelated numbers.
fn generator(seed: u64) -> Random {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
    for _ in 0..8 {
        random.unit();
    }
    random
}

//! A linkage is assembled as in its text, whatever start values and lengths are set; guesses that
//! are set choose another assembly.

use crate::common::{Random, TOLERANCE, program, refusal, simulation_of, start, value, vector};
use libraries::multibody::*;
use libraries::prelude::*;

/// Points of a plane as complex numbers.
type Point = nalgebra::Complex<f64>;

fn polar(length: f64, angle: f64) -> Point {
    Point::new(length * angle.cos(), length * angle.sin())
}

fn length(point: Point) -> f64 {
    point.norm_sqr().sqrt()
}

fn angle(point: Point) -> f64 {
    point.im.atan2(point.re)
}

/// Two bars that close a loop: they join the pins `from` of known points in a pin of their own.
#[derive(Clone, Copy, Debug)]
struct Dyad {
    from: [Pin; 2],
    /// The lengths of the bars in m.
    lengths: [f64; 2],
    /// A point of the first bar that may carry another dyad: relative to the bar from its pin.
    coupler: Point,
}

/// A point to which bars are pinned.
#[derive(Clone, Copy, Debug)]
enum Pin {
    Ground(Point),
    /// The end of the crank.
    Crank,
    /// The coupler point of a dyad.
    Coupler(usize),
}

/// A crank with dyads.
#[derive(Clone, Debug)]
struct Linkage {
    crank: f64,
    phi: f64,
    dyads: Vec<Dyad>,
    /// The side on which each dyad is built.
    sides: Vec<f64>,
}

impl Linkage {
    /// The joints of the dyads, and the smallest discriminant of all dyads, relative to the squares
    /// of their lengths: negative if one cannot be closed.
    fn joints(&self, phi: f64, sides: &[f64]) -> (Vec<Point>, f64) {
        let (mut joints, mut couplers, mut least) = (Vec::new(), Vec::<Point>::new(), 1.0_f64);
        for (dyad, side) in self.dyads.iter().zip(sides) {
            let [p, q] = dyad.from.map(|pin| match pin {
                Pin::Ground(point) => point,
                Pin::Crank => polar(self.crank, phi),
                Pin::Coupler(k) => couplers[k],
            });
            let ([a, b], d) = (dyad.lengths, q - p);
            let along = (a * a - b * b + d.norm_sqr()) / (2.0 * length(d));
            let square = a * a - along * along;
            least = least.min(square / (a * a).min(b * b));
            let joint = p + d / length(d) * Point::new(along, side * square.max(0.0).sqrt());
            joints.push(joint);
            couplers.push(p + (joint - p) * dyad.coupler);
        }
        (joints, least)
    }

    /// A random linkage that can be closed at the start: a four-bar with up to two more dyads.
    fn random(random: &mut Random) -> Linkage {
        let point = |random: &mut Random, reach: f64| {
            Point::new(reach * random.number(), reach * random.number())
        };
        loop {
            let crank = random.between(0.1, 0.4);
            let mut dyads = Vec::new();
            for k in 0..1 + random.below(3) {
                let from = if k == 0 { Pin::Crank } else { Pin::Coupler(k - 1) };
                let ground = Pin::Ground(point(random, 1.0));
                let lengths = [random.between(0.3, 1.2), random.between(0.3, 1.2)];
                dyads.push(Dyad { from: [from, ground], lengths, coupler: point(random, 1.0) });
            }
            let sides = dyads.iter().map(|_| if random.chance(0.5) { 1.0 } else { -1.0 }).collect();
            let linkage = Linkage { crank, phi: random.between(-3.0, 3.0), dyads, sides };
            if linkage.joints(linkage.phi, &linkage.sides).1 > 0.1 {
                return linkage;
            }
        }
    }

    /// Its text: joints turn about z, and lumps of mass mark the joints of the dyads.
    fn text(&self, m: &mut Assembly) {
        let lump = || Body::new().m(1).r_cm([0; 3]).inertia([0.01; 3]);
        let world = m.add("world", World::new().g(0));
        let crank = Revolute::new().n(Z).phi(fixed(self.phi)).w(fixed(1)).states(Always);
        let j1 = m.add("j1", crank);
        let arm = m.add("arm", FixedTranslation::new().r([self.crank, 0.0, 0.0]));
        m.chain((world.frame_b, j1, arm.frame_a));
        let (joints, _) = self.joints(self.phi, &self.sides);
        let (mut frames, mut places) = (Vec::new(), Vec::new());
        for (k, dyad) in self.dyads.iter().enumerate() {
            let mut ends = Vec::new();
            for (i, pin) in dyad.from.into_iter().enumerate() {
                let (frame, turned, place) = match pin {
                    Pin::Ground(point) => {
                        let r = [point.re, point.im, 0.0];
                        let base = m.add(format!("base{k}"), FixedTranslation::new().r(r));
                        m.connect(world.frame_b, base.frame_a);
                        (base.frame_b, 0.0, point)
                    }
                    Pin::Crank => {
                        let end = polar(self.crank, self.phi);
                        (arm.frame_b, self.phi, end)
                    }
                    Pin::Coupler(c) => frames[c],
                };
                let bar = joints[k] - place;
                let phi = guess(angle(bar) - turned);
                let joint = m.add(format!("pin{k}{i}"), Revolute::new().n(Z).phi(phi));
                let r = [dyad.lengths[i], 0.0, 0.0];
                let rod = m.add(format!("bar{k}{i}"), FixedTranslation::new().r(r));
                m.chain((frame, joint, rod.frame_a));
                if i == 0 {
                    let point = dyad.coupler * dyad.lengths[0];
                    let r = [point.re, point.im, 0.0];
                    let carrier = m.add(format!("point{k}"), FixedTranslation::new().r(r));
                    m.connect(joint.frame_b, carrier.frame_a);
                    places.push(place + bar * dyad.coupler);
                    frames.push((carrier.frame_b, angle(bar), places[k]));
                }
                ends.push(rod.frame_b);
            }
            let tip = m.add(format!("tip{k}"), lump());
            let last = m.add(format!("last{k}"), Revolute::new().n(Z));
            m.connect(ends[0], tip.frame_a);
            m.connect(ends[0], last.frame_a);
            m.connect(last.frame_b, ends[1]);
        }
        let wheel = m.add("wheel", lump());
        m.connect(j1.frame_b, wheel.frame_a);
    }
}

/// How near to a dead point, by the discriminant, the answer is not compared.
const NEAR_DEAD_POINT: f64 = 1e-3;

#[test]
fn linkages_are_assembled_where_the_path_from_their_text_leads_or_are_refused() {
    let mut random = Random(77);
    let (mut kept, mut refused) = (0, 0);
    for number in 0..20 {
        let linkage = Linkage::random(&mut random);
        let program = program(|m| linkage.text(m)).expect("the text is sound");
        for k in 0..24 {
            let phi = linkage.phi + std::f64::consts::TAU * (f64::from(k) - 11.5) / 24.0;
            let steps = 4000;
            let at = |i: i32| linkage.phi + (phi - linkage.phi) * f64::from(i) / f64::from(steps);
            let path = (0..=steps).map(|i| linkage.joints(at(i), &linkage.sides).1);
            let least = path.fold(1.0, f64::min);
            if least.abs() < NEAR_DEAD_POINT {
                continue;
            }
            let mut model = simulation_of(&program);
            model.set("j1.phi", phi).expect("a start value");
            let started = model.start(Some(TOLERANCE));
            let case = format!("linkage {number} at {phi}: {linkage:?}");
            if least < 0.0 {
                let why = started.expect_err(&case).to_string();
                // With one dyad, the linkage can be closed where its own discriminant says so.
                let at_end = linkage.joints(phi, &linkage.sides).1;
                let reason = if at_end > 0.0 { "dead point" } else { "largest residual" };
                let one = linkage.dyads.len() == 1;
                assert!(!one || why.contains(reason), "{why}, {case}");
                refused += 1;
                continue;
            }
            started.unwrap_or_else(|why| panic!("{why}, {case}, least {least}"));
            for (k, joint) in linkage.joints(phi, &linkage.sides).0.iter().enumerate() {
                let r = vector(&mut model, &format!("tip{k}.r_0"));
                let away = length(Point::new(r[0], r[1]) - joint);
                assert!(away < 1e-9, "joint {k} is {away} m away, {case}");
            }
            kept += 1;
        }
    }
    assert!(kept > 150 && refused > 50, "{kept} kept, {refused} refused");
}

/// A parallelogram with bars of 1 m and 3 m.
fn parallelogram(m: &mut Assembly, phi: f64) {
    let bar = |m: &mut Assembly, name: &str, length: f64| {
        let body = BodyShape::new().r([length, 0.0, 0.0]).r_cm([0.5 * length, 0.0, 0.0]);
        m.add(name, body.m(1).inertia([0.01, 0.1, 0.1]))
    };
    let world = m.add("world", World::new().g(0));
    let j1 = Revolute::new().n(Z).phi(fixed(phi)).w(fixed(1)).states(Always);
    let j1 = m.add("j1", j1);
    let j2 = m.add("j2", Revolute::new().n(Z).phi(guess(-phi)));
    let j3 = m.add("j3", Revolute::new().n(Z));
    let j4 = m.add("j4", Revolute::new().n(Z).phi(guess(phi)));
    let (crank, coupler, rocker) =
        (bar(m, "crank", 1.0), bar(m, "coupler", 3.0), bar(m, "rocker", 1.0));
    let base = m.add("base", FixedTranslation::new().r([3.0, 0.0, 0.0]));
    m.chain((world.frame_b, j1, crank, j2, coupler, j3.frame_a));
    m.chain((world.frame_b, base, j4, rocker, j3.frame_b));
}

#[test]
fn a_path_does_not_pass_a_point_at_which_a_linkage_could_go_on_in_two_ways() {
    for phi in [0.03, 0.05, 0.1, 0.15, 0.7, 2.0, 3.0] {
        let program = program(|m| parallelogram(m, phi)).expect("the text is sound");
        for target in [0.2, 1.0, 2.5, 3.1, -0.1, -1.0, -2.0, -3.1, 3.3, 4.0] {
            let mut model = simulation_of(&program);
            model.set("j1.phi", target).expect("a start value");
            let started = model.start(Some(TOLERANCE));
            let passes = !(0.0..=std::f64::consts::PI).contains(&target);
            assert_eq!(started.is_err(), passes, "{started:?}: from {phi} to {target}");
            if started.is_ok() {
                let rocker = value(&mut model, "j4.phi");
                assert!((rocker - target).abs() < 1e-9, "{rocker}: from {phi} to {target}");
            }
        }
    }
}

/// A four-bar whose joints have guesses.
fn four_bar(m: &mut Assembly, [pin, rocker]: [f64; 2]) {
    add! { m,
        world: World::new().g(0),
        j1: Revolute::new().n(Z).phi(fixed(0.9)).w(fixed(1)).states(Always),
        crank: BodyShape::new().r([0.3, 0.0, 0.0]).r_cm([0.15, 0.0, 0.0]).m(1).inertia([0.01; 3]),
        j2: Revolute::new().n(Z).phi(guess(pin)),
        coupler: BodyShape::new().r([0.8, 0.0, 0.0]).r_cm([0.4, 0.0, 0.0]).m(1).inertia([0.1; 3]),
        j3: Revolute::new().n(Z),
        j4: Revolute::new().n(Z).phi(guess(rocker)),
        rocker: BodyShape::new().r([0.6, 0.0, 0.0]).r_cm([0.3, 0.0, 0.0]).m(1).inertia([0.05; 3]),
        base: FixedTranslation::new().r([0.9, 0.0, 0.0]),
    }
    m.chain((world.frame_b, j1, crank, j2, coupler, j3.frame_a));
    m.chain((world.frame_b, base, j4, rocker, j3.frame_b));
}

/// The two positions of the pin between coupler and rocker of [`four_bar`], as rocker angles.
fn rocker_angles(phi: f64) -> [f64; 2] {
    let crank_end = polar(0.3, phi);
    let d = crank_end - 0.9;
    let along = (0.36 - 0.64 + d.norm_sqr()) / (2.0 * length(d));
    let across = (0.36 - along * along).sqrt();
    [across, -across].map(|across| angle(d / length(d) * Point::new(along, across)))
}

/// The guesses of [`four_bar`] for a rocker angle.
fn guesses(rocker: f64) -> [f64; 2] {
    let pin = Point::new(0.9, 0.0) + polar(0.6, rocker);
    [turn(angle(pin - polar(0.3, 0.9)) - 0.9), rocker]
}

fn turn(angle: f64) -> f64 {
    angle.sin().atan2(angle.cos())
}

#[test]
fn what_the_build_accepts_starts() {
    let (mut built, mut failed) = (0, 0);
    for k in 0..64 {
        let guesses = [k % 8, k / 8].map(|k| -3.0 + 6.0 * f64::from(k) / 7.0);
        match program(|m| four_bar(m, guesses)) {
            Ok(program) => {
                let mut model = simulation_of(&program);
                model.start(Some(TOLERANCE)).unwrap_or_else(|why| panic!("{why}: {guesses:?}"));
                let rocker = turn(value(&mut model, "j4.phi"));
                let nearest = rocker_angles(0.9).map(|wanted| turn(wanted - rocker).abs());
                assert!(nearest[0].min(nearest[1]) < 1e-9, "{rocker}");
                built += 1;
            }
            Err(_) => failed += 1,
        }
    }
    assert!(built >= 60, "{built} built, {failed} refused");
}

#[test]
fn a_guess_that_is_set_on_a_dependent_coordinate_chooses_the_assembly() {
    let [above, below] = rocker_angles(0.9);
    for (text, other) in [(above, below), (below, above)] {
        let program = program(|m| four_bar(m, guesses(text))).expect("the text is sound");
        let begins = |set: &[(&str, f64)]| {
            let mut model = simulation_of(&program);
            set.iter().for_each(|&(name, value)| model.set(name, value).expect("a start value"));
            model.start(Some(TOLERANCE)).expect("it can be assembled");
            value(&mut model, "j4.phi")
        };
        assert!((begins(&[]) - text).abs() < 1e-9);
        let nearly = other + 0.2;
        assert!((begins(&[("j4.phi", nearly)]) - other).abs() < 1e-9);
        // The assembly of the text again, at another angle of the crank.
        let side = usize::from(text == below);
        let turned = [("j4.phi", rocker_angles(2.5)[side] + 0.1), ("j1.phi", 2.5)];
        assert!((begins(&turned) - rocker_angles(2.5)[side]).abs() < 1e-9);
        let other_side = [("j4.phi", rocker_angles(2.5)[1 - side] - 0.1), ("j1.phi", 2.5)];
        assert!((begins(&other_side) - rocker_angles(2.5)[1 - side]).abs() < 1e-9);
    }
}

#[test]
fn a_crank_that_has_turned_often_is_at_the_place_of_its_angle() {
    let program = program(|m| four_bar(m, guesses(rocker_angles(0.9)[1]))).expect("sound");
    for turns in [1.0, -3.0, 1000.0] {
        for angle in [0.9, 2.0, -1.0] {
            let mut model = simulation_of(&program);
            model.set("j1.phi", angle + turns * std::f64::consts::TAU).expect("a start value");
            model.start(Some(TOLERANCE)).expect("it can be assembled");
            let rocker = value(&mut model, "j4.phi");
            assert!(turn(rocker - rocker_angles(angle)[1]).abs() < 1e-9, "{rocker}");
        }
    }
}

#[test]
fn lengths_that_are_set_keep_the_assembly() {
    let [above, below] = rocker_angles(0.9);
    for rocker in [above, below] {
        let program = program(|m| four_bar(m, guesses(rocker))).expect("the text is sound");
        let mut model = simulation_of(&program);
        for (name, length) in [("coupler.r[1]", 1.1), ("rocker.r[1]", 0.75), ("j1.phi", -2.0)] {
            model.set(name, length).expect("a parameter");
        }
        model.start(Some(TOLERANCE)).expect("it can be assembled");
        let crank_end = polar(0.3, -2.0);
        let pin = Point::new(0.9, 0.0) + polar(0.75, value(&mut model, "j4.phi"));
        assert!((length(pin - crank_end) - 1.1).abs() < 1e-9);
        let side = |pin: Point, end: Point| ((pin - 0.9) * (end - 0.9).conj()).im.signum();
        let before = Point::new(0.9, 0.0) + polar(0.6, rocker);
        let begin = side(before, polar(0.3, 0.9));
        assert_eq!(side(pin, crank_end), begin, "the rocker is on the same side of the diagonal");
    }
}

/// A slider-crank whose only guess is that of its slide.
fn slider_crank(m: &mut Assembly, phi: f64, s: f64) {
    add! { m,
        world: World::new().g(0),
        j1: Revolute::new().n(Y).phi(fixed(phi)).w(fixed(1)).states(Always),
        crank: BodyShape::new().r([0.2, 0.0, 0.0]).r_cm([0.1, 0.0, 0.0]).m(1).inertia([0.01; 3]),
        j2: Revolute::new().n(Y),
        rod: BodyShape::new().r([0.7, 0.0, 0.0]).r_cm([0.3, 0.0, 0.0]).m(1).inertia([0.1; 3]),
        j3: Revolute::new().n(Y),
        slide: Prismatic::new().n(X).s(guess(s)),
        piston: Body::new().r_cm([0; 3]).m(1).inertia([0.01; 3]),
    }
    m.chain((world.frame_b, j1, crank, j2, rod, j3.frame_a));
    m.chain((world.frame_b, slide, piston.frame_a));
    m.connect(slide.frame_b, j3.frame_b);
}

#[test]
fn the_only_guess_of_a_text_is_followed() {
    for k in 0..12 {
        let phi = -3.0 + 0.5 * f64::from(k);
        let rod = (0.49 - (0.2 * phi.sin()).powi(2)).sqrt();
        for s in [0.2 * phi.cos() + rod, 0.2 * phi.cos() - rod] {
            let mut model = start(|m| slider_crank(m, phi, 1.2 * s));
            let slide = value(&mut model, "slide.s");
            assert!((slide - s).abs() < 1e-9, "{slide} m instead of {s} m at {phi} rad");
        }
    }
}

#[test]
fn a_linkage_that_cannot_be_assembled_is_refused_by_build_and_instance() {
    let text = |m: &mut Assembly| four_bar(m, guesses(rocker_angles(0.9)[0]));
    let mut model = simulation_of(&program(text).expect("the text is sound"));
    model.set("coupler.r[1]", 2.5).expect("a parameter");
    let why = model.start(Some(TOLERANCE)).expect_err("a gap").to_string();
    assert!(why.contains("cannot be assembled") && why.contains("largest residual"), "{why}");
    let too_short = |m: &mut Assembly| slider_crank_with(m, 0.1);
    let why = refusal(too_short);
    assert!(why.contains("gap"), "{why}");
}

/// A slider-crank with a rod of this length, whose crank stands across the slide.
fn slider_crank_with(m: &mut Assembly, rod: f64) {
    add! { m,
        world: World::new().g(0),
        j1: Revolute::new().n(Y).phi(fixed(1.6)).w(fixed(1)).states(Always),
        crank: BodyShape::new().r([0.2, 0.0, 0.0]).r_cm([0.1, 0.0, 0.0]).m(1).inertia([0.01; 3]),
        j2: Revolute::new().n(Y),
        rod: BodyShape::new().r([rod, 0.0, 0.0]).r_cm([0.0; 3]).m(1).inertia([0.1; 3]),
        j3: Revolute::new().n(Y),
        slide: Prismatic::new().n(X),
        piston: Body::new().r_cm([0; 3]).m(1).inertia([0.01; 3]),
    }
    m.chain((world.frame_b, j1, crank, j2, rod, j3.frame_a));
    m.chain((world.frame_b, slide, piston.frame_a));
    m.connect(slide.frame_b, j3.frame_b);
}

/// A crank about x and a rocker about z, whose ends a rod joins; and a follower that the rocker
/// moves by a second rod.
struct SpatialLinkage {
    crank: f64,
    rockers: [f64; 2],
    rods: [f64; 2],
    /// Where the axes of the rockers are.
    places: [[f64; 3]; 2],
}

impl SpatialLinkage {
    /// The angles of the rockers for one of the crank, on the sides given; `None` beyond the dead
    /// points, with the smallest distance from them.
    fn rockers(&self, phi: f64, sides: [f64; 2]) -> (Option<[f64; 2]>, f64) {
        let (sin, cos) = phi.sin_cos();
        let mut end = [0.0, self.crank * cos, self.crank * sin];
        let (mut angles, mut least) = ([0.0; 2], 1.0_f64);
        for k in 0..2 {
            let d: Vec<f64> = end.iter().zip(self.places[k]).map(|(e, p)| e - p).collect();
            let (l, b) = (self.rods[k], self.rockers[k]);
            let square: f64 = d.iter().map(|d| d * d).sum();
            let (across, c) = (d[0].hypot(d[1]), (square + b * b - l * l) / (2.0 * b));
            least = least.min(1.0 - (c / across).powi(2));
            if least < 0.0 {
                return (None, least);
            }
            angles[k] = d[1].atan2(d[0]) + sides[k] * (c / across).acos();
            let [x, y, z] = self.places[k];
            end = [x + b * angles[k].cos(), y + b * angles[k].sin(), z];
        }
        (Some(angles), least)
    }

    fn text(&self, m: &mut Assembly, guesses: [f64; 2]) {
        let lump = || Body::new().m(1).r_cm([0; 3]).inertia([0.01; 3]);
        let world = m.add("world", World::new().g(0));
        let crank = Revolute::new().n(X).phi(fixed(0.3)).w(fixed(1)).states(Always);
        let j1 = m.add("j1", crank);
        let arm = m.add("arm", FixedTranslation::new().r([0.0, self.crank, 0.0]));
        let wheel = m.add("wheel", lump());
        m.chain((world.frame_b, j1, arm.frame_a));
        m.connect(arm.frame_b, wheel.frame_a);
        let mut end = arm.frame_b;
        for (k, phi) in guesses.into_iter().enumerate() {
            let base = m.add(format!("base{k}"), FixedTranslation::new().r(self.places[k]));
            let pivot = Revolute::new().n(Z).phi(guess(phi));
            let pivot = m.add(format!("rocker{k}"), pivot);
            let bar =
                m.add(format!("bar{k}"), FixedTranslation::new().r([self.rockers[k], 0.0, 0.0]));
            let rod = SphericalSpherical::new().rod_length(self.rods[k]);
            let rod = m.add(format!("rod{k}"), rod);
            let tip = m.add(format!("tip{k}"), lump());
            m.chain((world.frame_b, base, pivot, bar.frame_a));
            m.connect(bar.frame_b, tip.frame_a);
            m.connect(end, rod.frame_a);
            m.connect(rod.frame_b, bar.frame_b);
            end = bar.frame_b;
        }
    }
}

#[test]
fn spatial_linkages_are_assembled_as_in_their_text_too() {
    let mut random = Random(5);
    let (mut linkages, mut kept, mut refused) = (0, 0, 0);
    while linkages < 6 {
        let mut between = |low, high| random.between(low, high);
        let linkage = SpatialLinkage {
            crank: between(0.2, 0.5),
            rockers: [between(0.4, 0.8), between(0.4, 0.8)],
            rods: [between(0.6, 1.2), between(0.6, 1.2)],
            places: [
                [between(0.3, 0.8), between(-0.5, 0.5), between(-0.3, 0.3)],
                [between(-0.8, 0.8), between(-0.8, 0.8), between(-0.3, 0.3)],
            ],
        };
        let sides = [1.0, -1.0].map(|side| if random.chance(0.5) { side } else { -side });
        let (Some(start), 0.1..) = linkage.rockers(0.3, sides) else { continue };
        linkages += 1;
        let program = program(|m| linkage.text(m, start)).expect("the text is sound");
        for k in 0..24 {
            let phi = 0.3 + std::f64::consts::TAU * (f64::from(k) - 11.5) / 24.0;
            let at = |i: i32| 0.3 + (phi - 0.3) * f64::from(i) / 4000.0;
            let least = (0..=4000).map(|i| linkage.rockers(at(i), sides).1).fold(1.0, f64::min);
            if least.abs() < NEAR_DEAD_POINT {
                continue;
            }
            let mut model = simulation_of(&program);
            model.set("j1.phi", phi).expect("a start value");
            let started = model.start(Some(TOLERANCE));
            assert_eq!(started.is_ok(), least > 0.0, "{started:?} at {phi}, least {least}");
            let (Ok(()), (Some(angles), _)) = (started, linkage.rockers(phi, sides)) else {
                refused += 1;
                continue;
            };
            for (k, angle) in angles.into_iter().enumerate() {
                let found = value(&mut model, &format!("rocker{k}.phi"));
                assert!(turn(found - angle).abs() < 1e-9, "rocker {k}: {found} and {angle}");
            }
            kept += 1;
        }
    }
    assert!(kept > 100 && refused > 3, "{kept} kept, {refused} refused");
}

/// A four-bar whose crank follows a signal.
fn driven_four_bar(m: &mut Assembly, angle: f64, f_crit: Option<f64>) {
    use libraries::rotational::Position;
    let bar = |m: &mut Assembly, name: &str, length: f64| {
        let body = BodyShape::new().r([length, 0.0, 0.0]).r_cm([0.5 * length, 0.0, 0.0]);
        m.add(name, body.m(1).inertia([0.01, 0.1, 0.1]))
    };
    let world = m.add("world", World::new().g(0));
    let [j1, j2, j3, j4] = ["j1", "j2", "j3", "j4"].map(|name| m.add(name, Revolute::new().n(Z)));
    let (crank, coupler, rocker) =
        (bar(m, "crank", 0.3), bar(m, "coupler", 0.8), bar(m, "rocker", 0.6));
    let base = m.add("base", FixedTranslation::new().r([0.9, 0.0, 0.0]));
    let drive = Position::new().exact(f_crit.is_none());
    let drive = m.add("drive", f_crit.iter().fold(drive, |drive, &f| drive.f_crit(f)));
    let wanted = m.add("wanted", ExternalInput::new().unit("rad").start(angle));
    m.chain((world.frame_b, j1, crank, j2, coupler, j3.frame_a));
    m.chain((world.frame_b, base, j4, rocker, j3.frame_b));
    m.connect(wanted.y, drive.phi_ref);
    m.connect(drive.flange, j1.axis);
}

#[test]
fn a_signal_that_moves_a_joint_leads_the_loop_from_where_the_text_was_closed() {
    for f_crit in [None, Some(5.0)] {
        let program = program(|m| driven_four_bar(m, 1.0, f_crit)).expect("the text is sound");
        let mut rockers = Vec::new();
        for k in 0..40 {
            let mut model = simulation_of(&program);
            let angle = 0.15 * f64::from(k);
            model.set("wanted", angle).expect("an input");
            model.start(Some(TOLERANCE)).unwrap_or_else(|why| panic!("{why} at {angle}"));
            assert!((value(&mut model, "j1.phi") - angle).abs() < 1e-9);
            let rocker = value(&mut model, "j4.phi");
            let nearest = rocker_angles(angle).map(|wanted| turn(wanted - rocker).abs());
            assert!(nearest[0].min(nearest[1]) < 1e-9, "{rocker}");
            rockers.push(rocker);
        }
        let jumps = rockers.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        assert!(jumps.fold(0.0, f64::max) < 0.3, "{rockers:?}");
    }
}

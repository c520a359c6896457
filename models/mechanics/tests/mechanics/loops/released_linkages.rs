//! Random planar linkages that are released at rest move on wherever they get, with their energy.

use crate::common::cores::on_all_cores;
use crate::common::linkages::bar;
use crate::common::{Random, energy, program, seeds, simulation_of, value};
use equations::Program;
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;

/// Points of the plane as complex numbers.
type Point = nalgebra::Complex<f64>;

fn polar(length: f64, angle: f64) -> Point {
    Point::new(length * angle.cos(), length * angle.sin())
}

fn length(point: Point) -> f64 {
    point.re.hypot(point.im)
}

fn angle(point: Point) -> f64 {
    point.im.atan2(point.re)
}

/// The sine of the angle between two directions.
fn sine(a: Point, b: Point) -> f64 {
    (a.conj() * b).im / (length(a) * length(b))
}

/// A rigid part as it is released; the first part is the ground.
#[derive(Clone, Debug)]
struct Part {
    /// The origin of its frame.
    origin: Point,
    /// The direction of the x-axis of its frame, in rad.
    angle: f64,
    /// The ends of its bars, which begin in the origin.
    ends: Vec<Point>,
}

/// A joint between two parts as it is released.
#[derive(Clone, Copy, Debug)]
enum Joint {
    /// The parts turn about this point.
    Turns([usize; 2], Point),
    /// A point of the second part slides in a direction from a point of the first one.
    Slides([usize; 2], [Point; 2]),
}

/// The place of a bar at a part: its number, and a point of it.
type Place = (usize, Point);

/// A linkage under construction: its joints are placed first, and the lengths follow.
#[derive(Clone, Debug)]
struct Linkage {
    random: Random,
    parts: Vec<Part>,
    joints: Vec<Joint>,
}

/// How near special lengths are to those with which linkages change their branch.
const NEARLY: f64 = 1e-3;

impl Linkage {
    fn new(seed: u64) -> Linkage {
        let mut random = Random(seed);
        // The first numbers of neighbouring seeds are alike.
        for _ in 0..8 {
            random.bits();
        }
        let ground = Part { origin: Point::new(0.0, 0.0), angle: 0.0, ends: Vec::new() };
        Linkage { random, parts: vec![ground], joints: Vec::new() }
    }

    fn point(&mut self) -> Point {
        Point::new(self.random.number(), self.random.number())
    }

    /// A point at a distance from others.
    fn apart(&mut self, others: &[Point]) -> Point {
        loop {
            let point = self.point();
            if others.iter().all(|&other| length(point - other) > 0.2) {
                return point;
            }
        }
    }

    /// A bar from a place to a point.
    fn bar(&mut self, from: Place, end: Point) -> usize {
        let (part, origin) = self.on(from);
        self.parts.push(Part { origin, angle: angle(end - origin), ends: vec![end] });
        let bar = self.parts.len() - 1;
        self.joints.push(Joint::Turns([part, bar], origin));
        bar
    }

    /// A place, whose part reaches to it.
    fn on(&mut self, (part, point): Place) -> Place {
        let Part { origin, ends, .. } = &mut self.parts[part];
        if ![&[*origin], &ends[..]].concat().contains(&point) {
            ends.push(point);
        }
        (part, point)
    }

    /// A crank on the ground.
    fn crank(&mut self, pivot: Point) -> Place {
        let end = self.apart(&[pivot]);
        (self.bar((0, pivot), end), end)
    }

    /// Two bars from two places to the same point.
    fn dyad(&mut self, [a, b]: [Place; 2], end: Point) -> [usize; 2] {
        let bars = [self.bar(a, end), self.bar(b, end)];
        self.joints.push(Joint::Turns(bars, end));
        bars
    }

    /// A bar from a place to a slider on a part.
    fn bar_with_slider(
        &mut self,
        from: Place,
        on: usize,
        slider: Point,
        along: Point,
    ) -> [usize; 2] {
        let bar = self.bar(from, slider);
        let part = Part { origin: slider, angle: self.parts[on].angle, ends: Vec::new() };
        self.parts.push(part);
        let block = self.parts.len() - 1;
        self.joints.push(Joint::Turns([bar, block], slider));
        let (_, foot) = self.on((on, slider - along));
        self.joints.push(Joint::Slides([on, block], [foot, slider]));
        [bar, block]
    }

    /// A bar from a place, which slides in a block that turns on another place.
    fn bar_in_block(&mut self, from: Place, block: Place, along: Point) -> [usize; 2] {
        let bar = self.bar(from, block.1 - along);
        let (part, origin) = self.on(block);
        self.parts.push(Part { origin, angle: self.parts[bar].angle, ends: Vec::new() });
        let block = self.parts.len() - 1;
        self.joints.push(Joint::Turns([part, block], origin));
        self.joints.push(Joint::Slides([bar, block], [origin - along, origin]));
        [bar, block]
    }

    /// A random place on a part.
    fn place(&mut self, part: usize) -> Place {
        let origin = self.parts[part].origin;
        (part, self.apart(&[origin]))
    }

    /// Joins two places by two bars, or by a bar and a slider.
    fn join(&mut self, a: Place, b: Place) -> [usize; 2] {
        match self.random.below(3) {
            0 => loop {
                let end = self.apart(&[a.1, b.1]);
                if sine(end - a.1, end - b.1).abs() > 0.2 {
                    return self.dyad([a, b], end);
                }
            },
            1 => loop {
                let (slider, along) = (self.apart(&[a.1]), self.apart(&[Point::new(0.0, 0.0)]));
                // The bar's end slides along: the bar must not be perpendicular to this.
                let across = along * Point::new(0.0, 1.0);
                if sine(slider - a.1, across).abs() > 0.2 {
                    return self.bar_with_slider(a, b.0, slider, along);
                }
            },
            _ => loop {
                let foot = self.apart(&[a.1, b.1]);
                // The block is not on the perpendicular of the bar in its pivot.
                let across = (b.1 - foot) * Point::new(0.0, 1.0);
                let straight = self.random.chance(0.5);
                let along = if straight { 0.7 * (b.1 - a.1) } else { b.1 - foot };
                if straight || sine(b.1 - a.1, across).abs() > 0.2 {
                    return self.bar_in_block(a, b, along);
                }
            },
        }
    }

    /// Joins random places of two parts.
    fn join_parts(&mut self, a: usize, b: usize) -> [usize; 2] {
        loop {
            let (a, b) = (self.place(a), self.place(b));
            if length(a.1 - b.1) > 0.2 {
                return self.join(a, b);
            }
        }
    }

    /// Joins a random part that moves, which is among the last ones, to another one.
    fn extend(&mut self) {
        let count = self.parts.len();
        let a = count - 1 - self.random.below(2);
        let b = loop {
            let b = self.random.below(count);
            if b != a {
                break b;
            }
        };
        self.join_parts(a, b);
    }

    fn ground(&mut self, from: Point) -> Place {
        (0, self.apart(&[from, Point::new(0.0, 0.0)]))
    }

    fn four_bar(&mut self) {
        let crank = self.crank(Point::new(0.0, 0.0));
        let ground = self.ground(crank.1);
        let end = loop {
            let end = self.apart(&[crank.1, ground.1]);
            if sine(end - crank.1, end - ground.1).abs() > 0.2 {
                break end;
            }
        };
        self.dyad([crank, ground], end);
    }

    /// A four-bar whose opposite sides, or whose neighbouring sides, are nearly equal, or whose
    /// sides can nearly lie on one line.
    fn special_four_bar(&mut self) {
        let crank = self.crank(Point::new(0.0, 0.0));
        let (ground, end) = loop {
            let ground = self.ground(crank.1);
            let end = self.special_end(crank.1, ground.1);
            // It does not start where all bars are on one line.
            let bars = [crank.1, end - crank.1, end - ground.1, ground.1];
            let turned = |k: usize| sine(bars[k], bars[(k + 1) % 4]).abs();
            if (0..4).any(|k| turned(k) > 0.02) {
                break (ground, end);
            }
        };
        self.dyad([crank, ground], end);
    }

    /// Where the coupler of such a four-bar meets its rocker, with the end `a` of the crank and the
    /// pivot `g` of the rocker.
    fn special_end(&mut self, a: Point, g: Point) -> Point {
        let nearly = NEARLY * self.random.sign() * self.random.size(1e-2, 1.0);
        let reflected = |point: Point, line: Point| {
            (line.conj() * point).conj() * line / line.norm_sqr() * (1.0 + nearly)
        };
        match self.random.below(4) {
            // A parallelogram and an antiparallelogram.
            0 => a + g * (1.0 + nearly),
            1 => {
                let middle = g / 2.0;
                let line = g * Point::new(0.0, 1.0);
                middle + reflected(a - middle, line)
            }
            // A kite.
            2 => a + reflected(-a, g - a),
            _ => {
                // The bars are on one line where the coupler is longer than the rocker by this.
                let gap = self.random.sign() * (length(g) - length(a)) + nearly;
                let d = length(g - a);
                if gap.abs() > 0.9 * d {
                    return a + reflected(-a, g - a);
                }
                // The end is on a hyperbola about `a` and `g`.
                let (half, focus) = (gap / 2.0, d / 2.0);
                let t = self.random.sign() * self.random.between(0.5, 1.2);
                let x = half * t.cosh();
                let y = (focus * focus - half * half).sqrt() * t.sinh();
                (a + g) / 2.0 + (g - a) / d * Point::new(x, y)
            }
        }
    }

    fn five_bar(&mut self) {
        let left = self.crank(Point::new(0.0, 0.0));
        let right = loop {
            let pivot = self.ground(left.1).1;
            let end = self.apart(&[pivot, left.1]);
            if length(pivot) > 0.2 {
                break (self.bar((0, pivot), end), end);
            }
        };
        let end = loop {
            let end = self.apart(&[left.1, right.1]);
            if sine(end - left.1, end - right.1).abs() > 0.2 {
                break end;
            }
        };
        self.dyad([left, right], end);
    }

    fn slider(&mut self) {
        let crank = self.crank(Point::new(0.0, 0.0));
        match self.random.below(3) {
            // The slider is on a line through the pivot, and rod and crank are nearly equal.
            0 => {
                let along = polar(1.0, self.random.between(-3.0, 3.0));
                let nearly = 1.0 + NEARLY * self.random.number();
                let slider = 2.0 * (along.conj() * crank.1).re * along * nearly;
                if length(slider) > 0.3 && length(slider - crank.1) > 0.1 {
                    self.bar_with_slider(crank, 0, slider, 0.5 * along);
                } else {
                    let ground = self.ground(crank.1);
                    self.join(crank, ground);
                }
            }
            // The block's pivot is nearly as far as the crank's end.
            1 => {
                let nearly = 1.0 + NEARLY * self.random.number();
                let turned = self.random.sign() * self.random.between(0.5, 2.5);
                let block = crank.1 * polar(nearly, turned);
                self.bar_in_block(crank, (0, block), 0.7 * (block - crank.1));
            }
            _ => {
                let ground = self.ground(crank.1);
                self.join(crank, ground);
            }
        }
    }

    /// The linkage of a seed, and the name of its kind.
    fn of(seed: u64) -> (&'static str, Linkage) {
        let mut linkage = Linkage::new(seed);
        let kind = match seed % 8 {
            0 => {
                linkage.four_bar();
                "four-bar"
            }
            1 | 2 => {
                linkage.special_four_bar();
                "special four-bar"
            }
            3 => {
                linkage.slider();
                "slider"
            }
            4 => {
                linkage.five_bar();
                "five-bar"
            }
            5 => {
                linkage.four_bar();
                linkage.extend();
                "six-bar"
            }
            6 => {
                linkage.slider();
                linkage.extend();
                "six-bar with sliders"
            }
            _ => {
                if linkage.random.chance(0.5) {
                    linkage.four_bar();
                } else {
                    linkage.five_bar();
                }
                linkage.extend();
                linkage.extend();
                "eight-bar"
            }
        };
        (kind, linkage)
    }

    /// Whether a joint is the first one of a degree of freedom.
    fn drives(&self, joint: usize) -> bool {
        let Joint::Turns([0, crank], _) = self.joints[joint] else { return false };
        crank == 1 || crank == 2 && joint == 1 && matches!(self.joints[2], Joint::Turns([1, 3], _))
    }

    /// Its text; the states may be those at the start.
    fn text(&self, m: &mut Assembly, states: Option<StateSelect>) {
        let mut random = self.random.clone();
        let world = m.add("world", World::new());
        let frames: Vec<Vec<Frame>> = (0..self.parts.len())
            .map(|k| self.part_text(m, (k, world.frame_b), &mut random))
            .collect();
        let frame_at = |part: usize, point: Point| {
            let Part { origin, ends, .. } = &self.parts[part];
            let end = ends.iter().position(|&end| end == point);
            assert!(end.is_some() || *origin == point, "a point of the part");
            frames[part][end.map_or(0, |end| end + 1)]
        };
        for (k, joint) in self.joints.iter().enumerate() {
            let name = joint_name(k);
            let (own, ends) = match *joint {
                Joint::Turns([a, b], point) => {
                    let mut ends = [frame_at(a, point), frame_at(b, point)];
                    let mut phi = turn(self.parts[b].angle - self.parts[a].angle);
                    if !self.drives(k) && random.chance(0.3) {
                        (ends, phi) = ([ends[1], ends[0]], -phi);
                    }
                    let revolute = Revolute::new().n(Z);
                    let revolute = match (self.drives(k), states) {
                        (true, None) => revolute.phi(fixed(phi)).w(fixed(0.0)),
                        (true, Some(s)) => revolute.phi(fixed(phi)).w(fixed(0.0)).states(s),
                        (false, _) => revolute.phi(guess(phi)),
                    };
                    let joint = m.add(name, revolute);
                    ([joint.frame_a, joint.frame_b], ends)
                }
                Joint::Slides([a, b], [from, to]) => {
                    let along = (to - from) * polar(1.0, -self.parts[a].angle);
                    let s = length(along);
                    let n = [along.re / s, along.im / s, 0.0];
                    let joint = m.add(name, Prismatic::new().n(n).s(guess(s)));
                    ([joint.frame_a, joint.frame_b], [frame_at(a, from), frame_at(b, to)])
                }
            };
            m.connect(ends[0], own[0]);
            m.connect(own[1], ends[1]);
        }
    }

    /// The frames of a part: first the frame of the origin, and then the frames of the bars' ends.
    fn part_text(
        &self,
        m: &mut Assembly,
        (k, world): (usize, Frame),
        random: &mut Random,
    ) -> Vec<Frame> {
        let Part { origin, angle, ends } = &self.parts[k];
        let mut frames = Vec::new();
        if k == 0 {
            frames.push(world);
        } else {
            let lump = Body::new().m(random.between(0.1, 1.0)).r_cm([0.0; 3]);
            let lump = m.add(format!("lump{k}"), lump.inertia([random.between(0.001, 0.02); 3]));
            frames.push(lump.frame_a);
        }
        for (i, &end) in ends.iter().enumerate() {
            let r = (end - origin) * polar(1.0, -angle);
            let r = [r.re, r.im, 0.0];
            let name = format!("bar{k}_{i}");
            let [a, b] = if k == 0 {
                let bar = m.add(name, FixedTranslation::new().r(r));
                [bar.frame_a, bar.frame_b]
            } else {
                let bar = m.add(name, bar(r, random.between(0.5, 3.0)));
                [bar.frame_a, bar.frame_b]
            };
            m.connect(frames[0], a);
            frames.push(b);
        }
        frames
    }

    /// The coordinates of its joints.
    fn coordinates(&self) -> Vec<String> {
        let name = |(k, joint): (usize, &Joint)| match joint {
            Joint::Turns(..) => format!("{}.phi", joint_name(k)),
            Joint::Slides(..) => format!("{}.s", joint_name(k)),
        };
        self.joints.iter().enumerate().map(name).collect()
    }
}

fn joint_name(k: usize) -> String {
    format!("j{}", k + 1)
}

/// The same angle between -pi and pi.
fn turn(angle: f64) -> f64 {
    angle.sin().atan2(angle.cos())
}

/// How a program is built.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// The build chooses the states.
    Chosen,
    /// All loops are free.
    Free,
    /// The coordinates of cranks are states.
    Cranks,
}

impl Linkage {
    fn simulation(&self, form: Form, tolerance: f64) -> Result<(Program, Simulation), String> {
        let program = program(|m| {
            self.text(m, (form == Form::Cranks).then_some(Always));
            m.free_loops(form == Form::Free);
        })?;
        let mut model = simulation_of(&program);
        model.start(Some(tolerance)).map_err(|why| why.to_string())?;
        Ok((program, model))
    }

    /// The coordinates after every 0.1 s, which are each reached in some steps, and why they end
    /// before two seconds.
    fn motion(&self, form: Form, steps: usize) -> Result<(Vec<Vec<f64>>, Option<String>), String> {
        let (_, mut model) = self.simulation(form, 1e-10)?;
        let (names, mut all) = (self.coordinates(), Vec::new());
        for k in 1..=20 * steps {
            if let Err(why) = model.run_to(0.1 / steps as f64 * k as f64) {
                return Ok((all, Some(why.to_string())));
            }
            if k % steps == 0 {
                all.push(names.iter().map(|name| value(&mut model, name)).collect());
            }
        }
        Ok((all, None))
    }

    /// Asserts that the linkage never stops, keeps its energy, and has the same motion in other
    /// forms.
    fn moves_as_it_must(&self, special: bool) -> Result<Choice, String> {
        let (program, mut model) = self.simulation(Form::Chosen, 1e-8)?;
        let (first, mut largest, mut drift) = (energy(&mut model), 0_f64, 0_f64);
        for k in 1..=200 {
            model.run_to(0.05 * f64::from(k)).map_err(|why| why.to_string())?;
            largest = largest.max(value(&mut model, "energy.kinetic"));
            drift = drift.max((energy(&mut model) - first).abs());
            let gap = value(&mut model, "loops.residual");
            if gap > 1e-12 {
                return Err(format!("a gap of {gap:e}"));
            }
        }
        // Next to change points, directions turn within fractions of a milliradian.
        if drift > if special { 1e-4 } else { 1e-6 } * largest {
            return Err(format!("energy drifts by {:e}", drift / largest));
        }
        let (own, stop) = self.motion(Form::Chosen, 1)?;
        stop.map_or(Ok(()), Err)?;
        let forms = [(Form::Chosen, 10), (Form::Free, 1), (Form::Cranks, 1)];
        for (k, (form, steps)) in forms.into_iter().enumerate() {
            let (other, stop) = self.motion(form, steps)?;
            if let (Some(why), true) = (stop, form != Form::Cranks) {
                return Err(format!("form {k} stops: {why}"));
            }
            let pairs = own.iter().flatten().zip(other.iter().flatten());
            let difference = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if difference > 1e-6 {
                return Err(format!("form {k} moves differently by {difference:e}"));
            }
        }
        let notes = |text: &str| program.notes().iter().any(|note| note.contains(text));
        Ok(match () {
            () if notes("all coordinates of the loop are states") => Choice::Free,
            () if notes("is the independent coordinate of the loop and not") => Choice::Exchanged,
            () => Choice::Kept,
        })
    }
}

/// Which states the build chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    Kept,
    Exchanged,
    Free,
}

#[test]
fn linkages_that_are_released_never_stop() {
    let seeds = seeds(&(0..20).collect::<Vec<u64>>());
    let all = on_all_cores(&seeds, |seed| {
        let (kind, linkage) = Linkage::of(seed);
        let choice = linkage.moves_as_it_must(kind.starts_with("special"));
        choice.map_err(|why| format!("{seed}, {kind}: {why}"))
    });
    let faults: Vec<&String> = all.iter().filter_map(|one| one.as_ref().err()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    let counts = [Choice::Kept, Choice::Exchanged, Choice::Free]
        .map(|choice| all.iter().filter(|&one| one == &Ok(choice)).count());
    assert!(counts.iter().all(|&count| count > 0), "kept, exchanged, free: {counts:?}");
}

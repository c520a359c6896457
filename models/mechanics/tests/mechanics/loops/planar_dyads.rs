//! Planar loops of ordinary joints are solved in closed form, and move as they do with Newton's
//! method.

use crate::common::linkages::{
    Closing, assert_closed, assert_same, at, attach, coupler_angle, lump,
};
use crate::common::{Random, initialize, program, simulation_of, step};
use equations::{Ex, Program, emit};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational::{self, Inertia};
use models::engine_v6;
use std::f64::consts::{FRAC_PI_4, PI};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Turn,
    Slide,
}

use Kind::{Slide, Turn};

/// The angles in rad by which two locked joints turn each body of a linkage out of the plane and
/// back.
#[derive(Clone, Copy, Debug)]
struct Tilt(Option<[Ex; 2]>);

impl Tilt {
    /// The bodies have no such joints.
    fn none(_: &mut Assembly) -> Tilt {
        Tilt(None)
    }

    /// The axes of the other joints are parallel only for these values of two parameters: the loop
    /// is then solved by Newton's method.
    fn parameters(m: &mut Assembly) -> Tilt {
        Tilt(Some([("out", 0.7), ("back", -0.7)].map(|(name, angle)| angle_of(m, name, angle))))
    }

    /// The axes of the other joints are parallel for each value of one parameter.
    fn parameter(m: &mut Assembly) -> Tilt {
        let angle = angle_of(m, "out", 0.7);
        Tilt(Some([angle, -angle]))
    }

    /// Turns a frame about the axis `n`.
    fn apply(self, m: &mut Assembly, name: &str, n: [f64; 3], frame: Frame) -> Frame {
        let turn = |frame: Frame, (k, angle): (usize, Ex)| {
            let joint = m.add(format!("{name}_turn{k}"), Revolute::new().n(n));
            let fixed = m.add(format!("{name}_fixed{k}"), rotational::Fixed::new().phi0(angle));
            m.connect(frame, joint.frame_a);
            m.connect(fixed.flange, joint.axis);
            joint.frame_b
        };
        self.0.into_iter().flatten().enumerate().fold(frame, turn)
    }
}

fn angle_of(m: &mut Assembly, name: &str, angle: f64) -> Ex {
    m.parameter(name, angle, "rad", "Angle of a rotation out of the plane")
}

/// A loop of four joints in a plane; joint `k` leads from body `k - 1` to body `k`, and the last
/// body is the ground.
#[derive(Clone, Copy, Debug)]
struct Loop {
    kinds: [Kind; 4],
    /// The joint whose coordinate is a state.
    crank: usize,
    /// The joint that is added last, and closes the loop.
    cut: usize,
    seed: u64,
}

/// The directions of planes: the normal, and two unit vectors. In a plane across two axes, vectors
/// would leave the plane with each of their components that is set.
const PLANES: [[[f64; 3]; 3]; 2] = [[Z, X, Y], [X, Y, Z]];

/// Where the bodies and joints of a loop are at the start.
struct Layout {
    plane: [[f64; 3]; 3],
    /// Places of the joints on the bodies behind them in m.
    points: [[f64; 2]; 4],
    /// Angles of the bodies in rad.
    angles: [f64; 4],
    /// Distances of prismatic joints in m, and angles of their axes in rad.
    slides: [[f64; 2]; 4],
    /// Whether `frame_b` of a joint is on the body before it.
    flipped: [bool; 4],
    /// Whether the axis of a joint has the opposite direction.
    opposite: [bool; 4],
}

impl Layout {
    fn of(case: Loop) -> (Layout, Random) {
        let mut random = Random(case.seed);
        let corners = [[0.0, 0.0], [0.0, 1.0], [1.2, 1.1], [1.1, 0.0]];
        let points = corners.map(|point| point.map(|c| c + 0.2 * random.number()));
        let mut angles: [f64; 4] = random.array();
        let slides = random.array::<4>().map(|r| [0.4 + 0.2 * r, FRAC_PI_4 + 0.3 * r]);
        angles[3] = 0.0;
        // A prismatic joint does not turn the body behind it; the first joint is a revolute one.
        for k in (1..4).rev().filter(|&k| case.kinds[k] == Slide) {
            angles[k - 1] = angles[k];
        }
        let flipped = [(); 4].map(|()| random.chance(0.5));
        let plane = random.of(&PLANES);
        let opposite = [(); 4].map(|()| random.chance(0.5));
        (Layout { plane, points, angles, slides, flipped, opposite }, random)
    }

    /// A vector in the plane, resolved in a body.
    fn on_body(&self, body: usize, [x, y]: [f64; 2]) -> [f64; 3] {
        let (s, c) = self.angles[body].sin_cos();
        let (x, y) = (c * x + s * y, c * y - s * x);
        std::array::from_fn(|k| x * self.plane[1][k] + y * self.plane[2][k])
    }

    /// The axis of a prismatic joint.
    fn axis(&self, k: usize) -> [f64; 2] {
        let (s, c) = self.slides[k][1].sin_cos();
        [c, s]
    }

    /// The place of a joint on the body before it.
    fn before(&self, case: Loop, k: usize) -> [f64; 2] {
        let (point, axis) = (self.points[k], self.axis(k));
        match case.kinds[k] {
            Turn => point,
            Slide => std::array::from_fn(|i| point[i] - self.slides[k][0] * axis[i]),
        }
    }
}

/// Builds a loop, and gives the frames at the ends of its bodies.
fn build(m: &mut Assembly, case: Loop, tilt: Tilt) -> ([[Frame; 2]; 4], Random) {
    let (layout, mut random) = Layout::of(case);
    let [normal, along, _] = layout.plane;
    let world = m.add("world", World::new().n(normal));
    let ends: [[Frame; 2]; 4] = std::array::from_fn(|k| {
        let (near, far) = (layout.points[k], layout.before(case, (k + 1) % 4));
        let mut begin = world.frame_b;
        if k == 3 {
            begin = at(m, "ground", begin, layout.on_body(3, near));
        }
        let r = layout.on_body(k, [far[0] - near[0], far[1] - near[1]]);
        let rod = m.add(format!("rod{k}"), FixedTranslation::new().r(r));
        if k == 3 {
            m.connect(begin, rod.frame_a);
        } else {
            attach(m, format!("lump{k}"), rod.frame_a, lump(0.5));
        }
        [rod.frame_a, tilt.apply(m, &format!("rod{k}"), along, rod.frame_b)]
    });
    let order = (0..4).filter(|&k| k != case.cut).chain([case.cut]);
    for k in order {
        let pair = [ends[(k + 3) % 4][1], ends[k][0]];
        joint(m, case, &layout, k, pair, 0.1 * random.number());
    }
    (ends, random)
}

/// Joint `k` between two frames, with a guess that is `rough` away.
fn joint(m: &mut Assembly, case: Loop, layout: &Layout, k: usize, pair: [Frame; 2], rough: f64) {
    let sense = if layout.opposite[k] { -1.0 } else { 1.0 };
    let q = if layout.flipped[k] { -sense } else { sense }
        * match case.kinds[k] {
            Turn => layout.angles[k] - layout.angles[(k + 3) % 4],
            Slide => layout.slides[k][0],
        };
    let name = format!("j{k}");
    let [a, b] = match case.kinds[k] {
        Turn => {
            let joint = Revolute::new().n(layout.plane[0].map(|c| sense * c));
            let joint = match k {
                _ if k == case.crank => joint.phi(fixed(q)).w(fixed(0.8)).states(Always),
                _ if k == case.cut => joint,
                _ => joint.phi(guess(q + rough)),
            };
            let joint = m.add(name, joint);
            [joint.frame_a, joint.frame_b]
        }
        Slide => {
            let n = layout.on_body(k, layout.axis(k)).map(|c| sense * c);
            let joint = Prismatic::new().n(n);
            let joint = match k {
                _ if k == case.crank => joint.s(fixed(q)).v(fixed(0.5)).states(Always),
                _ if k == case.cut => joint,
                _ => joint.s(guess(q + rough)),
            };
            let joint = m.add(name, joint);
            [joint.frame_a, joint.frame_b]
        }
    };
    let [before, behind] = if layout.flipped[k] { [b, a] } else { [a, b] };
    m.connect(pair[0], before);
    m.connect(behind, pair[1]);
}

fn variables(case: Loop) -> Vec<String> {
    let name = |(k, kind): (usize, &Kind)| match kind {
        Turn => [format!("j{k}.phi"), format!("j{k}.w"), format!("j{k}.a")],
        Slide => [format!("j{k}.s"), format!("j{k}.v"), format!("j{k}.a")],
    };
    case.kinds.iter().enumerate().flat_map(name).collect()
}

/// The programs in closed form and with Newton's method move alike, where `loops` loops are solved.
fn assert_alike(programs: [Program; 2], loops: usize, names: &[String], what: &str) {
    let [direct, searched] = programs.each_ref().map(|program| program.closed_forms().len());
    assert_eq!((direct, searched), (loops, 0), "{what}");
    let [mut direct, mut searched] = programs.each_ref().map(simulation_of);
    initialize(&mut direct);
    initialize(&mut searched);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for _ in 0..4 {
        step(&mut direct, 0.1);
        step(&mut searched, 0.1);
        assert_same(&mut direct, &mut searched, &names, 1e-10);
    }
}

/// The programs in closed form and with Newton's method.
fn both(build: impl Fn(&mut Assembly, Tilt)) -> [Program; 2] {
    [Tilt::none, Tilt::parameters].map(|tilt| tilted(&build, tilt))
}

fn tilted(build: impl Fn(&mut Assembly, Tilt), tilt: fn(&mut Assembly) -> Tilt) -> Program {
    let text = |m: &mut Assembly| {
        let tilt = tilt(m);
        build(m, tilt);
    };
    program(text).expect("the model is sound")
}

#[test]
fn a_planar_loop_moves_alike_in_closed_form_whatever_its_crank_and_wherever_it_is_cut() {
    let mut seed = 1;
    for kinds in [[Turn; 4], [Turn, Turn, Turn, Slide], [Turn, Slide, Turn, Turn]] {
        for crank in 0..4 {
            for cut in (0..4).filter(|&cut| cut != crank) {
                seed += 1;
                let case = Loop { kinds, crank, cut, seed };
                let programs = both(|m, tilt| _ = build(m, case, tilt));
                assert_alike(programs, 1, &variables(case), &format!("{case:?}"));
            }
        }
    }
}

#[test]
fn an_engine_whose_initial_values_depend_on_its_loops_starts_in_closed_form() {
    let program = program(engine_v6::model).expect("the model is sound");
    assert_eq!(program.closed_forms().len(), 6);
    let mut model = simulation_of(&program);
    initialize(&mut model);
    step(&mut model, 0.01);
    assert_closed(&mut model);
}

/// The emitted code of the derivatives and of the other values, as far as they depend on positions.
fn code_of_positions(text: impl FnOnce(&mut Assembly)) -> [String; 2] {
    let text = emit(&program(text).expect("the model is sound"));
    let definition = |name: &str| {
        ["fn", "mod"].iter().find_map(|kind| text.find(&format!("\n{kind} {name}_position_0")))
    };
    let [derivatives, others] =
        ["advance", "report"].map(|name| definition(name).expect("there are positions"));
    [&text[derivatives..others], &text[others..]].map(str::to_owned)
}

#[test]
fn derivatives_do_not_contain_the_angles_of_a_loop_in_closed_form() {
    for kinds in [[Turn; 4], [Turn, Turn, Turn, Slide]] {
        let case = Loop { kinds, crank: 0, cut: 2, seed: 5 };
        let [derivatives, others] = code_of_positions(|m| _ = build(m, case, Tilt(None)));
        assert!(derivatives.contains(".sqrt()") && !derivatives.contains(".atan2("), "{case:?}");
        assert!(others.contains(".atan2("), "the angles are published: {case:?}");
    }
}

#[test]
fn axes_that_are_parallel_for_all_parameters_are_recognised() {
    let case = Loop { kinds: [Turn; 4], crank: 0, cut: 2, seed: 5 };
    let program = tilted(|m, tilt| _ = build(m, case, tilt), Tilt::parameter);
    assert_eq!(program.closed_forms().len(), 1);
}

#[test]
fn a_loop_in_closed_form_follows_its_lengths() {
    let case = Loop { kinds: [Turn; 4], crank: 0, cut: 2, seed: 7 };
    let layout = Layout::of(case).0;
    let [near, far] = [1, 2].map(|k| layout.points[k]);
    let r = layout.on_body(1, [far[0] - near[0], far[1] - near[1]]);
    let programs = both(|m, tilt| _ = build(m, case, tilt));
    let mut models = programs.each_ref().map(simulation_of);
    for model in &mut models {
        for (k, r) in r.iter().enumerate().filter(|(_, r)| **r != 0.0) {
            model.set(&format!("rod1.r[{}]", k + 1), 1.1 * r).expect("a length can be set");
        }
        initialize(model);
        step(model, 0.3);
    }
    let [one, other] = &mut models;
    assert_same(one, other, &["j0.phi", "j1.phi", "j2.phi", "j3.phi", "j3.a"], 1e-10);
}

/// A dyad of two bars from the second body of a loop to the ground; `side`, 1 or -1, is that of
/// their joint.
fn six_bars(m: &mut Assembly, case: Loop, tilt: Tilt, closing: Closing, side: f64) {
    let (ends, _) = build(m, case, tilt);
    let layout = Layout::of(case).0;
    let [normal, along, _] = layout.plane;
    let [from, to] = [layout.points[2], layout.points[0]];
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    let length = 1.5;
    let (direction, half) = (y.atan2(x), side * (x.hypot(y) / 2.0 / length).acos());
    let angles = [direction + half - layout.angles[1], direction + PI - half];
    let far = [(4, 1), (5, 3)].map(|(k, body)| {
        let pin = Revolute::new().n(normal).phi(guess(angles[k - 4] + 0.05));
        let pin = m.add(format!("j{k}"), pin);
        m.connect(ends[body][1], pin.frame_a);
        attach(m, format!("lump{k}"), pin.frame_b, lump(0.3));
        let begin = tilt.apply(m, &format!("j{k}"), along, pin.frame_b);
        at(m, format!("rod{k}"), begin, along.map(|c| c * length))
    });
    closing.close(m, "j6", normal, far);
}

#[test]
fn a_dyad_on_a_planar_loop_moves_alike_in_closed_form_on_either_side() {
    let sides =
        [Closing::Revolute, Closing::Planar].map(|closing| [1.0, -1.0].map(|s| (closing, s)));
    for (closing, side) in sides.concat() {
        for (seed, cut) in [(101, 1), (102, 2), (103, 3)] {
            let case = Loop { kinds: [Turn; 4], crank: 0, cut, seed };
            let programs = both(|m, tilt| six_bars(m, case, tilt, closing, side));
            let names = ["j0.phi", "j2.phi", "j4.phi", "j4.w", "j5.phi", "j5.a"];
            assert_alike(programs, 2, &names.map(String::from), &format!("{case:?}, {side}"));
        }
    }
}

/// What turns the joint that closes a four-bar.
#[derive(Clone, Copy, Debug)]
enum Drive {
    /// A flywheel.
    Flywheel,
    /// A prescribed angle that swings.
    Swing,
    /// A prescribed angle that jumps.
    Jump,
}

/// A four-bar whose closing joint is driven; the other three joints follow.
fn driven_where_it_closes(m: &mut Assembly, tilt: Tilt, drive: Drive) {
    let world = m.add("world", World::new().n(Z));
    let ground = at(m, "ground", world.frame_b, [1.0, 0.0, 0.0]);
    let coupler = 1.0 + coupler_angle();
    let tip = [0.3 * 1_f64.cos() + 0.9 * coupler.cos(), 0.3 * 1_f64.sin() + 0.9 * coupler.sin()];
    let rocker = tip[1].atan2(tip[0] - 1.0);
    let rod = |m: &mut Assembly, k: usize, before: Frame, l: f64, phi: f64| {
        let pin = m.add(format!("j{k}"), Revolute::new().n(Z).phi(guess(phi + 0.05)));
        m.connect(before, pin.frame_a);
        attach(m, format!("lump{k}"), pin.frame_b, lump(0.4));
        let begin = tilt.apply(m, &format!("j{k}"), X, pin.frame_b);
        at(m, format!("rod{k}"), begin, [l, 0.0, 0.0])
    };
    let crank = rod(m, 1, world.frame_b, 0.3, 1.0);
    let coupler_end = rod(m, 2, crank, 0.9, coupler_angle());
    let rocker_end = rod(m, 3, ground, 0.7, rocker);
    let angle = rocker - coupler;
    let free = Revolute::new().n(Z);
    let pin =
        m.add("j4", if matches!(drive, Drive::Flywheel) { free } else { free.phi(guess(angle)) });
    m.connect(coupler_end, pin.frame_a);
    m.connect(rocker_end, pin.frame_b);
    let signal = match drive {
        Drive::Flywheel => {
            let wheel = Inertia::new().J(0.3).phi(fixed(angle)).w(fixed(0.4)).states(Always);
            let wheel = m.add("wheel", wheel);
            return m.connect(wheel.flange_a, pin.axis);
        }
        Drive::Swing => m.add("signal", Sine::new().amplitude(0.1).f(1.5).offset(angle)).y,
        Drive::Jump => {
            let step = Step::new().height(0.15).offset(angle).start_time(0.15);
            m.add("signal", step).y
        }
    };
    let motion = m.add("motion", rotational::Position::new().exact(true));
    m.connect(signal, motion.phi_ref);
    m.connect(motion.flange, pin.axis);
}

#[test]
fn a_loop_that_is_driven_where_it_closes_moves_alike_in_closed_form() {
    let names = ["j1.phi", "j1.w", "j2.phi", "j3.a", "j4.phi"].map(String::from);
    for drive in [Drive::Flywheel, Drive::Swing, Drive::Jump] {
        let programs = both(|m, tilt| driven_where_it_closes(m, tilt, drive));
        assert_alike(programs, 1, &names, &format!("{drive:?}"));
    }
}

#[test]
fn a_loop_in_closed_form_ends_where_newtons_method_ends() {
    let mut ended = 0;
    for (kinds, seed) in [([Turn; 4], 5), ([Turn; 4], 11), ([Turn, Turn, Turn, Slide], 12)] {
        let case = Loop { kinds, crank: 0, cut: 2, seed };
        for direction in [1.0, -1.0] {
            let programs = both(|m, tilt| _ = build(m, case, tilt));
            let mut models = programs.each_ref().map(simulation_of);
            models.iter_mut().for_each(initialize);
            let start = models[0].continuous_states().to_vec();
            for k in 1..70 {
                let states = [start[0] + direction * 0.1 * f64::from(k), start[1]];
                let moved = models.each_mut().map(|model| model.move_to(0.0, &states));
                let why =
                    moved.map(|moved| moved.err().map_or_else(String::new, |w| w.to_string()));
                let [direct, searched] = why.each_ref().map(|why| why.contains(" j2 (follows "));
                assert_eq!(direct, searched, "{case:?}, {states:?}: {why:?}");
                if direct {
                    ended += 1;
                    break;
                }
                let [one, other] = &mut models;
                assert_same(one, other, &["j1.phi", "j2.phi", "j2.w"], 1e-9);
            }
        }
    }
    assert!(ended >= 3, "{ended}");
}

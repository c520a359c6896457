//! The models of mechanisms that reach singular positions.
use libraries::multibody::*;
use libraries::prelude::*;

/// The text of a mechanism.
type Text = fn(&mut Assembly);

/// All mechanisms, by name.
pub const ALL: &[(&str, Text)] = &[
    ("joint", joint),
    ("constraint", constraint),
    ("rod", rod),
    ("angles", angles),
    ("change_of_joints", change_of_joints),
    ("change_of_constraint", change_of_constraint),
    ("change_of_dyad", change_of_dyad),
    ("change_of_rod", change_of_rod),
    ("change_of_dyad_that_slides", change_of_dyad_that_slides),
    ("turning_dyad", turning_dyad),
    ("turning", turning),
    ("driven", driven),
];

/// A joint that closes a loop.
fn hinge(m: &mut Assembly, a: Frame, b: Frame) {
    let j3 = m.add("j3", Revolute::new().n(Z));
    m.connect(a, j3.frame_a);
    m.connect(j3.frame_b, b);
}

/// A constraint in the plane that closes a loop.
fn pin(m: &mut Assembly, a: Frame, b: Frame) {
    let j3 = m.add("j3", RevolutePlanarLoopConstraint::new().n(Z));
    m.connect(a, j3.frame_a);
    m.connect(j3.frame_b, b);
}

/// A bar that turns about its beginning; returns its end.
fn bar(
    m: &mut Assembly,
    [joint, bar]: [&str; 2],
    turns: Revolute,
    from: Frame,
    length: f64,
) -> Frame {
    let joint = m.add(joint, turns);
    let bar = m.add(bar, BodyBox::new().r([length, 0.0, 0.0]).width(0.02));
    m.connect(from, joint.frame_a);
    m.connect(joint.frame_b, bar.frame_a);
    bar.frame_b
}

/// The joint of a bar that another one moves.
fn follows(phi: f64) -> Revolute {
    Revolute::new().n(Z).phi(guess(phi))
}

/// The joint of a bar that moves others.
fn moves(phi: f64, w: f64) -> Revolute {
    Revolute::new().n(Z).phi(fixed(phi)).w(fixed(w)).states(Always)
}

/// Crank and rod; the rod is shorter than the crank, so the crank can only swing.
fn crank(m: &mut Assembly, close: impl FnOnce(&mut Assembly, Frame, Frame)) {
    let world = m.add("world", World::new().g(0.0));
    let crank = bar(m, ["j1", "crank"], moves(0.3, 1.0), world.frame_b, 0.1);
    let rod = bar(m, ["j2", "rod"], follows(-0.9), crank, 0.05);
    let slide = m.add("slide", Prismatic::new().n(X).s(guess(0.14)));
    m.connect(slide.frame_a, world.frame_b);
    close(m, rod, slide.frame_b);
}

fn joint(m: &mut Assembly) {
    crank(m, hinge);
}

fn constraint(m: &mut Assembly) {
    crank(m, pin);
}

/// Crank and slider, closed by a rod of fixed length.
fn rod(m: &mut Assembly) {
    let world = m.add("world", World::new().g(0.0));
    let crank = bar(m, ["j1", "crank"], moves(0.3, 1.0), world.frame_b, 0.1);
    let rod = m.add("rod", SphericalSpherical::new().rod_length(0.05));
    let slide = m.add("slide", Prismatic::new().n(X).s(guess(0.14)));
    let slider = m.add("slider", Body::new().m(1.0).r_cm([0.0; 3]));
    m.connect(crank, rod.frame_a);
    m.connect(rod.frame_b, slide.frame_b);
    m.connect(slide.frame_b, slider.frame_a);
    m.connect(slide.frame_a, world.frame_b);
}

/// A parallelogram whose crank turns towards the position in which all bars are in line: from there
/// it could continue in two ways.
fn parallelogram(m: &mut Assembly, close: impl FnOnce(&mut Assembly, Frame, Frame)) {
    let world = m.add("world", World::new().g(0.0));
    let ground = m.add("ground", FixedTranslation::new().r([0.4, 0.0, 0.0]));
    m.connect(world.frame_b, ground.frame_a);
    let crank = bar(m, ["j1", "crank"], moves(0.5, -1.0), world.frame_b, 0.1);
    let rod = bar(m, ["j2", "rod"], follows(-0.5), crank, 0.4);
    let rocker = bar(m, ["j4", "rocker"], follows(0.5), ground.frame_b, 0.1);
    close(m, rod, rocker);
}

fn change_of_joints(m: &mut Assembly) {
    parallelogram(m, hinge);
}

fn change_of_constraint(m: &mut Assembly) {
    parallelogram(m, pin);
}

/// The same parallelogram in closed form.
fn change_of_dyad(m: &mut Assembly) {
    let world = m.add("world", World::new().g(0.0));
    let ground = m.add("ground", FixedTranslation::new().r([0.4, 0.0, 0.0]));
    let crank = bar(m, ["j1", "crank"], moves(0.5, -1.0), world.frame_b, 0.1);
    let rods =
        JointRRR::new().r_rod1_ia([0.4, 0.0, 0.0]).r_rod2_ib([0.1, 0.0, 0.0]).phi_guess(28.6);
    let rods = m.add("j3", rods);
    let rod = m.add("rod", Body::new().m(1.0).r_cm([0.2, 0.0, 0.0]));
    let rocker = m.add("rocker", Body::new().m(1.0).r_cm([0.05, 0.0, 0.0]));
    m.connect(world.frame_b, ground.frame_a);
    m.connect(crank, rods.frame_a);
    m.connect(ground.frame_b, rods.frame_b);
    m.connect(rods.frame_ia, rod.frame_a);
    m.connect(rods.frame_ib, rocker.frame_a);
}

/// Crank and rod are equally long: if the crank is upright, the slider could stay or continue.
fn change_of_rod(m: &mut Assembly) {
    let world = m.add("world", World::new().g(0.0));
    let crank = bar(m, ["j1", "crank"], moves(0.3, 4.0), world.frame_b, 0.1);
    let rod = m.add("rod", SphericalSpherical::new().rod_length(0.1));
    let slide = m.add("slide", Prismatic::new().n(X).s(guess(0.19)));
    let slider = m.add("slider", Body::new().m(0.5).r_cm([0.0; 3]));
    m.connect(crank, rod.frame_a);
    m.connect(rod.frame_b, slide.frame_b);
    m.connect(slide.frame_b, slider.frame_a);
    m.connect(slide.frame_a, world.frame_b);
}

/// Crank and rod are equally long, and the loop is solved in closed form.
fn dyad_that_slides(m: &mut Assembly, crank: Frame, world: Frame) {
    let rod = JointRRP::new().r_rod1_ia([0.1, 0.0, 0.0]).r_rod2_ib([0.0; 3]).n_b(X).s_guess(0.19);
    let rod = m.add("rod", rod);
    let slider = m.add("slider", Body::new().m(0.5).r_cm([0.0; 3]));
    m.connect(crank, rod.frame_a);
    m.connect(world, rod.frame_b);
    m.connect(rod.frame_ib, slider.frame_a);
}

fn change_of_dyad_that_slides(m: &mut Assembly) {
    let world = m.add("world", World::new().g(0.0));
    let crank = bar(m, ["j1", "crank"], moves(0.3, 4.0), world.frame_b, 0.1);
    dyad_that_slides(m, crank, world.frame_b);
}

/// A crank with constant speed, so that nothing limits the integrator's steps.
fn turning_crank(m: &mut Assembly, world: Frame) -> Frame {
    let speed = m.add("speed", libraries::rotational::ConstantSpeed::new().w_fixed(50.0));
    let j1 = m.add("j1", Revolute::new().n(Z));
    let crank = m.add("crank", BodyBox::new().r([0.1, 0.0, 0.0]).width(0.02));
    m.connect(speed.flange, j1.axis);
    m.connect(world, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    crank.frame_b
}

fn turning(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let crank = turning_crank(m, world.frame_b);
    let rod = bar(m, ["j2", "rod"], follows(0.0), crank, 0.15);
    let slide = m.add("slide", Prismatic::new().n(X).s(guess(0.24)));
    let slider = m.add("slider", Body::new().m(0.5).r_cm([0.0; 3]));
    m.connect(slide.frame_a, world.frame_b);
    m.connect(slide.frame_b, slider.frame_a);
    hinge(m, rod, slide.frame_b);
}

fn turning_dyad(m: &mut Assembly) {
    let world = m.add("world", World::new());
    let crank = turning_crank(m, world.frame_b);
    dyad_that_slides(m, crank, world.frame_b);
}

/// A crank whose angle is an input, and a rocker.
fn driven(m: &mut Assembly) {
    let phi = ExternalInput::new().unit("rad").start(2.2).describe("Angle of the crank");
    let phi = m.add("phi", phi);
    let position = m.add("position", libraries::rotational::Position::new().exact(true));
    let world = m.add("world", World::new());
    let ground = m.add("ground", FixedTranslation::new().r([0.4, 0.0, 0.0]));
    let j1 = m.add("j1", follows(2.2));
    let crank = m.add("crank", BodyBox::new().r([0.2, 0.0, 0.0]).width(0.02));
    m.connect(phi.y, position.phi_ref);
    m.connect(position.flange, j1.axis);
    m.connect(world.frame_b, ground.frame_a);
    m.connect(world.frame_b, j1.frame_a);
    m.connect(j1.frame_b, crank.frame_a);
    let rod = bar(m, ["j2", "rod"], follows(-2.05), crank.frame_b, 0.301);
    let rocker = bar(m, ["j4", "rocker"], follows(2.39), ground.frame_b, 0.301);
    let j3 = m.add("j3", follows(2.24));
    m.connect(rod, j3.frame_a);
    m.connect(rocker, j3.frame_b);
}

/// A free body that turns nearly about the axis of its second angle, which is a state.
fn angles(m: &mut Assembly) {
    let world = m.add("world", World::new().g(0.0));
    let body = m.add("body", Body::new().m(2.0).r_cm([0.0; 3]).inertia([0.02; 3]));
    let [rate, rest] = [fixed_vector([1e-4, 1.0, 0.0]), fixed_vector([0.0; 3])];
    let motion = FreeMotionScalarInit::new().r_rel_a(rest).v_rel_a(rest);
    let motion = m.add("motion", motion.angle(rest).angle_d(rate));
    m.connect(world.frame_b, motion.frame_a);
    m.connect(motion.frame_b, body.frame_a);
}

//! Programs of models that together use every feature of a program.

use equations::{ContactImpact, Error, Ex, Model, TableShape, compile_named, impulses};
use mechanics::{Assembly, assemble};
use models::{
    coupled_clutches, engine_v6, five_ball_cradle, four_bar_loop, lossy_gear_demo1, planar_fourbar,
    resting_ball, test_bench,
};
use program::Program;

/// The folder with the tables of the test bench.
pub const BENCH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/resources/test_bench");

/// The program of an assembly.
pub fn assembled(name: &str, text: impl FnOnce(&mut Assembly)) -> Program {
    compiled(name, |model| {
        if let Err(error) = assemble(text, model) {
            model.refuse(Error::Definition(error.to_string()));
        }
    })
}

/// The program of equations.
pub fn compiled(name: &str, text: impl FnOnce(&mut Model)) -> Program {
    let program = compile_named(name, "A test.", |model| {
        model.resources(BENCH);
        text(model);
    });
    program.expect("the model is sound").taped()
}

/// Clutches: relations, discrete variables, initial values that depend on modes.
pub fn clutches() -> Program {
    assembled("CoupledClutches", coupled_clutches::model)
}

/// A loop that a nonlinear block closes.
pub fn fourbar() -> Program {
    assembled("PlanarFourbar", planar_fourbar::model)
}

/// A loop that hits a floor.
pub fn impacts() -> Program {
    assembled("FourBarLoop", four_bar_loop::model)
}

/// Balls that collide with each other at the same instant.
pub fn cradle() -> Program {
    assembled("FiveBallCradle", five_ball_cradle::model)
}

/// A ball that comes to rest on a floor.
pub fn ball() -> Program {
    assembled("RestingBall", resting_ball::model)
}

/// A gear with a table whose points are parameters.
pub fn gear() -> Program {
    assembled("LossyGearDemo1", lossy_gear_demo1::model)
}

/// Tables in files.
pub fn bench() -> Program {
    assembled("TestBench", test_bench::model)
}

/// The largest model.
pub fn engine() -> Program {
    assembled("EngineV6", engine_v6::model)
}

/// Tables in a nonlinear block, a requirement, an input, and a body on feet, some of which are
/// struck.
pub fn unusual() -> Program {
    compiled("Unusual", |m| {
        let shape = TableShape { columns: 3, jumps: true, periodic: false };
        let rows = [[-1.0, 0.0, 5.0], [0.0, 0.5, 6.0], [0.0, 1.0, 8.0], [2.0, 4.0, 9.0]];
        let table = m.table_rows("table", rows.concat(), shape).expect("the table is sound");
        let x: Ex = m.state("x", 0.3).done();
        let held = table.line_held(2, table.count(x), x);
        let z = Ex::symbol();
        let inside = table.guard(z * 1e-3, table.line(1, table.count(z), z));
        let z = m.newton("block", &[z], &[3.0 * z + inside - x], &[x])[0];
        m.derivative(x, held - z);
        m.output("y", table.guard(x * 1e-3, z)).done();
        feet(m, x);
    })
}

fn feet(m: &mut Model, x: Ex) {
    let u: Vec<Ex> = (0..3).map(|i| m.state(&format!("u[{i}]"), -0.4).done()).collect();
    let mut rows: Vec<[Ex; 3]> = Vec::new();
    let mut contacts = Vec::new();
    for foot in 0..4 {
        let (s, c) = (x + 0.7 * f64::from(foot)).sin_cos();
        rows.push([Ex::one(), s, c]);
        let friction = (foot % 2 == 0).then_some(0.3 + 0.1 * s);
        if friction.is_some() {
            rows.push([c, Ex::zero(), s]);
            rows.push([s, Ex::one(), Ex::zero()]);
        }
        contacts.push(ContactImpact {
            active: (c + 0.8).gt(0.0),
            restitution: 0.5 + 0.5 * c,
            friction,
        });
    }
    let product = |a: &[Ex], b: &[Ex]| a.iter().zip(b).map(|(&a, &b)| a * b).sum::<Ex>();
    let w: Vec<Vec<Ex>> =
        rows.iter().map(|a| rows.iter().map(|b| product(a, b)).collect()).collect();
    let v: Vec<Ex> = rows.iter().map(|row| product(row, &u)).collect();
    let p = impulses(&w, &v, &contacts);
    let strike = m.relation("strike", x - 0.305).done();
    let strike = m.when("strikes", strike);
    for (i, &speed) in u.iter().enumerate() {
        let kick = rows.iter().zip(&p).map(|(row, &p)| row[i] * p).sum::<Ex>();
        m.derivative(speed, -speed);
        m.reinit(speed, strike, speed + kick);
    }
}

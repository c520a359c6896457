//! The models in the tests: all models of the repository, and a model with features that no other
//! model uses.

use equations::{
    Bool, ContactImpact, Ex, Model, Program, TableShape, impulses, newton, null_space, select,
};
use fmu_builder::models::{IntoText, ModelText};
use models::MODELS;

/// A model with features of emitted code that no model of the repository uses.
pub const UNUSUAL: ModelText = ModelText {
    name: "unusual",
    source: "//! Features of emitted code that no model of the repository uses.",
    text: || unusual.into_text(),
};

/// The program of a model.
pub fn program(model: &ModelText) -> Program {
    let program = MODELS.trace(model).and_then(|traced| traced.program().cloned());
    program.unwrap_or_else(|error| panic!("{error}"))
}

/// Tables in the model text, also inside a nonlinear block.
fn unusual(m: &mut Model) {
    let shape = TableShape { columns: 3, jumps: true, periodic: false };
    let rows = [[-1.0, 0.0, 5.0], [0.0, 0.5, 6.0], [0.0, 1.0, 8.0], [2.0, 4.0, 9.0]];
    let table = match m.table_rows("table", rows.concat(), shape) {
        Ok(table) => table,
        Err(error) => return m.refuse(error),
    };
    let x: Ex = m.state("x", 0.3).done();
    let held = table.line_held(2, table.count(x), x);
    let z = Ex::symbol();
    let inside = table.guard(z * 1e-3, table.line(1, table.count(z), z));
    let z = m.newton("block", &[z], &[3.0 * z + inside - x], &[x])[0];
    m.derivative(x, held - z);
    // Only an output needs this block.
    let deferred = Ex::symbol();
    let deferred =
        m.newton("deferred", &[deferred], &[deferred.sin() + 2.0 * deferred - x], &[x])[0];
    m.output("deferred", deferred + held).done();
    m.output("y", table.guard(x * 1e-3, z)).done();
    m.output("rows", table.entry(0, table.rows())).done();
    null_spaces(m, x);
    impacts(m, x);
    first_modes(m);
    equal_parts(m, x);
    nearly_equal_parts(m, x);
    assertions(m);
}

/// Warnings: one of a condition, and one of a condition at an instant.
fn assertions(m: &mut Model) {
    let age = m.state("age", 0.0).done();
    m.derivative(age, 1.0);
    let old = m.relation("old", age - 1e-4).nominal(1e-4).done();
    m.assert(None, !old, "it is old", true);
    let ages = m.when("ages", old);
    m.assert(Some(ages), age.lt(0.0), "it ages", true);
}

/// Bases of null spaces, also inside a nonlinear block.
fn null_spaces(m: &mut Model, x: Ex) {
    let rows = |x: Ex, rows: u8, columns: u8| -> Vec<Vec<Ex>> {
        let entry = |i: u8, j: u8| (x * f64::from(i * columns + j + 1) + f64::from(i + j)).sin();
        (0..rows).map(|i| (0..columns).map(|j| entry(i, j)).collect()).collect()
    };
    for (m_rows, columns) in [(1, 2), (3, 5)] {
        let basis = null_space(&rows(x, m_rows, columns), columns.into()).concat();
        let sum = basis.into_iter().reduce(|a, b| 0.7 * a + b).unwrap_or_else(Ex::zero);
        m.output(&format!("basis[{m_rows}]"), sum).done();
    }
    // The direction of a line does not depend on the choice of the basis.
    let z = Ex::symbol();
    let line = null_space(&rows(z, 2, 3), 3).concat();
    let length = line.iter().map(|&part| part * part).sum::<Ex>();
    let cosine = line[0] * line[0] / length;
    let root = m.newton("direction", &[z], &[9.0 * z + cosine - x], &[x])[0];
    let speed = m.state("speed", 0.1).done();
    m.derivative(speed, root - speed);
}

/// Equal parts, whose code becomes loops, and parts that differ, whose code does not.
fn equal_parts(m: &mut Model, x: Ex) {
    let scale = x.exp();
    let (mut sum, mut all, mut before) = (x, Bool::constant(true), scale);
    let mut factors = Vec::new();
    for part in 0..40 {
        let k = m.parameter(&format!("part[{part}].k"), 1.0 + 0.1 * f64::from(part)).done();
        let y = m.state(&format!("part[{part}].y"), 0.01 * f64::from(part)).done();
        let fast = m.relation(&format!("part[{part}].fast"), y - k).done();
        let (s, c) = (scale * y).sin_cos();
        let factor = k * s + before;
        all = all & fast;
        let rate = select(all, factor, -c) - before;
        sum += select(fast, rate / (c + 2.0), 0.5);
        m.derivative(y, rate);
        factors.push(factor);
        before = factor;
    }
    m.output("parts", sum).done();
    // Values of single parts are read behind those of all, or only there.
    m.output("some", factors[3] * factors[17] - factors[39]).done();
    let rest = m.state("rest", 0.0).done();
    let products: Vec<Ex> = factors.windows(2).map(|pair| pair[0] * pair[1] - rest).collect();
    m.derivative(rest, products.iter().map(|&product| product * product).sum::<Ex>());
    // Two values of one chain, of which none is stored.
    let decay = m.state("decay", 1.0).done();
    let chain: Vec<Ex> = (0..40)
        .scan(decay, |value, _| {
            *value = (*value * 0.5 - rest).abs();
            Some(*value)
        })
        .collect();
    m.derivative(decay, chain[39] - chain[7]);
    m.output("turned", products.iter().rev().fold(rest, |a, &b| a / (b + 3.0))).done();
}

/// Parts that are equal at first sight.
fn nearly_equal_parts(m: &mut Model, x: Ex) {
    let mode = m.discrete("mode", 1.0).done();
    let high = mode.pre().gt(0.5);
    m.output("high", high).done();
    m.update(mode, select(mode.pre().gt(2.5), mode.pre(), mode.pre() + 1.0));
    let k: Vec<Ex> =
        (0..80).map(|i| m.parameter(&format!("k[{i}]"), 1.0 + 0.1 * f64::from(i)).done()).collect();
    let (two, other) = (Ex::constant(2.0), Ex::constant(2.5));
    let mut results = vec![x + two, x * other];
    // A truth value is stored before numbers that are stored alike.
    results.push(select(high, x, two));
    let gains: Vec<Ex> = k[..13].iter().map(|&k| k * mode.pre()).collect();
    results.extend(gains[..12].iter().map(|&gain| gain * x));
    results.push(gains[12].exp() * x);
    // One element with two distances to the next turn.
    results.extend((0..20).map(|i| k[i] * k[2 * i] - x));
    // A constant differs here and there.
    let constant = |i: usize| if i % 27 == 20 { other } else { two };
    results.extend((0..80).map(|i| (k[i] * x + constant(i)).sin()));
    // Values of two turns before.
    let (mut before, mut last) = (x.exp(), x.sin());
    for &k in &k[..30] {
        (before, last) = (last, (before - k * last).abs());
        results.push(last);
    }
    // Elements in reverse, and a value that all turns read unchanged.
    let first = x.exp();
    let mut value = first;
    for i in 0..30 {
        value = (value * first - k[79 - 2 * i]).abs();
        m.output(&format!("value[{i}]"), value).done();
        results.push(value);
    }
    let y = m.state("sum", 0.1).done();
    m.derivative(y, results.iter().fold(y, |sum, &result| sum * 0.5 - result));
}

/// A large pass of impacts at an event: a body on feet, some of which are struck.
fn impacts(m: &mut Model, x: Ex) {
    let feet = 12;
    let u: Vec<Ex> = (0..6).map(|i| m.state(&format!("u[{i}]"), -0.4).done()).collect();
    let mut rows: Vec<[Ex; 6]> = Vec::new();
    let mut contacts = Vec::new();
    for foot in 0..feet {
        let (s, c) = (x + 0.7 * f64::from(foot)).sin_cos();
        let (zero, one) = (Ex::zero(), Ex::one());
        rows.push([zero, one, zero, s, zero, c]);
        let friction = (foot % 3 != 0).then_some(0.3 + 0.1 * s);
        if friction.is_some() {
            rows.push([one, zero, zero, zero, c, zero]);
            rows.push([zero, zero, one, zero, s, zero]);
        }
        let active = (c + 0.8).gt(0.0);
        contacts.push(ContactImpact { active, restitution: 0.5 + 0.5 * c, friction });
    }
    let product = |a: &[Ex], b: &[Ex]| a.iter().zip(b).map(|(&a, &b)| a * b).sum::<Ex>();
    let w: Vec<Vec<Ex>> =
        rows.iter().map(|a| rows.iter().map(|b| product(a, b)).collect()).collect();
    let v: Vec<Ex> = rows.iter().map(|row| product(row, &u)).collect();
    let p = impulses(&w, &v, &contacts);
    let strike = m.relation("strike", -x).done();
    let strike = m.when("strikes", strike);
    for (i, &speed) in u.iter().enumerate() {
        let kick = rows.iter().zip(&p).map(|(row, &p)| row[i] * p).sum::<Ex>();
        m.derivative(speed, -speed);
        m.reinit(speed, strike, speed + kick);
    }
    m.output("push", p[0]).done();
}

/// The speed at which a push of two balances friction, which is one half at rest and grows with the
/// speed. Rest is also a solution: the guess determines the direction of friction at the start.
fn first_modes(m: &mut Model) {
    let guess = m.parameter("guess", 3.0).done();
    let v = m.state("v", 0.0).done();
    let [forward, backward] = ["forward", "backward"].map(|name| m.declare_relation(name));
    let z = Ex::symbol();
    let friction = select(forward.truth(), 0.5 + z, select(backward.truth(), z - 0.5, 2.0 + z));
    let found = newton("balance", &[z], &[2.0 - friction], &[guess]);
    m.start_expr(v, found[0]);
    m.define_relation(forward, v, Bool::constant(true));
    m.define_relation(backward, -v, Bool::constant(true));
    m.derivative(v, 0.0);
}

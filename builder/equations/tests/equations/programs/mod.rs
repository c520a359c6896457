//! Tests of programs: values, structure and description, events, blocks of equations.

mod blocks;
mod events;
mod structure;
mod values;

use equations::description::{Description, Unknown, Variable};
use equations::{Ex, Model, Program, compile_named, differentiate};

fn compile(model: impl FnOnce(&mut Model)) -> Program {
    compile_named("Example", "An example.\n\nMore about it.", model).expect("a correct model")
}

fn variable<'a>(d: &'a Description, name: &str) -> (usize, &'a Variable) {
    let mut all = d.variables.iter().enumerate();
    all.find(|(_, v)| v.name == name).unwrap_or_else(|| panic!("no variable {name}"))
}

/// Names of the variables on which an entry of the structure depends.
fn dependencies(d: &Description, list: &[Unknown], name: &str) -> Vec<String> {
    let (index, _) = variable(d, name);
    let entry = list.iter().find(|unknown| unknown.index == index);
    let entry = entry.unwrap_or_else(|| panic!("{name} is not listed"));
    assert!(entry.dependencies.is_sorted());
    entry.dependencies.iter().map(|&i| d.variables[i].name.clone()).collect()
}

/// A crank that drives a slider; position-like state `phi`, speed `w`, input `tau`.
fn slider_crank(m: &mut Model) {
    let r = m.parameter("r", 0.5).unit("m").done();
    let l = m.parameter("l", 1.5).unit("m").done();
    let inertia = m.parameter("J", 2.0).unit("kg.m2").tunable().done();
    let phi = m.state("phi", 0.3).unit("rad").display_unit("deg").as_output().done();
    let w = m.state("w", 1.0).unit("rad/s").nominal(10.0).done();
    let tau = m.input("tau", 0.25).unit("N.m").done();
    let (s, q) = (Ex::symbol(), Ex::symbol());
    let residuals = [r * phi.cos() + l * q.cos() - s, r * phi.sin() + l * q.sin()];
    let solution = m.newton("slider", &[s, q], &residuals, &[r + l, Ex::zero()]);
    let speed = differentiate(&solution, &[(phi, w)])[0];
    m.derivative(phi, w);
    m.derivative(w, (tau - 0.1 * speed) / inertia);
    m.output("s", solution[0]).unit("m");
    m.local("v", speed).unit("m/s");
    m.local("power", tau * w).unit("W");
    m.local("rodAngle", solution[1]).unit("rad");
    m.local("reach", r + l).unit("m");
    m.calculated("s0", solution[0]).unit("m");
}

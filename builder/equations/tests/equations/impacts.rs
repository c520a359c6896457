//! Tests of impulses as expressions: they have the values of the kernel, in programs too.

use equations::{
    Bool, ContactImpact, Ex, Interpreter, Leaf, Model, differentiate, emit, evaluate, impulses,
    substitute,
};
use kernels::impact::{self, Contact};
use random::Random;

use crate::common::{at, state};

/// A contact with friction and one without; the second one may be active or not.
fn two(active: Bool) -> (Vec<Vec<Ex>>, Vec<Ex>, [ContactImpact; 2]) {
    let w = |i: usize, j: usize| state((4 * i.min(j) + i.max(j)) as u32);
    let v = (16..20).map(state).collect();
    let (restitution, friction) = (state(20), Some(state(21)));
    let rough = ContactImpact { active: Bool::constant(true), restitution, friction };
    let smooth = ContactImpact { active, friction: None, ..rough };
    ((0..4).map(|i| (0..4).map(|j| w(i, j)).collect()).collect(), v, [rough, smooth])
}

/// Values of the states of [`two`].
fn values(random: &mut Random) -> Vec<f64> {
    let j: Vec<Vec<f64>> =
        (0..4).map(|_| (0..5).map(|_| random.between(-1.0, 1.0)).collect()).collect();
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut x: Vec<f64> =
        j.iter().flat_map(|a| j.iter().map(|b| product(a, b)).collect::<Vec<_>>()).collect();
    x.extend([-1.0, random.unit(), random.unit(), -0.5, random.unit(), random.unit()]);
    x
}

#[test]
fn a_pass_has_the_bits_of_the_kernel() {
    let mut random = Random(1);
    for _ in 0..50 {
        let x = values(&mut random);
        let (w, v, contacts) = two(state(19).lt(-0.4));
        let found = at(&impulses(&w, &v, &contacts), &x);
        let rough = Contact { active: true, restitution: x[20], friction: Some(x[21]) };
        let smooth = Contact { friction: None, ..rough };
        let expected = impact::impulses::<f64, 4, 16>(
            x[..16].try_into().unwrap(),
            x[16..20].try_into().unwrap(),
            &[rough, smooth],
        );
        assert_eq!(found, expected);
        assert!(found.iter().any(|p| *p != 0.0));
    }
}

#[test]
fn contacts_that_are_never_struck_are_left_out() {
    let x = values(&mut Random(2));
    let (w, v, contacts) = two(Bool::constant(false));
    let p = impulses(&w, &v, &contacts);
    assert!(p[3].is_constant_zero());
    let rows: Vec<Vec<Ex>> = w[..3].iter().map(|row| row[..3].to_vec()).collect();
    let keys = |list: &[Ex]| list.iter().map(|ex| ex.key()).collect::<Vec<_>>();
    assert_eq!(keys(&p[..3]), keys(&impulses(&rows, &v[..3], &contacts[..1])));
    let (w, v, contacts) = two(state(19).gt(0.0));
    assert_eq!(at(&p, &x), at(&impulses(&w, &v, &contacts), &x));
}

#[test]
fn operands_are_substituted() {
    let x = values(&mut Random(3));
    let (w, v, contacts) = two(Bool::constant(true));
    let symbol = Ex::symbol();
    let mut with_symbol = v.clone();
    with_symbol[0] = symbol;
    let p = substitute(&impulses(&w, &with_symbol, &contacts), &[(symbol, v[0])]);
    assert_eq!(at(&p, &x), at(&impulses(&w, &v, &contacts), &x));
}

#[test]
fn impulses_that_do_not_depend_on_the_direction_are_constant_factors() {
    let (w, v, contacts) = two(Bool::constant(true));
    let p = impulses(&w, &v, &contacts);
    let y = state(30);
    assert_eq!(differentiate(&[p[0] * y], &[(y, Ex::one())])[0].key(), p[0].key());
}

#[test]
#[should_panic(expected = "impulses of impacts have no derivative")]
fn the_derivative_of_an_impulse_is_refused() {
    let (w, v, contacts) = two(Bool::constant(true));
    differentiate(&impulses(&w, &v, &contacts), &[(v[0], Ex::one())]);
}

/// Twelve speeds with as many contacts, each with friction; returns the speeds after the event.
fn large(m: &mut Model) -> Vec<Ex> {
    let n = 12;
    let time = m.time();
    let speeds: Vec<Ex> = (0..n)
        .map(|i| m.state(&format!("v[{}]", i + 1), 1.0 - 0.3 * f64::from(i)).done())
        .collect();
    let mut rows: Vec<Vec<Ex>> = Vec::new();
    let mut contacts = Vec::new();
    for k in 0..n {
        for part in 0..3 {
            let entry =
                |i: i32| ((time + f64::from(7 * k + 3 * part + i)).cos() + f64::from(i)).sin();
            rows.push((0..n).map(entry).collect());
        }
        let active = (time + f64::from(k)).cos().gt(-0.5);
        contacts.push(ContactImpact {
            active,
            restitution: 0.5.into(),
            friction: Some(0.2.into()),
        });
    }
    let product = |a: &[Ex], b: &[Ex]| a.iter().zip(b).map(|(&a, &b)| a * b).sum::<Ex>();
    let w: Vec<Vec<Ex>> =
        rows.iter().map(|a| rows.iter().map(|b| product(a, b)).collect()).collect();
    let v: Vec<Ex> = rows.iter().map(|row| product(row, &speeds)).collect();
    let p = impulses(&w, &v, &contacts);
    let kick = |i: usize| rows.iter().zip(&p).map(|(row, &p)| row[i] * p).sum::<Ex>();
    let after: Vec<Ex> = speeds.iter().enumerate().map(|(i, &v)| v + kick(i)).collect();
    for (&speed, &after) in speeds.iter().zip(&after) {
        m.derivative(speed, 0.0);
        m.reinit(speed, Bool::constant(true), after);
    }
    after
}

#[test]
fn a_large_pass_at_an_event_has_the_bits_of_direct_evaluation() {
    let mut model = Model::new("Large");
    let after = large(&mut model);
    let before: Vec<f64> = (0..12).map(|i| 1.0 - 0.3 * f64::from(i)).collect();
    let direct = evaluate(&after, &mut |leaf| match leaf {
        Leaf::Time => 0.25,
        Leaf::State(i) => before[i as usize],
        other => panic!("{other:?} has no value here"),
    });
    let program = model.compile().unwrap();
    let text = emit(&program);
    let lengths = text.split("fn ").map(|function| function.matches("let ").count());
    assert!(lengths.max().unwrap() <= 250);
    assert!(text.contains("impact::impulses::<S, 36, 1296>"));
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    run.initial = false;
    run.t = 0.25;
    run.realize().unwrap();
    let next = run.event().unwrap().x;
    assert_eq!(next, direct.unwrap());
    let energy = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>();
    assert!(energy(&next) < energy(&before));
}

//! Blocks of equations in programs.

use super::compile;
use equations::{
    Ex, Interpreter, Model, Stage, emit, evaluate, newton, null_space, select, solve_linear,
};

#[test]
fn a_block_that_neither_derivatives_nor_events_need_is_deferred() {
    let with_consumer = |consumer: fn(&mut Model, Ex)| {
        let program = compile(|m| {
            let x = m.state("x", 0.5).done();
            let z = Ex::symbol();
            let root = m.newton("root", &[z], &[z + z.powi(3) - x], &[x])[0];
            let other = m.newton("other", &[z], &[2.0 * z + z.powi(3) - x], &[x])[0];
            m.derivative(x, -other);
            m.local("twice", 2.0 * root);
            consumer(m, root);
        });
        (program.taped().info.deferred, program)
    };
    let (deferred, program) = with_consumer(|_, _| ());
    assert_eq!(deferred, Some(Stage::Velocity));
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    run.initial = false;
    for x in [0.5, 0.7, 1.0] {
        run.x[0] = x;
        run.realize().unwrap();
        run.anchor = run.z.clone();
        assert!((run.anchor[0] + run.anchor[0].powi(3) - x).abs() < 1e-14);
        let root = run.value_of("twice").unwrap() / 2.0;
        assert!((root + root.powi(3) - x).abs() < 1e-14, "{root}");
    }
    let needed: [fn(&mut Model, Ex); 3] = [
        |m, root| {
            let y = m.state("y", 0.0).done();
            m.derivative(y, root);
        },
        |m, root| _ = m.relation("high", root - 0.4).done(),
        |m, root| {
            let event = m.time_relation("late", Ex::from(1.0));
            let event = m.when("late", event);
            let n = m.discrete("n", 0.0).done();
            m.update(n, select(event, root, n.pre()));
        },
    ];
    for consumer in needed {
        assert_eq!(with_consumer(consumer).0, None);
    }
}

#[test]
fn a_block_of_the_start_may_have_the_symbols_of_a_block_of_the_motion() {
    let program = compile(|m| {
        let x = m.state("x", 4.0).done();
        m.derivative(x, -x);
        let [s, q] = [Ex::symbol(), Ex::symbol()];
        let residuals = [s.square() - 2.0 * q, q - s];
        let start = newton("start", &[s, q], &residuals, &[3.0.into(), 3.0.into()])[0];
        let length: Ex = m.calculated("length", start).done();
        let motion = m.newton("motion", &[s], &[s * x - length], &[Ex::one()])[0];
        m.local("motion", motion);
    });
    assert!(emit(&program).contains("motion"));
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    for (x, expected) in [(4.0, 0.5), (8.0, 0.25)] {
        run.x[0] = x;
        run.realize().unwrap();
        let value = run.value_of("motion").unwrap();
        assert!((value - expected).abs() < 1e-14, "{value}");
    }
}

#[test]
fn a_block_whose_jacobian_rests_is_solved() {
    // Four unknowns or more need a factorization, here of a constant matrix.
    let program = compile(|m| {
        let x = m.state("x", 1.0).done();
        m.derivative(x, -x);
        let q: [Ex; 4] = std::array::from_fn(|_| Ex::symbol());
        let sum: Ex = q.iter().copied().sum();
        let residuals: Vec<Ex> =
            (0..4).map(|i| sum + q[i] * (x + f64::from(i as u8)) - f64::from(i as u8)).collect();
        let guesses = [Ex::zero(); 4];
        for (i, root) in m.newton("rests", &q, &residuals, &guesses).into_iter().enumerate() {
            m.local(&format!("q{i}"), root);
        }
    });
    assert!(emit(&program).contains("linear_factor"));
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    for x in [1.0, 2.5] {
        run.x[0] = x;
        run.realize().unwrap();
        let q: Vec<f64> = (0..4).map(|i| run.value_of(&format!("q{i}")).unwrap()).collect();
        let sum: f64 = q.iter().sum();
        for (i, q) in q.iter().enumerate() {
            let i = i as f64;
            assert!((sum + q * (x + i) - i).abs() < 1e-13, "{q}");
        }
    }
}

#[test]
fn a_block_reads_the_root_of_another_one_that_begins_with_a_factorization() {
    let program = compile(|m| {
        let x = m.state("x", 1.0).done();
        m.derivative(x, -x);
        // Four unknowns or more need a factorization.
        let row = |i: usize| (0..4).map(|j| if i == j { x + 1.0 } else { 0.5.into() }).collect();
        let matrix: Vec<Vec<Ex>> = (0..4).map(row).collect();
        let sum: Ex = solve_linear(&matrix, &[x; 4]).into_iter().sum();
        let [s, z] = [Ex::symbol(), Ex::symbol()];
        let first = m.newton("first", &[s], &[s + s.powi(3) - sum], &[sum])[0];
        let second = m.newton("second", &[z], &[z + z.powi(3) - first], &[x])[0];
        m.local("second", second);
    });
    assert!(emit(&program).contains("linear_factor"));
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    for x in [1.0, 3.5] {
        run.x[0] = x;
        run.realize().unwrap();
        let z = run.value_of("second").unwrap();
        let first = z + z.powi(3);
        let sum = 4.0 * x / (x + 2.5);
        assert!((first + first.powi(3) - sum).abs() < 1e-13, "{z}");
    }
}

#[test]
fn null_spaces_are_computed_outside_and_inside_of_blocks() {
    let rows = |x: Ex| -> Vec<Vec<Ex>> {
        let entry = |i: u8, j: u8| (x * f64::from(j + 1) + f64::from(i + j * j)).sin();
        (0..2).map(|i| (0..4).map(|j| entry(i, j)).collect()).collect()
    };
    // The projection of a vector on the null space does not depend on the choice of the basis.
    let projection = |x: Ex| {
        let basis = null_space(&rows(x), 4);
        let product = |a: usize, b: usize| basis.iter().map(|row| row[a] * row[b]).sum::<Ex>();
        let normal = vec![vec![product(0, 0), product(0, 1)], vec![product(1, 0), product(1, 1)]];
        let weights = solve_linear(&normal, &basis[0]);
        basis[0][0] * weights[0] + basis[0][1] * weights[1]
    };
    let program = compile(|m| {
        let x = m.state("x", 0.3).done();
        m.derivative(x, -x);
        for (k, value) in null_space(&rows(x), 4).concat().into_iter().enumerate() {
            m.local(&format!("n{k}"), value);
        }
        let z = Ex::symbol();
        let root = m.newton("inside", &[z], &[4.0 * z + projection(z) - x], &[x])[0];
        m.local("z", root);
    });
    assert!(emit(&program).contains("linear_null_space::<S, 2, 4, 8, 8>"));
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    for at in [0.3, 1.7, -2.2] {
        run.x[0] = at;
        run.realize().unwrap();
        let value = |x: f64, roots: &[Ex]| evaluate(roots, &mut |_| x).unwrap();
        let leaf = Ex::leaf(equations::Leaf::State(0));
        let expected = value(at, &null_space(&rows(leaf), 4).concat());
        for (k, expected) in expected.iter().enumerate() {
            let own = run.value_of(&format!("n{k}")).unwrap();
            assert_eq!(own.to_bits(), expected.to_bits());
        }
        let z = run.value_of("z").unwrap();
        let residual = 4.0 * z + value(z, &[projection(leaf)])[0] - at;
        assert!(residual.abs() < 1e-13, "{residual}");
    }
}

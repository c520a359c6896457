//! Impulses of impacts: their laws, energy, and independence of the order of contacts and of axes.

use kernels::impact::{ActiveContact, Contact, Scratch, VECTORS, impulses, impulses_slice};
use kernels::{Dual, Scalar};
use random::Random;

/// A mechanism of unit masses: the rows of its contacts, its speeds and its contacts.
#[derive(Clone)]
struct Problem {
    rows: Vec<Vec<f64>>,
    speeds: Vec<f64>,
    contacts: Vec<Contact<f64>>,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn size(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

impl Problem {
    /// Contacts with random rows; those that approach are active.
    fn random(random: &mut Random, contacts: usize, speeds: usize, friction: bool) -> Problem {
        let mut problem =
            Problem { rows: vec![], speeds: random.numbers(speeds), contacts: vec![] };
        for _ in 0..contacts {
            let rough = friction && random.number() > -0.5;
            let normal = random.numbers(speeds);
            let active = dot(&normal, &problem.speeds) < 0.0;
            problem.rows.push(normal);
            if rough {
                problem.rows.push(random.numbers(speeds));
                problem.rows.push(random.numbers(speeds));
            }
            problem.contacts.push(Contact {
                active,
                restitution: [0.0, 1.0, 0.5 * (1.0 + random.number())][random.below(3)],
                friction: rough.then(|| random.number().abs()),
            });
        }
        problem
    }

    fn before(&self) -> Vec<f64> {
        self.rows.iter().map(|row| dot(row, &self.speeds)).collect()
    }

    fn matrix(&self) -> Vec<f64> {
        self.rows.iter().flat_map(|a| self.rows.iter().map(|b| dot(a, b))).collect()
    }

    /// Rows and numbers of the contacts.
    fn places(&self) -> Vec<(usize, Contact<f64>)> {
        let mut row = 0;
        let place = |contact: &Contact<f64>| {
            let first = row;
            row += if contact.friction.is_some() { 3 } else { 1 };
            (first, *contact)
        };
        self.contacts.iter().map(place).collect()
    }

    fn impulses(&self) -> Vec<f64> {
        solve(&self.matrix(), &self.before(), &self.contacts)
    }

    /// Speeds after impulses.
    fn after(&self, p: &[f64]) -> Vec<f64> {
        let mut speeds = self.speeds.clone();
        for (row, p) in self.rows.iter().zip(p) {
            speeds.iter_mut().zip(row).for_each(|(u, j)| *u += j * p);
        }
        speeds
    }

    fn velocities(&self, speeds: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| dot(row, speeds)).collect()
    }

    /// Only the normal impulses.
    fn normal(&self, p: &[f64]) -> Vec<f64> {
        let mut normal = vec![0.0; p.len()];
        self.places().iter().for_each(|&(row, _)| normal[row] = p[row]);
        normal
    }

    /// The same contacts in another order.
    fn shuffled(&self, random: &mut Random) -> Problem {
        let mut places = self.places();
        for i in (1..places.len()).rev() {
            places.swap(i, random.below(i + 1));
        }
        let rows = places.iter().flat_map(|&(row, contact)| {
            self.rows[row..][..if contact.friction.is_some() { 3 } else { 1 }].to_vec()
        });
        Problem {
            rows: rows.collect(),
            speeds: self.speeds.clone(),
            contacts: places.iter().map(|place| place.1).collect(),
        }
    }

    /// The same mechanism with tangents turned by an angle each.
    fn turned(&self, random: &mut Random) -> Problem {
        let mut turned = self.clone();
        for (row, contact) in self.places() {
            if contact.friction.is_some() {
                let (s, c) = (3.0 * random.number()).sin_cos();
                for k in 0..self.speeds.len() {
                    let (x, y) = (self.rows[row + 1][k], self.rows[row + 2][k]);
                    (turned.rows[row + 1][k], turned.rows[row + 2][k]) =
                        (c * x + s * y, c * y - s * x);
                }
            }
        }
        turned
    }

    /// Checks both laws, and the energy after each stage.
    fn check(&self, tolerance: f64) {
        let p = self.impulses();
        let between = self.after(&self.normal(&p));
        let after = self.after(&p);
        let (v, middle, end) = (self.before(), self.velocities(&between), self.velocities(&after));
        let scale = size(&self.speeds);
        for (row, contact) in self.places() {
            if !contact.active {
                let rows = if contact.friction.is_some() { 3 } else { 1 };
                assert!(p[row..row + rows].iter().all(|&p| p == 0.0));
                continue;
            }
            let mobility = size(&self.rows[row]);
            let rises = middle[row] + contact.restitution * v[row].min(0.0);
            assert!(p[row] >= 0.0);
            assert!(rises >= -tolerance * scale * mobility, "{rises}");
            assert!((p[row] * mobility).min(rises.abs()) < tolerance * scale * mobility, "{rises}");
            if let Some(friction) = contact.friction {
                let (rub, slip) = (&p[row + 1..row + 3], &end[row + 1..row + 3]);
                let (limit, mobility) = (friction * p[row], self.mobility(row));
                assert!(size(rub) <= limit * (1.0 + 1e-14));
                if size(rub) < limit * (1.0 - 1e-9) {
                    assert!(size(slip) < tolerance * scale * mobility, "sticks: {slip:?}");
                } else {
                    let loss = dot(rub, slip) + limit * size(slip);
                    assert!(loss.abs() < 1e-9 * limit * size(slip) + tolerance * scale, "{loss}");
                }
            }
        }
        let energies = [&self.speeds, &between, &after].map(|u| 0.5 * dot(u, u));
        assert!(energies[1] <= energies[0] * (1.0 + 1e-13), "{energies:?}");
        assert!(energies[2] <= energies[1] + energies[0] * 1e-13, "{energies:?}");
    }

    fn mobility(&self, row: usize) -> f64 {
        size(&self.rows[row + 1]).max(size(&self.rows[row + 2]))
    }
}

fn solve<S: Scalar>(w: &[S], v: &[S], contacts: &[Contact<S>]) -> Vec<S> {
    let n = v.len();
    let (mut reduced, mut factor) = (vec![0.0; n * n], vec![0.0; n * n]);
    let (mut vectors, mut active) = (vec![0.0; VECTORS * n], vec![ActiveContact::default(); n]);
    let mut p = vec![S::from(f64::NAN); n];
    let scratch = Scratch {
        matrices: [&mut reduced, &mut factor],
        vectors: &mut vectors,
        active: &mut active,
    };
    impulses_slice(w, v, contacts, scratch, &mut p);
    p
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let difference: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    size(&difference)
}

#[test]
fn both_laws_hold_and_no_stage_adds_energy() {
    let mut random = Random(1);
    for round in 0..2000 {
        let (contacts, speeds) = (1 + random.below(8), 1 + random.below(14));
        let friction = round % 3 != 0;
        Problem::random(&mut random, contacts, speeds, friction).check(1e-11);
    }
}

#[test]
fn speeds_depend_neither_on_the_order_of_contacts_nor_on_axes() {
    let mut random = Random(2);
    for _ in 0..1000 {
        let (contacts, speeds) = (1 + random.below(8), 1 + random.below(14));
        let problem = Problem::random(&mut random, contacts, speeds, true);
        let expected = problem.after(&problem.impulses());
        for other in [problem.shuffled(&mut random), problem.turned(&mut random)] {
            let found = other.after(&other.impulses());
            assert!(distance(&found, &expected) < 1e-10 * size(&problem.speeds));
        }
    }
}

/// A body of unit mass that falls and turns on feet around it, with friction.
fn on_feet(random: &mut Random, feet: usize) -> Problem {
    let mut problem = Problem { rows: vec![], speeds: vec![], contacts: vec![] };
    for foot in 0..feet {
        let (s, c) = (std::f64::consts::TAU * foot as f64 / feet as f64).sin_cos();
        // Speeds: three of the centre, three of rotation; the foot is at (c, -1, s).
        problem.rows.push(vec![0.0, 1.0, 0.0, -s, 0.0, c]);
        problem.rows.push(vec![1.0, 0.0, 0.0, 0.0, s, 1.0]);
        problem.rows.push(vec![0.0, 0.0, 1.0, -1.0, -c, 0.0]);
        problem.contacts.push(Contact { active: true, restitution: 0.3, friction: Some(0.4) });
    }
    problem.speeds = random.numbers(6).iter().map(|x| 0.3 * x).collect();
    problem.speeds[1] = -1.0;
    problem
}

#[test]
fn a_body_on_any_number_of_feet_has_one_motion_after_the_impact() {
    let mut random = Random(3);
    for round in 0..300 {
        let problem = on_feet(&mut random, 3 + round % 10);
        problem.check(1e-12);
        let p = problem.impulses();
        let expected = problem.after(&p);
        let other = problem.shuffled(&mut random).turned(&mut random);
        let q = other.impulses();
        assert!(distance(&other.after(&q), &expected) < 1e-12);
        // The three conditions on normal impulses have only one solution of least norm.
        let sorted = |problem: &Problem, p: &[f64]| {
            let mut all: Vec<f64> = problem.places().iter().map(|&(row, _)| p[row]).collect();
            all.sort_by(f64::total_cmp);
            all
        };
        assert!(distance(&sorted(&problem, &p), &sorted(&other, &q)) < 1e-10);
    }
}

#[test]
fn a_smooth_contact_rebounds_with_its_restitution_to_the_last_bit() {
    let mut random = Random(4);
    for _ in 0..100 {
        let (w, v, e) = (random.number().abs(), -random.number().abs(), random.number().abs());
        let contact = Contact { active: true, restitution: e, friction: None };
        assert_eq!(impulses(&[w], &[v], &[contact]), [-(v + e * v) / w]);
        assert_eq!(impulses(&[w], &[-v], &[contact]), [0.0], "it separates");
        let missed = Contact { active: false, ..contact };
        assert_eq!(impulses(&[w], &[v], &[missed]), [0.0]);
    }
}

#[test]
fn a_spinning_ball_slides_or_sticks_as_coulomb_says() {
    // Unit mass, moment of inertia 0.4, radius 1: tangential velocities change 3.5 per impulse.
    let w = [1.0, 0.0, 0.0, 0.0, 3.5, 0.0, 0.0, 0.0, 3.5];
    let rough = |mu| [Contact { active: true, restitution: 0.5, friction: Some(mu) }];
    let v = [-2.0, 3.0, -4.0];
    let [normal, x, y] = impulses(&w, &v, &rough(0.2));
    assert_eq!(normal, 3.0);
    assert!((x + 0.6 * 0.6).abs() < 1e-15 && (y - 0.6 * 0.8).abs() < 1e-15, "it slides");
    let [_, x, y] = impulses(&w, &v, &rough(1.0));
    assert!((x + 3.0 / 3.5).abs() < 1e-15 && (y - 4.0 / 3.5).abs() < 1e-15, "it sticks");
    assert_eq!(impulses(&w, &v, &rough(0.0)), [3.0, 0.0, 0.0]);
    assert_eq!(impulses(&w, &v, &rough(-1.0)), [3.0, 0.0, 0.0]);
    assert_eq!(impulses(&w, &[-2.0, 0.0, 0.0], &rough(0.2)), [3.0, 0.0, 0.0]);
}

/// Touching balls of equal mass in a row.
fn row_of_balls(speeds: &[f64], active: impl Fn(usize) -> bool) -> Problem {
    let n = speeds.len();
    let gap = |k: usize| (0..n).map(|i| f64::from(i == k + 1) - f64::from(i == k)).collect();
    let contact = |k| Contact { active: active(k), restitution: 1.0, friction: None };
    Problem {
        rows: (0..n - 1).map(gap).collect(),
        speeds: speeds.to_vec(),
        contacts: (0..n - 1).map(contact).collect(),
    }
}

#[test]
fn a_cradle_solved_pass_by_pass_hands_the_speed_to_the_last_ball() {
    let mut speeds = vec![1.0, 0.0, 0.0, 0.0, 0.0];
    for pass in 0..4 {
        let before = row_of_balls(&speeds, |_| false);
        let approach = before.before();
        let problem = row_of_balls(&speeds, |k| approach[k] < 0.0);
        assert_eq!(problem.contacts.iter().filter(|contact| contact.active).count(), 1);
        speeds = problem.after(&problem.impulses());
        assert_eq!(speeds[pass + 1], 1.0);
    }
    assert_eq!(speeds, [0.0, 0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn balls_that_meet_from_both_sides_exchange_speeds() {
    let problem = row_of_balls(&[2.0, 0.0, -2.0], |_| true);
    let speeds = problem.after(&problem.impulses());
    assert!(distance(&speeds, &[-2.0, 0.0, 2.0]) < 1e-14);
}

#[test]
fn scales_of_masses_and_speeds_do_not_matter() {
    let mut random = Random(5);
    for _ in 0..300 {
        let mut problem = Problem::random(&mut random, 6, 9, true);
        // Each row has units of its own, as with velocities of light and of heavy bodies.
        for (row, contact) in problem.places() {
            let factor = 10_f64.powf(5.0 * random.number());
            let rows = if contact.friction.is_some() { 3 } else { 1 };
            for row in &mut problem.rows[row..row + rows] {
                row.iter_mut().for_each(|x| *x *= factor);
            }
        }
        let factor = 10_f64.powf(6.0 * random.number());
        problem.speeds.iter_mut().for_each(|u| *u *= factor);
        problem.check(1e-11);
    }
}

#[test]
fn contacts_that_nearly_coincide_are_solved_to_rounding() {
    let mut random = Random(6);
    for exponent in 1..9 {
        for _ in 0..20 {
            let mut problem = Problem::random(&mut random, 3, 6, false);
            for k in 0..3 {
                let mut twin = problem.rows[k].clone();
                let away = random.numbers(6);
                let small = 10_f64.powi(-exponent);
                twin.iter_mut().zip(&away).for_each(|(x, away)| *x += small * away);
                let active = dot(&twin, &problem.speeds) < 0.0;
                problem.contacts.push(Contact { active, ..problem.contacts[k] });
                problem.rows.push(twin);
            }
            problem.check(1e-10);
        }
    }
}

#[test]
fn a_ball_wedged_between_walls_stops() {
    // Both walls are active: neither can throw the ball back.
    let contact = Contact { active: true, restitution: 1.0, friction: None };
    let problem = Problem {
        rows: vec![vec![1.0, 0.0], vec![-1.0, 0.0], vec![0.0, 1.0]],
        speeds: vec![-1.0, -1.0],
        contacts: vec![contact; 3],
    };
    let speeds = problem.after(&problem.impulses());
    assert!(distance(&speeds, &[0.0, 1.0]) < 1e-14, "{speeds:?}");
    // Velocities that contradict each other.
    let p = impulses(&[1.0, -1.0, -1.0, 1.0], &[-1.0, -1.0], &[contact; 2]);
    assert_eq!(p, [0.0, 0.0]);
}

#[test]
fn rows_that_cannot_move_get_no_impulse() {
    let contact = Contact { active: true, restitution: 1.0, friction: None };
    assert_eq!(impulses(&[0.0], &[-1.0], &[contact]), [0.0]);
    assert_eq!(impulses(&[0.0, 0.0, 0.0, 2.0], &[-1.0, -1.0], &[contact; 2]), [0.0, 1.0]);
    let rough = Contact { friction: Some(0.5), ..contact };
    assert_eq!(impulses(&[0.0; 9], &[-1.0, 1.0, 1.0], &[rough]), [0.0; 3]);
    // A guide allows motion along the first tangent only; friction along the second one moves
    // nothing.
    let w = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    let [_, x, y] = impulses(&w, &[-1.0, 30.0, 0.0], &[rough]);
    assert_eq!((x, y), (-1.0, 0.0));
    let [_, x, y] = impulses(&w, &[-1.0, 30.0, 30.0], &[rough]);
    assert!(x > -0.75 && x < -0.6 && (x.hypot(y) - 1.0).abs() < 1e-15);
}

#[test]
fn numbers_that_are_not_finite_affect_active_contacts_only() {
    let contact = Contact { active: true, restitution: 1.0, friction: None };
    let missed = Contact { active: false, ..contact };
    for bad in [f64::NAN, f64::INFINITY] {
        let w = [1.0, bad, bad, bad];
        assert_eq!(impulses(&w, &[-1.0, bad], &[contact, missed]), [2.0, 0.0]);
        let p = impulses(&[1.0, 0.0, 0.0, 1.0], &[-1.0, bad], &[contact; 2]);
        assert!(p.iter().all(|p| p.is_nan()));
        assert!(impulses(&w, &[-1.0; 2], &[contact; 2])[0].is_nan());
        let bad = Contact { restitution: bad, ..contact };
        assert!(impulses(&[1.0], &[-1.0], &[bad])[0].is_nan());
    }
    assert_eq!(impulses::<f64, 0, 0>(&[], &[], &[]), []);
}

#[test]
fn tangents_are_derivatives_of_the_speeds_after_the_impact() {
    let mut random = Random(8);
    let mut compared = 0;
    for _ in 0..200 {
        let problem = Problem::random(&mut random, 4, 12, true);
        let n = problem.rows.len();
        let direction: Vec<Vec<f64>> = (0..n + 1).map(|_| random.numbers(12)).collect();
        let slopes: Vec<f64> = random.numbers(2 * problem.contacts.len());
        let moved = |h: f64| {
            let mut moved = problem.clone();
            for (row, direction) in moved.rows.iter_mut().zip(&direction) {
                row.iter_mut().zip(direction).for_each(|(x, d)| *x += h * d);
            }
            moved.speeds.iter_mut().zip(&direction[n]).for_each(|(x, d)| *x += h * d);
            for (contact, slopes) in moved.contacts.iter_mut().zip(slopes.chunks(2)) {
                contact.restitution += h * slopes[0];
                contact.friction = contact.friction.map(|mu| mu + h * slopes[1]);
            }
            moved
        };
        let h = 1e-6;
        let (left, right) = (moved(-h), moved(h));
        let (lower, value, upper) = (left.impulses(), problem.impulses(), right.impulses());
        // There is no derivative where the set of active constraints changes.
        let pattern = |problem: &Problem, p: &[f64]| -> Vec<(bool, bool)> {
            let places = problem.places();
            let state = |&(row, contact): &(usize, Contact<f64>)| {
                let sticks = contact
                    .friction
                    .is_some_and(|mu| size(&p[row + 1..row + 3]) < mu * p[row] * (1.0 - 1e-9));
                (p[row] > 0.0, sticks)
            };
            places.iter().map(state).collect()
        };
        if pattern(&left, &lower) != pattern(&right, &upper) {
            continue;
        }
        let dual = |f: &dyn Fn(&Problem) -> Vec<f64>| -> Vec<Dual> {
            let (a, b, c) = (f(&left), f(&problem), f(&right));
            (0..b.len()).map(|i| Dual::new(b[i], (c[i] - a[i]) / (2.0 * h))).collect()
        };
        let restitution = dual(&|p| p.contacts.iter().map(|c| c.restitution).collect());
        let friction = dual(&|p| p.contacts.iter().map(|c| c.friction.unwrap_or(0.0)).collect());
        let contacts: Vec<Contact<Dual>> = problem
            .contacts
            .iter()
            .enumerate()
            .map(|(i, contact)| Contact {
                active: contact.active,
                restitution: restitution[i],
                friction: contact.friction.map(|_| friction[i]),
            })
            .collect();
        let found = solve(&dual(&Problem::matrix), &dual(&Problem::before), &contacts);
        for i in 0..n {
            assert_eq!(found[i].value, value[i], "the tangent does not change the value");
            let slope = (upper[i] - lower[i]) / (2.0 * h);
            let error = (found[i].tangent - slope).abs();
            assert!(error < 1e-5 * (1.0 + slope.abs()), "{} {slope}", found[i].tangent);
        }
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

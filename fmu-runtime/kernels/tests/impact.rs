//! Impulses of impacts: their laws, energy, and independence of the order of contacts and of axes.

use kernels::impact::{Contact, Mark, Scratch, VECTORS, impulses_slice};

/// Deterministic numbers in (-1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, n: usize) -> usize {
        (0.5 * (self.next() + 1.0) * n as f64) as usize
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

/// A mechanism of unit masses: rows of its contacts, speeds, contacts.
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
    /// Contacts with random rows; those that approach are struck.
    fn random(random: &mut Random, contacts: usize, speeds: usize, friction: bool) -> Problem {
        let mut problem = Problem { rows: vec![], speeds: random.vector(speeds), contacts: vec![] };
        for _ in 0..contacts {
            let rough = friction && random.next() > -0.5;
            let normal = random.vector(speeds);
            let struck = dot(&normal, &problem.speeds) < 0.0;
            problem.rows.push(normal);
            if rough {
                problem.rows.push(random.vector(speeds));
                problem.rows.push(random.vector(speeds));
            }
            problem.contacts.push(Contact {
                struck,
                restitution: [0.0, 1.0, 0.5 * (1.0 + random.next())][random.below(3)],
                friction: rough.then(|| random.next().abs()),
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
                let (s, c) = (3.0 * random.next()).sin_cos();
                for k in 0..self.speeds.len() {
                    let (x, y) = (self.rows[row + 1][k], self.rows[row + 2][k]);
                    (turned.rows[row + 1][k], turned.rows[row + 2][k]) =
                        (c * x + s * y, c * y - s * x);
                }
            }
        }
        turned
    }

    /// Both laws, and energy stage by stage.
    fn check(&self, tolerance: f64) {
        let p = self.impulses();
        let between = self.after(&self.normal(&p));
        let after = self.after(&p);
        let (v, middle, end) = (self.before(), self.velocities(&between), self.velocities(&after));
        let scale = size(&self.speeds);
        for (row, contact) in self.places() {
            if !contact.struck {
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

fn solve(w: &[f64], v: &[f64], contacts: &[Contact<f64>]) -> Vec<f64> {
    let n = v.len();
    let (mut reduced, mut factor) = (vec![0.0; n * n], vec![0.0; n * n]);
    let (mut vectors, mut marks) = (vec![0.0; VECTORS * n], vec![Mark::default(); n]);
    let mut p = vec![f64::NAN; n];
    let scratch =
        Scratch { matrices: [&mut reduced, &mut factor], vectors: &mut vectors, marks: &mut marks };
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
            assert!(distance(&found, &expected) < 1e-9 * size(&expected).max(1e-3));
        }
    }
}

//! An interpreted model that is integrated as in an FMU, and its energy.

use super::energy;
use super::events::next_event;
use equations::{Failure, Interpreter, RelationKind, Stage};
use fmu_runtime::integrate::{Flow, Integrator, Method, Outcome, Stop};

/// Half the width of the band in which a relation keeps its value, as in the run time.
const HYSTERESIS: f64 = 1e-10;

/// A simulation that keeps account of its energy.
pub struct Motion {
    /// The model.
    pub model: Interpreter,
    /// Events so far.
    pub events: usize,
    /// Relative tolerance.
    pub tolerance: f64,
    /// Which method.
    pub method: Method,
    /// The last evaluation that failed.
    pub failure: Option<Failure>,
    sources: Vec<[String; 2]>,
    losses: Vec<String>,
    work: f64,
    loss: f64,
    turnover: f64,
}

/// The model, with the powers as derivatives of further states.
struct Account<'a>(&'a mut Motion);

impl Account<'_> {
    /// Moves the model to a point of the present mode.
    fn move_to(&mut self, t: f64, x: &[f64]) -> Result<(), Stop> {
        let model = &mut self.0.model;
        let n = model.x.len();
        model.t = t;
        model.x.copy_from_slice(&x[..n]);
        // What belongs to parameters and modes is up to date.
        let moving = Stage::ALL.into_iter().skip_while(|stage| *stage != Stage::Time);
        moving.into_iter().try_for_each(|stage| model.advance(stage)).map_err(|failure| {
            self.0.failure = Some(failure);
            Stop::NotFinite
        })
    }
}

impl Flow for Account<'_> {
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Stop> {
        self.move_to(t, x)?;
        let n = self.0.model.x.len();
        dx[..n].copy_from_slice(&self.0.model.dx);
        dx[n..].copy_from_slice(&self.0.powers());
        Ok(())
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), Stop> {
        self.move_to(t, x)?;
        let model = &mut self.0.model;
        model.relations().map_err(|_| Stop::NotFinite)?;
        let kinds = model.program().relation_kinds();
        let states = (0..kinds.len()).filter(|&k| kinds[k] == RelationKind::State);
        for (z, k) in z.iter_mut().zip(states) {
            *z = model.d[k] + if model.r[k] { HYSTERESIS } else { -HYSTERESIS };
        }
        Ok(())
    }

    fn jacobian(
        &mut self,
        t: f64,
        x: &[f64],
        jacobian: &mut [f64],
        dfdt: &mut [f64],
    ) -> Result<(), Stop> {
        // The account has no influence on the motion.
        let (n, m) = (x.len(), self.0.model.x.len());
        let mut x = x.to_vec();
        let (mut here, mut there) = (vec![0.0; n], vec![0.0; n]);
        self.derivatives(t, &x, &mut here)?;
        jacobian.fill(0.0);
        for j in 0..m {
            let (at, h) = (x[j], 1e-7 * (1.0 + x[j].abs()));
            x[j] = at + h;
            self.derivatives(t, &x, &mut there)?;
            x[j] = at;
            (0..n).for_each(|i| jacobian[i * n + j] = (there[i] - here[i]) / h);
        }
        self.derivatives(t + 1e-6, &x, &mut there)?;
        (0..n).for_each(|i| dfdt[i] = (there[i] - here[i]) / 1e-6);
        Ok(())
    }

    fn accept(&mut self, _: f64, _: &[f64]) -> Result<(), Stop> {
        self.0.model.anchor = self.0.model.z.clone();
        Ok(())
    }
}

impl Motion {
    /// A model after its start, whose sources have torques and speeds of these names.
    pub fn new(model: Interpreter, sources: Vec<[String; 2]>) -> Motion {
        let variables = &model.program().description().variables;
        let all = variables.iter().map(|v| v.name.clone());
        let all: Vec<String> = all.filter(|name| name.ends_with(".lossPower")).collect();
        // A gearbox says the sum of what its parts say.
        let whole = |name: &&String| name.matches('.').count() == 1;
        let losses = all.iter().filter(whole).cloned().collect();
        Motion {
            model,
            events: 0,
            tolerance: 1e-8,
            method: Method::Auto,
            failure: None,
            sources,
            losses,
            work: 0.0,
            loss: 0.0,
            turnover: 0.0,
        }
    }

    /// Power of the sources, power of the losses, and both without their signs.
    fn powers(&mut self) -> [f64; 3] {
        for stage in Stage::ALL {
            self.model.report(stage).expect("evaluation succeeds");
        }
        let get = |name: &String| self.model.reported(name).unwrap_or_else(|| panic!("{name}?"));
        let each = self.sources.iter().map(|[torque, speed]| -get(torque) * get(speed));
        let (work, driving) = each.fold((0.0, 0.0), |(w, d), p: f64| (w + p, d + p.abs()));
        let loss: f64 = self.losses.iter().map(get).sum();
        [work, loss, driving + loss.abs()]
    }

    /// Simulates until `end`.
    pub fn run(&mut self, end: f64) -> Result<(), String> {
        self.run_watched(end, |_| Ok(()))
    }

    /// The same, with a look at every step and every event.
    pub fn run_watched(
        &mut self,
        end: f64,
        mut look: impl FnMut(&mut Motion) -> Result<(), String>,
    ) -> Result<(), String> {
        let n = self.model.x.len();
        let nominal = vec![1.0; n + 3];
        let kinds = self.model.program().relation_kinds();
        let indicators = kinds.iter().filter(|kind| **kind == RelationKind::State).count();
        let mut words = vec![0.0; Integrator::words(n + 3, indicators)];
        let nominal = &nominal[..];
        let (method, tolerance) = (self.method, self.tolerance);
        let watching = Integrator { nominal, indicators, method, tolerance, max_step: 0.0 };
        self.restart(&watching, &mut words)?;
        let (mut crowded, mut last) = (0, f64::NEG_INFINITY);
        while self.model.t < end {
            let due = next_event(&mut self.model);
            let limit = end.min(due);
            let step = watching.step(&mut words, &mut Account(self), limit);
            let step = step.map_err(|stop| format!("t = {}: {stop:?}", self.model.t))?;
            let event = step == Outcome::Event;
            self.take_over(&watching, &words)?;
            look(self)?;
            let over = Integrator::time(&words) >= due;
            if event || over {
                self.events += 1;
                crowded = if self.model.t - last <= 1e-9 { crowded + 1 } else { 0 };
                last = self.model.t;
                if crowded > 200 || self.events > 20_000 {
                    return Err(format!("t = {}: events without progress", self.model.t));
                }
                self.settle()?;
                look(self)?;
                self.restart(&watching, &mut words)?;
            }
        }
        Ok(())
    }

    fn settle(&mut self) -> Result<(), String> {
        let settled = self.model.settle().map(|_| ());
        settled.map_err(|why| format!("t = {}: {why}", self.model.t))
    }

    /// The states of the model and the account at the end of a step.
    fn take_over(&mut self, integrator: &Integrator<'_>, words: &[f64]) -> Result<(), String> {
        let (t, x) = (Integrator::time(words), integrator.states(words).to_vec());
        Account(self).move_to(t, &x).map_err(|stop| format!("{stop:?}"))?;
        let [work, loss, turnover] = x[self.model.x.len()..] else { unreachable!("three sums") };
        (self.work, self.loss, self.turnover) = (work, loss, turnover);
        Ok(())
    }

    fn restart(&mut self, integrator: &Integrator<'_>, words: &mut [f64]) -> Result<(), String> {
        self.model.climb().map_err(|failure| failure.to_string())?;
        let sums = [self.work, self.loss, self.turnover];
        let x: Vec<f64> = self.model.x.iter().copied().chain(sums).collect();
        let done = integrator.restart(words, self.model.t, &x, &mut Account(self));
        done.map_err(|stop| format!("{stop:?}"))
    }

    /// The energy that impacts have taken, in J: what the model says of it. No other event may
    /// change the energy.
    pub fn impacts(&mut self) -> f64 {
        self.model.value_of("energy.lost_in_impacts").unwrap_or(0.0)
    }

    /// What is missing in the account since energy was `before`, and the size to compare it with.
    pub fn missing(&mut self, before: f64) -> (f64, f64) {
        let change = energy(&mut self.model) - before;
        let impacts = self.impacts();
        let missing = self.work - self.loss - impacts - change;
        (missing, self.turnover + impacts.abs() + before.abs())
    }
}

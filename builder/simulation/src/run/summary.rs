//! The summary of a simulation for the terminal.

use std::fmt::Write;
use std::time::Duration;

use super::outcome::RunOutcome;
use super::step_times::StepTimes;
use fmus::csv::number;
use fmus::fmi::FmuType;
use fmus::wording;

/// Maximum number of final values; more are in the CSV file only.
const MAX_VALUES: usize = 20;

/// A few lines for the terminal.
pub fn summary(model: &str, outcome: &RunOutcome) -> String {
    let mut text = String::new();
    let _ = lines(&mut text, model, outcome);
    text
}

fn lines(text: &mut String, model: &str, o: &RunOutcome) -> std::fmt::Result {
    let e = &o.experiment;
    let step = number(e.step);
    write!(text, "{model}: {}, {} s to {} s, ", o.fmu_type, number(e.start), number(e.stop))?;
    write!(text, "step {step} s")?;
    match e.tolerance {
        Some(tolerance) => writeln!(text, ", tolerance {}", number(tolerance))?,
        None => writeln!(text)?,
    }
    let s = &o.statistics;
    let per_step = s.elapsed / u32::try_from(s.steps.max(1)).unwrap_or(u32::MAX);
    let (total, per_step) = (duration(s.elapsed), duration(per_step));
    writeln!(text, "  steps: {} in {total}, {per_step} per step", s.steps)?;
    if let Some(work) = &o.work {
        writeln!(text, "  solver: {work}")?;
    }
    if let Some(times) = &o.step_times {
        step_times(text, times, e.step)?;
    }
    if o.fmu_type == FmuType::ModelExchange {
        let (rejected, evaluations) = (s.rejected, s.evaluations);
        writeln!(text, "  integrator: {rejected} rejected, {evaluations} evaluations")?;
        let (state, time) = (s.state_events.unwrap_or(0), s.time_events.unwrap_or(0));
        let input = s.input_events.unwrap_or(0);
        write!(text, "  events: {} ({state} state, {time} time", state + time + input)?;
        if input > 0 {
            write!(text, ", {input} input")?;
        }
        writeln!(text, ")")?;
    }
    if let Some((time, message)) = &o.terminated {
        let message = if message.is_empty() { String::new() } else { format!(": {message}") };
        writeln!(text, "  the model stopped at {} s{message}", number(*time))?;
    }
    let Some((time, row)) = o.table.time.last().zip(o.table.rows.last()) else { return Ok(()) };
    writeln!(text, "  at {} s:", number(*time))?;
    let width = o.signals.iter().take(MAX_VALUES).map(|s| s.name.chars().count()).max();
    let width = width.unwrap_or(0);
    for (signal, value) in o.signals.iter().zip(row).take(MAX_VALUES) {
        let unit = wording::unit_suffix(signal.unit());
        writeln!(text, "    {:width$} = {}{unit}", signal.name, number(*value))?;
    }
    if o.signals.len() > MAX_VALUES {
        writeln!(text, "    and {} more", o.signals.len() - MAX_VALUES)?;
    }
    Ok(())
}

/// The distribution of the times of steps, compared with the communication step in s.
fn step_times(text: &mut String, times: &StepTimes, step: f64) -> std::fmt::Result {
    let quantiles = times.quantiles([0.5, 0.99, 0.999]);
    let Some(((start, longest), quantiles)) = times.longest().zip(quantiles) else { return Ok(()) };
    let [median, most, nearly_all] = quantiles.map(duration);
    write!(text, "  real time: fmi2DoStep takes {median} (median), ")?;
    write!(text, "{most} (99 %), {nearly_all} (99.9 %), ")?;
    write!(text, "{} (longest, from {} s)", duration(longest), number(start))?;
    match times.late(step) {
        0 => writeln!(text, "; no step takes longer than {} s", number(step)),
        late => writeln!(text, "; {late} steps take longer than {} s", number(step)),
    }
}

/// A duration with three digits and a suitable unit.
pub fn duration(d: Duration) -> String {
    let seconds = d.as_secs_f64();
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "us"),
        s => (s * 1e9, "ns"),
    };
    let decimals = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.decimals$} {unit}")
}

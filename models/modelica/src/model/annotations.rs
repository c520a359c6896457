//! What annotations of a model and of its components say.

use super::{named, value_of};
use crate::evaluate::Evaluator;
use crate::instance::{Instance, Members, Scope};
use crate::source::{Checked, Complaint};
use crate::syntax::{Argument, ArgumentKind};
use equations::schematic::Place;
use mechanics::Assembly;
use std::rc::Rc;

/// The interval of results where a text gives none, in s.
const DEFAULT_INTERVAL: f64 = 1e-3;

/// What `annotation(experiment(StopTime = 5))` of a model says about its default experiment.
///
/// # Errors
/// A value is no number.
pub fn experiment(
    evaluator: &Evaluator<'_>,
    root: &Rc<Instance>,
    assembly: &mut Assembly,
) -> Checked<()> {
    let annotation = &root.class.syntax.annotation;
    let (mut end, mut has_interval) = (None, false);
    for argument in named(annotation, "experiment").into_iter().flatten() {
        let ArgumentKind::Modify(name, modification) = &argument.kind else { continue };
        let Some(value) = &modification.value else { continue };
        let instance = Some(Rc::clone(root));
        let scope = Scope { instance, class: Rc::clone(&root.class), frame: None };
        let number = evaluator.value(value, &scope)?;
        let number = number.real().map_err(|why| Complaint::at(&value.span, why))?;
        let number = evaluator.number(number, &value.span)?;
        match &*name.to_string() {
            "StopTime" => {
                end = Some(number);
                assembly.stop_time(number);
            }
            "StartTime" if number != 0.0 => {
                let note = format!("the experiment starts at 0 s, not at {number} s");
                evaluator.notes.borrow_mut().push(note);
            }
            "Tolerance" => assembly.tolerance(number),
            "Interval" => {
                has_interval = true;
                assembly.step_size(number);
            }
            _ => {}
        }
    }
    // The default is 500 intervals; ours is longer than short experiments.
    if let Some(end) = end.filter(|end| !has_interval && *end < 500.0 * DEFAULT_INTERVAL) {
        assembly.step_size(end / 500.0);
    }
    Ok(())
}

/// The places of the components of a model in its diagram, by the names of the components.
pub fn places(evaluator: &Evaluator<'_>, members: &Members) -> Vec<(String, Place)> {
    let places = members.list.iter().filter_map(|member| {
        let declaration = &member.declaration;
        let placement = named(&declaration.annotation, "Placement")?;
        let scope = Scope { instance: None, class: Rc::clone(&member.scope.class), frame: None };
        let place = place(evaluator, named(placement, "transformation")?, &scope)?;
        Some((declaration.name.text.to_string(), place))
    });
    places.collect()
}

/// The place that `transformation(extent, origin, rotation)` states; none if it is no picture of
/// numbers.
fn place(evaluator: &Evaluator<'_>, arguments: &[Argument], scope: &Scope) -> Option<Place> {
    let numbers = |name: &str| numbers(evaluator, arguments, name, scope);
    let [x1, y1, x2, y2] = numbers("extent")?.try_into().ok()?;
    let origin = numbers("origin").unwrap_or_else(|| vec![0.0, 0.0]);
    let [x0, y0]: [f64; 2] = origin.try_into().ok()?;
    let rotation = numbers("rotation").and_then(|of| of.first().copied()).unwrap_or(0.0);
    let (sine, cosine) = rotation.to_radians().sin_cos();
    let (x, y) = ((x1 + x2) / 2.0, (y1 + y2) / 2.0);
    let (x, y) = (x0 + x * cosine - y * sine, y0 + x * sine + y * cosine);
    Some(Place { x, y, rotation, mirrored: x1 > x2 })
}

/// The numbers of an argument.
fn numbers(
    evaluator: &Evaluator<'_>,
    arguments: &[Argument],
    name: &str,
    scope: &Scope,
) -> Option<Vec<f64>> {
    let expression = value_of(arguments, name)?;
    let value = evaluator.value(expression, scope).ok()?;
    let numbers = value.scalars().into_iter().map(|scalar| scalar.real().ok()?.constant_value());
    numbers.collect()
}

//! What annotations of a model and of its components say.

use super::{named, value_of};
use crate::evaluate::Evaluator;
use crate::instance::{Members, Scope};
use crate::syntax::Argument;
use equations::schematic::Place;
use std::rc::Rc;

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

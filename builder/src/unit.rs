//! Units as a person reads them: a number without unit has none, although FMI calls its unit `1`.

/// The unit, unless it is that of numbers without one.
pub fn shown(unit: Option<&str>) -> Option<&str> {
    unit.filter(|unit| *unit != "1")
}

/// What follows a number: a blank and the unit, if that is shown.
pub fn suffix(unit: Option<&str>) -> String {
    shown(unit).map(|unit| format!(" {unit}")).unwrap_or_default()
}

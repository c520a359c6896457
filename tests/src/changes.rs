//! Changes of model texts that are equivalent to changes of parameters.

/// A change of a model text, and the equivalent FMI parameter.
pub struct Change {
    /// The model's name.
    pub model: &'static str,
    /// The original text.
    pub old: &'static str,
    /// The changed text.
    pub new: &'static str,
    /// The equivalent parameter.
    pub parameter: &'static str,
    /// Its value for the new text.
    pub value: f64,
}

/// The changes.
pub const CHANGES: [Change; 6] = [
    // A mass, which depends on the diameter of a cylinder.
    Change {
        model: "fourbar2",
        old: "0.5, 0.1]).diameter(0.05)",
        new: "0.5, 0.1]).diameter(0.07)",
        parameter: "b1.diameter",
        value: 0.07,
    },
    // A position, which determines the rod's length.
    Change {
        model: "fourbar2",
        old: "BodyCylinder::new().r([0.0, 0.2, 0.0])",
        new: "BodyCylinder::new().r([0.0, 0.25, 0.0])",
        parameter: "b2.r[2]",
        value: 0.25,
    },
    // A start value.
    Change {
        model: "fourbar1",
        old: "300_f64.to_radians()",
        new: "6",
        parameter: "j1.w",
        value: 6.0,
    },
    // A moment of inertia.
    Change {
        model: "coupled_clutches",
        old: "\"J2\": Inertia::new().J(1)",
        new: "\"J2\": Inertia::new().J(1.3)",
        parameter: "J2.J",
        value: 1.3,
    },
    // The instant of a time event.
    Change {
        model: "coupled_clutches",
        old: "start_time(0.9)",
        new: "start_time(0.85)",
        parameter: "step2.startTime",
        value: 0.85,
    },
    // A coefficient of restitution.
    Change {
        model: "bouncing_ball",
        old: "\"e\", 0.7",
        new: "\"e\", 0.6",
        parameter: "e",
        value: 0.6,
    },
];

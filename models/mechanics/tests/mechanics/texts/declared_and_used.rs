//! Equations of a component use the names that its declaration lists, and all that are connected.

use crate::common::{notes, refusal, start, value};
use libraries::rotational::Inertia;
use libraries::signals::Constant;
use mechanics::assembly::Assembly;
use mechanics::component::{Contribution, Starts};
use mechanics::declaration::prelude::*;
use mechanics::domain::{ROTATIONAL, TRANSLATIONAL};

/// What the equations of a component state.
type Equations = fn(&mut Contribution<'_>) -> Result<(), Error>;

/// The choice of equations.
#[derive(Clone, Copy, Debug)]
pub struct Chosen(Equations);

impl Setting for Chosen {
    type Declared = Equations;

    fn declare(
        self,
        _: &mut Contribution<'_>,
        _: &'static mechanics::declaration::Parameter,
    ) -> Result<Equations, Error> {
        Ok(self.0)
    }
}

mechanics::component! {
    /// Filter with a flange.
    pub struct Filter {
        /// Its equations
        equations: Chosen,
    }
    ports {
        /// Value
        u: Input,
        /// Shaft
        shaft: Flange,
    }
    variables {
        /// Result
        y: Real["1"],
        /// Result in some cases
        rare?: Real["1"],
    }
}

impl Component for Filter {
    fn contribute(p: FilterParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        (p.equations)(c)
    }
}

/// The sentence about a filter with these equations.
fn refused(equations: Equations) -> String {
    refusal(|m| filtered(m, equations))
}

fn filtered(m: &mut Assembly, equations: Equations) {
    let one = m.add("one", Constant::new().k(1));
    let filter = m.add("filter", Filter::new().equations(Chosen(equations)));
    m.connect(one.y, filter.u);
}

fn passed(c: &mut Contribution<'_>, u: &'static str, y: &'static str) -> Result<(), Error> {
    let u = c.optional_input(u);
    c.output(y, move |e| u.map_or(Ok(Ex::zero()), |u| e.read(u)));
    Ok(())
}

/// Publishes the result as 2 in a law, which may read it first.
fn publish_two(c: &mut Contribution<'_>, reads: bool) {
    c.law(move |e| {
        if reads {
            e.read_own("y")?;
        }
        e.variable("y", 2.0);
        Ok(())
    });
}

#[test]
fn names_of_the_declaration_are_accepted() {
    assert_eq!(refused(|c| passed(c, "u", "y")), "");
    // Components of a family may have a heat port or not.
    let without_heat: Equations = |c| {
        assert!(c.heat_port("heatPort").is_none());
        passed(c, "u", "y")
    };
    assert_eq!(refused(without_heat), "");
}

#[test]
fn ports_that_the_declaration_does_not_list_are_refused() {
    let sentence = |port: &str, kind: &str, others: &str| {
        format!(
            "filter.{port}: the equations of Filter use this port of type {kind}, but its \
             declaration does not list it; the ports of this type are: {others}"
        )
    };
    assert_eq!(refused(|c| passed(c, "v", "y")), sentence("v", "Input", "u"));
    assert_eq!(refused(|c| c.input("v").map(drop)), sentence("v", "Input", "u"));
    let passes: Equations = |c| {
        c.passes_unit("v", "y");
        passed(c, "u", "y")
    };
    assert_eq!(refused(passes), sentence("v", "Input", "u"));
    let flange: Equations = |c| {
        c.flange(&ROTATIONAL, "flange");
        Ok(())
    };
    assert_eq!(refused(flange), sentence("flange", "Flange", "shaft"));
    let of_translation: Equations = |c| {
        c.flange(&TRANSLATIONAL, "shaft");
        Ok(())
    };
    let other_domain = "filter.shaft: the equations of Filter use this port as one of type \
                        TranslationalFlange, but it is declared as Flange";
    assert_eq!(refused(of_translation), other_domain);
    let frame: Equations = |c| {
        c.frame("frame_a");
        Ok(())
    };
    assert_eq!(refused(frame), sentence("frame_a", "Frame", "none"));
}

#[test]
fn connected_ports_that_the_equations_do_not_use_are_refused() {
    let sentence = |port: &str| {
        format!("{port}: this port is connected, but the equations of Filter do not use it")
    };
    let ignored: Equations = |c| passed(c, "u", "y");
    let with_shaft = refusal(|m| {
        let one = m.add("one", Constant::new().k(1));
        let filter = m.add("filter", Filter::new().equations(Chosen(ignored)));
        let wheel = m.add("wheel", Inertia::new().J(1));
        m.connect(one.y, filter.u);
        m.connect(wheel.flange_b, filter.shaft);
    });
    assert_eq!(with_shaft, sentence("filter.shaft"));
    let without_input: Equations = |c| {
        // The question alone is no use.
        assert!(c.is_connected("u") && !c.is_connected("shaft"));
        c.output("y", |_| Ok(Ex::zero()));
        Ok(())
    };
    assert_eq!(refused(without_input), sentence("filter.u"));
}

#[test]
fn no_flange_is_its_own_counterpart() {
    let sentence = |what: &str| format!("filter.shaft: the equations of Filter {what}");
    let own_support = sentence("take this flange as its own support");
    let after: Equations = |c| {
        c.flange(&ROTATIONAL, "shaft");
        c.support(&ROTATIONAL, "shaft");
        passed(c, "u", "y")
    };
    assert_eq!(refused(after), own_support);
    let before: Equations = |c| {
        c.support(&ROTATIONAL, "shaft");
        c.flange(&ROTATIONAL, "shaft");
        passed(c, "u", "y")
    };
    assert_eq!(refused(before), own_support);
    let related: Equations = |c| {
        let [a, b] = [c.flange(&ROTATIONAL, "shaft"), c.flange(&ROTATIONAL, "shaft")];
        c.rigid_flanges(a, b);
        passed(c, "u", "y")
    };
    assert_eq!(refused(related), sentence("relate this flange to itself"));
    let relative: Equations = |c| {
        let shaft = c.flange(&ROTATIONAL, "shaft");
        let starts = Starts::default();
        c.relative_position(&ROTATIONAL, (shaft, shaft), starts, 1.0, StateSelect::Default);
        passed(c, "u", "y")
    };
    assert_eq!(refused(relative), sentence("relate this flange to itself"));
    let torque: Equations = |c| {
        let shaft = c.support(&ROTATIONAL, "shaft");
        c.law(move |e| {
            e.set_flow_between(shaft, shaft, Ex::one());
            Ok(())
        });
        passed(c, "u", "y")
    };
    let between = sentence("let a torque (or force) act between this flange and itself");
    assert_eq!(refused(torque), between);
}

#[test]
fn variables_that_the_declaration_does_not_list_are_refused() {
    let sentence = |variable: &str| {
        format!(
            "filter.{variable}: the equations of Filter publish this variable, but its declaration \
             does not list it; the variables are: y, rare"
        )
    };
    let signal: Equations = |c| {
        c.signal("I", |_| Ok(Ex::one()));
        passed(c, "u", "y")
    };
    assert_eq!(refused(signal), sentence("I"));
    let unit: Equations = |c| {
        c.unit_of("z", "m");
        passed(c, "u", "y")
    };
    assert_eq!(refused(unit), sentence("z"));
    let passes: Equations = |c| {
        c.passes_unit("u", "z");
        passed(c, "u", "y")
    };
    assert_eq!(refused(passes), sentence("z"));
    let in_law: Equations = |c| {
        c.law(|e| {
            e.variable("z", 1.0);
            Ok(())
        });
        passed(c, "u", "y")
    };
    assert_eq!(refused(in_law), sentence("z"));
    assert_eq!(refused(|c| passed(c, "u", "z")), sentence("z"));
    let state: Equations = |c| {
        let x = c.state("x", 0.0).done();
        c.model().derivative(x, -x);
        passed(c, "u", "y")
    };
    assert_eq!(refused(state), sentence("x"));
    let discrete: Equations = |c| {
        c.discrete("count", 0.0).done();
        passed(c, "u", "y")
    };
    assert_eq!(refused(discrete), sentence("count"));
}

#[test]
fn a_declared_variable_that_is_not_published_is_noted_unless_it_is_optional() {
    let missing = "filter.y: the equations of Filter do not publish this variable, which its \
                   declaration lists";
    assert_eq!(notes(|m| filtered(m, |c| c.input("u").map(drop))), [missing]);
    assert!(notes(|m| filtered(m, |c| passed(c, "u", "y"))).is_empty());
    // A signal can be read.
    let signal: Equations = |c| {
        let u = c.input("u")?;
        c.signal("y", move |e| e.read(u));
        Ok(())
    };
    assert!(notes(|m| filtered(m, signal)).is_empty());
}

#[test]
fn a_variable_with_two_values_is_refused() {
    let two_values = "filter.y: the equations of Filter give this variable two values";
    // The signal is read after the law and before it.
    let after: Equations = |c| {
        publish_two(c, false);
        passed(c, "u", "y")
    };
    let before: Equations = |c| {
        publish_two(c, true);
        passed(c, "u", "y")
    };
    let signals: Equations = |c| {
        c.signal("y", |_| Ok(Ex::one()));
        passed(c, "u", "y")
    };
    for equations in [after, before, signals] {
        assert_eq!(refused(equations), two_values);
    }
    let published: Equations = |c| {
        let _ = c.input("u")?;
        publish_two(c, false);
        publish_two(c, false);
        Ok(())
    };
    let twice = "filter.y: the name is used twice, by a local variable (Result) and by another one";
    assert_eq!(refused(published), twice);
}

#[test]
fn torques_on_one_flange_add_up() {
    let twice: Equations = |c| {
        let shaft = c.flange(&ROTATIONAL, "shaft");
        for _ in 0..2 {
            c.law(move |e| {
                e.set_flow(shaft, -Ex::one());
                Ok(())
            });
        }
        passed(c, "u", "y")
    };
    let mut model = start(|m| {
        let one = m.add("one", Constant::new().k(1));
        let filter = m.add("filter", Filter::new().equations(Chosen(twice)));
        let wheel = m.add("wheel", Inertia::new().J(1).phi(fixed(0)).w(fixed(0)));
        m.connect(one.y, filter.u);
        m.connect(filter.shaft, wheel.flange_a);
    });
    assert_eq!(value(&mut model, "wheel.a"), 2.0);
}

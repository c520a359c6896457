//! A package that depends on `coupler` alone declares components with everything that the
//! libraries use: choices, groups, both domains, and the groups of `interfaces`.

use coupler::assembly::{Class, ComponentLibrary, Registry};
use coupler::declaration::choice;
use coupler::domain::two_domains;
use coupler::libraries;
use coupler::netlist::File;
use coupler::prelude::*;

choice! {
    /// Sense of a drive.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Sense {
        /// Forwards.
        Forward,
        /// Backwards.
        Backward,
    }
}

#[two_domains]
mod rotational {
    use super::Sense;
    use coupler::declaration::{group, prelude::*};
    use coupler::domain::ROTATIONAL;
    use coupler::interfaces::losses::losses;

    group! {
        /// A constant drive.
        pub struct Drive(drive) {
            /// Torque
            tau0: Real["N.m"],
            /// Sense of the torque
            sense: Sense = Sense::Forward,
        }
        ports {
            /// Driven flange
            flange: Flange,
        }
    }

    component! {
        /// Drive with losses.
        pub struct Motor {
            ..drive: drive,
            ..losses,
        }
    }

    impl Component for Motor {
        fn contribute(p: MotorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
            let flange = c.flange(&ROTATIONAL, "flange");
            let sign = if p.drive.sense == Sense::Forward { 1.0 } else { -1.0 };
            c.law(move |e| {
                e.set_flow(flange, p.drive.tau0 * -sign);
                e.variable("lossPower", Ex::zero());
                Ok(())
            });
            Ok(())
        }
    }
}

fn model(m: &mut Assembly) {
    add! { m,
        motor: rotational::Motor::new().tau0(2),
        wheel: coupler::rotational::Inertia::new().J(0.5).phi(fixed(0)).w(fixed(0)),
        pusher: translational::Motor::new().f0(3).sense(Sense::Backward),
        mass: coupler::translational::Mass::new().m(1.5).s(fixed(0)).v(fixed(0)),
    }
    m.connect(motor.flange, wheel.flange_a);
    m.connect(pusher.flange, mass.flange_a);
}

#[test]
fn components_of_another_package_use_choices_groups_and_both_domains() {
    let mut drives = coupler::simulation(model).expect("the model is sound");
    drives.start(None).expect("initial values");
    drives.run_to(1.0).expect("the end");
    assert!((drives.read("wheel.w").unwrap() - 4.0).abs() < 1e-9);
    assert!((drives.read("mass.v").unwrap() + 2.0).abs() < 1e-9);
    assert_eq!(<Sense as coupler::declaration::Chosen>::CHOICE.values.len(), 2);
}

/// The components of this package as a library.
const DRIVES: &[ComponentLibrary] = &[ComponentLibrary {
    name: "drives",
    text: "Drives with losses.",
    components: &[
        Class::of::<rotational::Motor>("drives"),
        Class::of::<translational::Motor>("pushers"),
    ],
    inner: &[],
}];

#[test]
fn a_file_contains_components_of_a_package_that_lists_them() {
    let mut m = Assembly::new();
    model(&mut m);
    let netlist = m.into_netlist();
    let refused = File::of("drives", &netlist, &libraries::registry()).expect_err("not listed");
    let sentences: Vec<String> = refused.iter().map(ToString::to_string).collect();
    let sentence =
        |name: &str| format!("{name}: no library contains its class Motor, so no file can name it");
    assert_eq!(sentences, [sentence("motor"), sentence("pusher")]);

    let registry = Registry::new(libraries::LIBRARIES.iter().chain(DRIVES));
    let file = File::of("drives", &netlist, &registry).expect("all classes are listed");
    let text = file.text().expect("its numbers are finite");
    assert!(text.contains("\"drives::Motor\""), "{text}");
    let read = File::read(&text).expect("it is a netlist");
    assert_eq!(read.check(&registry), Ok(()));
    let read = move |m: &mut Assembly| read.fill(&registry, m);
    let mut drives = coupler::simulation(read).expect("the model is sound");
    drives.start(None).expect("initial values");
    drives.run_to(1.0).expect("the end");
    assert!((drives.read("mass.v").unwrap() + 2.0).abs() < 1e-9);
}

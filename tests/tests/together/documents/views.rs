//! Tests that the page of `fmu view` works in a browser, which a script uses as a reader does.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use coupler_tests::fmu_program::fmu;
use coupler_tests::{own, python};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational;

use super::reports::has_chromium;

/// A process that ends with this value.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A pendulum that a torque drives.
fn swing(m: &mut Assembly) {
    add! { m,
        tau: ExternalInput::new().unit("N.m").start(0).describe("Driving torque"),
        world: World::new(),
        rev: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)),
        damper: rotational::Damper::new().d(0.1),
        torque: rotational::Torque::new(),
        body: Body::new().m(1).r_cm([0.5, 0.0, 0.0]),
    }
    m.chain((world.frame_b, rev, body.frame_a));
    m.chain((rev.support, damper, rev.axis));
    m.connect(tau.y, torque.tau);
    m.connect(torque.flange, rev.axis);
    m.output("w", rev.w);
    m.stop_time(5);
    m.scene();
}

#[test]
fn a_page_that_simulates_is_played_and_controlled_in_two_tabs() {
    if !has_chromium() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = own::interpreted(&own::traced("swing", swing), folder.path()).path;
    let mut command = fmu();
    command.args(["view", "--step", "0.01"]).arg(path).stdout(Stdio::piped());
    command.envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, folder.path())));
    let mut view = Ending(command.spawn().expect("the program starts"));
    let mut line = String::new();
    let output = view.0.stdout.take().expect("a pipe");
    BufReader::new(output).read_line(&mut line).expect("an address");
    let address = line.split_whitespace().next().unwrap_or_default();
    let place = folder.path().display().to_string();
    let mut arguments = vec!["chromium", address, &place];
    let pictures = std::env::var("COUPLER_PICTURES").ok();
    arguments.extend(pictures.as_deref());
    python::script("view.py", &arguments);
}

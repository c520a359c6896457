//! `cargo xtask pictures`: makes the drawings of the pages, and their pictures from plots and
//! reports of models.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use gif::{Encoder, Frame, Repeat};

use crate::{drawings, venv, workspace};

/// Time of a frame of the animation, in hundredths of a second.
const DELAY: u16 = 5;

/// Makes the pictures.
///
/// # Errors
/// If a program cannot be run, or a file cannot be written.
pub fn run() -> Result<()> {
    drawings::write()?;
    let venv = venv::ensure()?;
    let folder = tempfile::tempdir()?;
    let [table, page, frames] =
        ["table.csv", "report.html", "frames"].map(|name| folder.path().join(name));
    let docs = workspace::root().join("docs");
    let model = |arguments: &[&str], files: &[&Path]| {
        let mut fmu = Command::new("cargo");
        fmu.current_dir(workspace::root()).args(["fmu"]).args(arguments);
        succeeds(fmu.args(files))
    };
    let plot = docs.join("coupled_clutches.svg");
    let flag = Path::new("--plot");
    model(&["run", "coupled_clutches", "--interpreted", "--output"], &[&table, flag, &plot])?;
    let diagram = docs.join("servo_drive.svg");
    model(&["report", "servo_drive", "--interpreted", "--output"], &[&page])?;
    fs::write(&diagram, alone(&fs::read_to_string(&page)?)?)?;
    model(&["report", "fourbar2", "--interpreted", "--output"], &[&page])?;
    let script = workspace::root().join("tests/python/pictures.py");
    let mut python = Command::new(venv.join("bin/python"));
    python.arg(script).arg("chromium").arg(&page).arg(docs.join("report.png"));
    succeeds(python.arg(&frames))?;
    let animation = docs.join("fourbar2.gif");
    fs::write(&animation, moving(&fs::read(&frames)?)?)?;
    for file in [plot, diagram, docs.join("report.png"), animation] {
        println!("{}: {} kB", file.display(), fs::metadata(&file)?.len() / 1000);
    }
    Ok(())
}

/// The diagram of a report as a file of its own, on a white ground, because the page around it may
/// be dark.
fn alone(page: &str) -> Result<String> {
    let begin = page.find("<svg xmlns").context("the report has no diagram")?;
    let (picture, _) = page[begin..].split_once("</svg>").context("the diagram does not end")?;
    let ground = "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>";
    let light = "<style>svg{color-scheme:light}";
    Ok(picture.replacen("</style>", ground, 1).replacen("<style>", light, 1) + "</svg>\n")
}

fn succeeds(command: &mut Command) -> Result<()> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => bail!("{command:?}: {status}"),
        Err(error) => Err(error).with_context(|| format!("{command:?} cannot be run")),
    }
}

/// The animation of frames: width and height in a line of text, then the pixels of all frames as
/// bytes of red, green, blue and opacity.
fn moving(frames: &[u8]) -> Result<Vec<u8>> {
    let end = frames.iter().position(|byte| *byte == b'\n').context("no size of frames")?;
    let (size, pixels) = (std::str::from_utf8(&frames[..end])?, &frames[end + 1..]);
    let (width, height) = size.split_once(' ').context("no size of frames")?;
    let (width, height): (u16, u16) = (width.parse()?, height.parse()?);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &[])?;
    encoder.set_repeat(Repeat::Infinite)?;
    for pixels in pixels.chunks_exact(4 * usize::from(width) * usize::from(height)) {
        let mut frame = Frame::from_rgba_speed(width, height, &mut pixels.to_vec(), 10);
        frame.delay = DELAY;
        encoder.write_frame(&frame)?;
    }
    drop(encoder);
    Ok(bytes)
}

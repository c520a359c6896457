//! Finds foreign importers and checkers that are installed on the machine.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// A foreign program.
struct ExternalProgram {
    name: &'static str,
    /// The environment variable with its path, which the tests read.
    variable: &'static str,
    /// Its possible file names on PATH.
    files: &'static [&'static str],
}

/// The FMU Compliance Checker, which the tests run too.
const COMPLIANCE_CHECKER: ExternalProgram = ExternalProgram {
    name: "FMU Compliance Checker",
    variable: "FMUCHECK",
    files: &["fmuCheck", "fmuCheck.linux64", "fmuCheck.darwin64"],
};

const OTHERS: [ExternalProgram; 4] = [
    ExternalProgram { name: "fmusim", variable: "FMUSIM", files: &["fmusim"] },
    ExternalProgram { name: "OpenModelica", variable: "OMC", files: &["omc"] },
    ExternalProgram { name: "OMSimulator", variable: "OMSIMULATOR", files: &["OMSimulator"] },
    ExternalProgram {
        name: "VDMCheck",
        variable: "VDMCHECK",
        files: &["VDMCheck2.sh", "VDMCheck2"],
    },
];

impl ExternalProgram {
    /// The path in its variable, or else the first file on PATH.
    fn find(&self) -> Option<PathBuf> {
        if let Some(named) = env::var_os(self.variable) {
            return Some(named.into());
        }
        let path = env::var_os("PATH")?;
        env::split_paths(&path)
            .flat_map(|folder| self.files.iter().map(move |file| folder.join(file)))
            .find(|file| file.is_file())
    }

    /// Passes the path of the program to a command.
    fn pass_path(&self, command: &mut Command) {
        command.envs(self.find().map(|file| (self.variable, file)));
    }

    /// Passes the path of the program to a command, and prints whether it was found.
    fn pass_path_and_print(&self, command: &mut Command) {
        let ExternalProgram { name, variable, files } = self;
        match self.find() {
            Some(file) => {
                eprintln!("{name}: {}", file.display());
                command.env(variable, file);
            }
            None => eprintln!("{name}: skipped (no {} on PATH, no {variable})", files[0]),
        }
    }
}

/// Passes the path of the compliance checker to the tests. Without the path, the test that needs
/// the checker is skipped.
pub fn pass_compliance_checker(command: &mut Command) {
    COMPLIANCE_CHECKER.pass_path(command);
}

/// Passes the paths of all programs to a command.
pub fn pass_all(command: &mut Command) {
    COMPLIANCE_CHECKER.pass_path_and_print(command);
    OTHERS.iter().for_each(|program| program.pass_path_and_print(command));
}

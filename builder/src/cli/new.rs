//! `fmu new`: starts a model of the package around the current folder, or elsewhere a package.

use std::env;

use anyhow::{Result, anyhow};

use super::arguments::NewOptions;
use super::output::{print_line, shown};
use crate::commands::new::{self, Facade, Owner, Template};
use crate::models::Package;
use crate::own_files::folders;

/// Starts a model, and prints how to run it.
pub fn new(package: &Package, facade: &Facade, options: &NewOptions) -> Result<()> {
    let NewOptions { name, equations, author, license } = options;
    let template = if *equations { Template::Equations } else { Template::Components };
    let here = env::current_dir()?;
    let source = package.source()?;
    let own = folders::workspace(&source);
    let is_own = own.is_some() && folders::workspace(&here) == own;
    let around = if is_own { Some(source) } else { folders::package(&here) };
    let Some(folder) = around else {
        let owner = Owner::new(author.clone(), license.clone())?;
        let folder = new::package(&here, name, template, facade, &owner)?;
        print_line(&shown(&folder))?;
        print_line(&format!("author: {}", owner.author.as_deref().unwrap_or("none")))?;
        print_line(&format!("license: {}", owner.license.as_deref().unwrap_or("none")))?;
        return print_line(&format!("try: cd {name} && cargo run -- run {name} --interpreted"));
    };
    if author.is_some() || license.is_some() {
        return Err(anyhow!(
            "{name} would be a model of the package in {}, whose Cargo.toml names author and \
             licence",
            folder.display()
        ));
    }
    print_line(&shown(&new::model(&folder, name, template, facade)?))?;
    // Cargo runs the package of the current folder unless another one is named.
    let program = match here.starts_with(&folder) {
        true => "cargo run".to_owned(),
        false => format!("cargo run --package {}", package.name),
    };
    print_line(&format!("try: {program} -- run {name} --interpreted"))
}

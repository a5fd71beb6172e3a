//! Records the commit that the program was built from, where there is one.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for path in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", path]) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    // A copy of the sources may lie inside somebody else's repository.
    let ours = git(&["ls-files", "--error-unmatch", "Cargo.toml"]).is_some();
    let mut version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    if let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]).filter(|_| ours) {
        println!("cargo:rustc-env=IOTEMPO_COMMIT={commit}");
        version += &format!(" ({commit:.7})");
    }
    println!("cargo:rustc-env=IOTEMPO_VERSION={version}");
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}

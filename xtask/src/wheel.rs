//! Builds the Python package and runs its tests: pytest, the examples in its documentation, mypy and
//! pyright.
//!
//! `cargo xtask test` uses a debug build; `cargo xtask wheel` makes the wheel for a release on this
//! system and tests it, and on Linux the source distribution, from which it builds a wheel as pip does.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::command::{cache, command, root, run, succeeds, target};
use crate::packages;

/// The tools of the tests, and the packages that they import. From 1.16 on maturin packs a workspace
/// with default members.
const REQUIREMENTS: &[&str] = &[
    "maturin>=1.16,<2",
    "pytest",
    "mypy",
    "numpy",
    "pandas",
    // Version 2 has wheels for Windows.
    "open_spiel>=2",
    "pettingzoo",
    "gymnasium",
    "nbclient",
    "nbformat",
    "ipykernel",
    "ziglang",
];

/// The interpreter on the search path.
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// The package manager of node, which is a script on Windows.
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Options of maturin for each wheel of this system, that of this machine first.
const SYSTEMS: &[&[&str]] = if cfg!(target_os = "linux") {
    // Zig links against an old glibc, so that the wheel runs on older systems.
    &[&["--zig", "--compatibility", "manylinux_2_28"]]
} else if cfg!(all(target_os = "macos", target_arch = "aarch64")) {
    // One wheel for both processors would have the weights twice.
    &[
        &["--target", "aarch64-apple-darwin"],
        &["--target", "x86_64-apple-darwin"],
    ]
} else if cfg!(target_os = "macos") {
    &[
        &["--target", "x86_64-apple-darwin"],
        &["--target", "aarch64-apple-darwin"],
    ]
} else {
    &[&[]]
};

/// Major version of pyright on npm.
const PYRIGHT: &str = "1";

/// Maximum size of a wheel: 16 MB.
const MAX_WHEEL_BYTES: u64 = 16_000_000;

/// Builds a wheel of the debug build, and tests it in a virtual environment.
pub(crate) fn test() -> anyhow::Result<()> {
    let environment = environment()?;
    let folder = wheels("debug");
    build(&environment, &folder, SYSTEMS[0], &[])?;
    let wheel = find(&folder, "whl")?;
    install_wheel(&environment, &wheel)?;
    run_tests(&environment)
}

/// Builds the wheel and the source distribution of a release into `target/wheels/release`, and tests
/// them. Returns the folder.
pub(crate) fn release() -> anyhow::Result<PathBuf> {
    let environment = environment()?;
    let folder = wheels("release");
    let profile = ["--profile", "dist"];
    build(&environment, &folder, SYSTEMS[0], &profile)?;
    install_wheel(&environment, &find(&folder, "whl")?)?;
    run_tests(&environment)?;
    for system in &SYSTEMS[1..] {
        build(&environment, &folder, system, &profile)?;
    }
    for entry in std::fs::read_dir(&folder)? {
        let wheel = entry?.path();
        let bytes = wheel.metadata()?.len();
        println!("{}: {bytes} bytes", wheel.display());
        if bytes > MAX_WHEEL_BYTES {
            bail!("the wheel has {bytes} bytes; at most {MAX_WHEEL_BYTES} are allowed");
        }
    }
    if cfg!(target_os = "linux") {
        let text = folder.display().to_string();
        tool(&environment, "maturin", &["sdist", "--out", &text])?;
        test_source(&environment, &find(&folder, "gz")?)?;
    }
    Ok(folder)
}

/// Returns the empty folder of the wheels of a profile. Wheels of other versions would be found in it.
fn wheels(profile: &str) -> PathBuf {
    let folder = target().join("wheels").join(profile);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Builds a wheel from a source distribution outside the repository, as pip does where there is no
/// wheel, and imports it. A debug build suffices to see whether a file is missing.
fn test_source(environment: &Path, archive: &Path) -> anyhow::Result<()> {
    let folder = std::env::temp_dir().join("papan-source-distribution");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let text = |path: &Path| path.display().to_string();
    let unpack = ["-xzf", &text(archive), "-C", &text(&folder)];
    run(command("tar", &unpack))?;
    let name = archive.file_name().context("an archive has a name")?;
    let name = name.to_string_lossy();
    let source = folder.join(name.trim_end_matches(".tar.gz"));
    let wheels = folder.join("wheels");
    let pip = program(environment, "pip");
    let wheel = ["wheel", "--no-deps", "--wheel-dir", &text(&wheels)];
    let mut build = command(&pip, &[&wheel[..], &[&text(&source)]].concat());
    build
        .current_dir(&folder)
        .env("MATURIN_PEP517_ARGS", "--profile dev")
        .env("CARGO_TARGET_DIR", target().join("source-distribution"));
    run(build)?;
    let site = folder.join("site");
    let install = ["install", "--no-deps", "--target", &text(&site)];
    let wheel = find(&wheels, "whl")?;
    run(command(&pip, &[&install[..], &[&text(&wheel)]].concat()))?;
    let proof = "import papan; \
                 proof = papan.prove('tictactoe', 'expert', seat='first'); \
                 assert proof.never_loses, proof";
    let mut import = command(&program(environment, "python"), &["-c", proof]);
    import.current_dir(&folder).env("PYTHONPATH", &site);
    run(import)?;
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

/// Builds a wheel into a folder.
fn build(
    environment: &Path,
    folder: &Path,
    system: &[&str],
    profile: &[&str],
) -> anyhow::Result<()> {
    let out = folder.display().to_string();
    let build = ["build", "--quiet", "--out", &out];
    let args = [&build[..], system, profile].concat();
    tool(environment, "maturin", &args)
}

/// Returns the file of a folder with this extension.
fn find(folder: &Path, extension: &str) -> anyhow::Result<PathBuf> {
    std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|kind| kind == extension))
        .with_context(|| format!("{} has no file .{extension}", folder.display()))
}

/// Returns the folder with the programs of a virtual environment.
fn programs(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts" } else { "bin" })
}

/// Returns the path of a program of a virtual environment.
fn program(environment: &Path, name: &str) -> String {
    programs(environment).join(name).display().to_string()
}

fn install_wheel(environment: &Path, wheel: &Path) -> anyhow::Result<()> {
    let wheel = wheel.display().to_string();
    let reinstall = ["install", "--quiet", "--force-reinstall", "--no-deps"];
    tool(environment, "pip", &[&reinstall[..], &[&wheel]].concat())
}

fn run_tests(environment: &Path) -> anyhow::Result<()> {
    tool(environment, "pytest", &["tests"])?;
    tool(
        environment,
        "pytest",
        &["--doctest-modules", "--pyargs", "papan"],
    )?;
    // Pages name files as seen from the root of the repository.
    let pages = [
        "-q",
        "--doctest-glob=*.md",
        "crates/python/README.md",
        "docs/python.md",
        "docs/id/python.md",
    ];
    tool_in(root(), environment, "pytest", &pages)?;
    tool(environment, "mypy", &["python/papan", "tests"])?;
    // Compares the stub of the extension module with the module.
    let configuration = ["--mypy-config-file", "pyproject.toml"];
    let allowed = ["--allowlist", "tests/stubtest.txt"];
    let stubtest = [&["papan"][..], &configuration, &allowed].concat();
    tool(environment, "stubtest", &stubtest)?;
    pyright(environment)
}

/// Checks the types with a second checker, from npm.
fn pyright(environment: &Path) -> anyhow::Result<()> {
    let folder = cache("pyright")?;
    let script = folder.join("node_modules/pyright/index.js");
    if !script.is_file() {
        std::fs::create_dir_all(&folder)?;
        let mut install = command(NPM, &["install", "--no-fund", "--no-audit", "--prefix"]);
        install.arg(&folder).arg(format!("pyright@{PYRIGHT}"));
        run(install)?;
    }
    let mut check = command("node", &[]);
    check.arg(script).arg("--pythonpath");
    check.arg(program(environment, "python"));
    check.current_dir(root().join("crates/python"));
    run(check)
}

/// Runs a tool of the environment in the folder of the package.
fn tool(environment: &Path, name: &str, args: &[&str]) -> anyhow::Result<()> {
    tool_in(&root().join("crates/python"), environment, name, args)
}

fn tool_in(folder: &Path, environment: &Path, name: &str, args: &[&str]) -> anyhow::Result<()> {
    let bin = programs(environment);
    let mut tool = command(&program(environment, name), args);
    // maturin finds zig on the path.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(bin).chain(std::env::split_paths(&path));
    tool.current_dir(folder)
        .env("VIRTUAL_ENV", environment)
        .env("PATH", std::env::join_paths(paths)?);
    run(tool)
}

/// Returns the virtual environment with the tools, installed if it is missing.
fn environment() -> anyhow::Result<PathBuf> {
    let environment = cache("python-package")?;
    let ready = environment.join("installed");
    let wanted = REQUIREMENTS.join(" ");
    if std::fs::read_to_string(&ready).is_ok_and(|installed| installed == wanted) {
        return Ok(environment);
    }
    install(&environment)?;
    std::fs::write(ready, wanted)?;
    Ok(environment)
}

fn install(environment: &Path) -> anyhow::Result<()> {
    // On Debian venv is a separate package.
    if !succeeds(command(PYTHON, &["-m", "ensurepip", "--version"])) {
        packages::install(&["python3-venv"])?;
    }
    let folder = environment.display().to_string();
    run(command(PYTHON, &["-m", "venv", &folder]))?;
    run(command(
        &program(environment, "pip"),
        &[&["install", "--quiet"], REQUIREMENTS].concat(),
    ))
}

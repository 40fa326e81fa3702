//! `cargo xtask wasm`: builds the npm package `papan` in `target/npm/papan` and tests it under node and in
//! Chromium.
//!
//! `cargo xtask engine` builds another module in `target/engine`, which also renders pages: for the static
//! site, and for browsers of a server (`papan serve --engine target/engine`).
//!
//! A module is compiled for wasm32-unknown-unknown, bound by wasm-bindgen and optimised by binaryen's
//! `wasm-opt`. The vector code has the same unit tests as on other processors; they are
//! compiled for wasm32-wasip1, whose standard library can run them, and run under node.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};

use crate::command::{cache, cargo, command, root, run, target};

/// Major version of binaryen on npm.
const BINARYEN: &str = "132";
/// Version of TypeScript on npm, which checks the types of the package.
const TYPESCRIPT: &str = "5.9";

/// The vector features that every module uses.
const FEATURES: [&str; 6] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
];

/// Options of `wasm-opt`. LLVM has already inlined functions: binaryen's own inlining adds 3 KB with brotli and
/// no speed. The lowest kilobyte of the memory is the end of the stack; no address is relative to it.
const OPTIMISATION: [&str; 10] = [
    "-O3",
    "--low-memory-unused",
    "--flexible-inline-max-function-size",
    "0",
    "--always-inline-max-function-size",
    "0",
    "--one-caller-inline-max-function-size",
    "0",
    "--strip-producers",
    "--strip-target-features",
];

/// Unit tests of vector code: a crate, and a part of their names.
const VECTOR_TESTS: [(&str, &str); 4] = [
    ("papan-othello", "board::"),
    ("papan-othello", "network::"),
    ("papan-othello", "patterns::"),
    ("papan-rules", "wide_product::"),
];

/// Largest size of the engine's module without data, compressed with brotli, in bytes.
const MAX_ENGINE: u64 = 520_000;
/// Largest size of the site's module.
const MAX_SITE: u64 = 850_000;

/// A module: the engine, or the engine with the pages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Module {
    Engine,
    Site,
}

/// Builds the package and tests it.
pub(crate) fn run_all() -> anyhow::Result<()> {
    test_vector_code()?;
    let package = package()?;
    test(&package)
}

/// Builds the npm package and returns its folder.
fn package() -> anyhow::Result<PathBuf> {
    let package = build(Module::Engine)?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(name), &package.join(name))?;
    }
    check_size(&package, MAX_ENGINE)?;
    println!("npm package: {}", package.display());
    Ok(package)
}

/// Builds the engine for browsers, which the static site and servers have, and returns its folder.
pub(crate) fn engine() -> anyhow::Result<PathBuf> {
    let folder = build(Module::Site)?;
    check_size(&folder, MAX_SITE)?;
    let worker = "site_worker.js";
    copy(
        &root().join("crates/wasm/site").join(worker),
        &folder.join(worker),
    )?;
    copy(
        &root().join("data/puzzles.txt"),
        &folder.join("data/puzzles.txt"),
    )?;
    compress(&folder)?;
    println!("engine for browsers: {}", folder.display());
    Ok(folder)
}

/// Makes copies of scripts and modules with brotli and gzip, unless they are newer than the file.
fn compress(folder: &Path) -> anyhow::Result<()> {
    let program = r"
        const zlib = require('node:zlib'), fs = require('node:fs'), path = require('node:path');
        const made = (file) => (fs.existsSync(file) ? fs.statSync(file).mtimeMs : 0);
        for (const name of fs.readdirSync(process.argv[1])) {
            if (!/\.(js|wasm)$/.test(name)) continue;
            const file = path.join(process.argv[1], name);
            for (const [end, method] of [['br', zlib.brotliCompressSync], ['gz', zlib.gzipSync]]) {
                if (made(`${file}.${end}`) > made(file)) continue;
                fs.writeFileSync(`${file}.${end}`, method(fs.readFileSync(file), { level: 9 }));
            }
        }";
    run({
        let mut node = command("node", &["-e", program]);
        node.arg(folder);
        node
    })
}

/// Fails if a module is larger than a page should load.
fn check_size(package: &Path, limit: u64) -> anyhow::Result<()> {
    let module = package.join("papan_bg.wasm");
    let compressed = package.with_extension("br");
    if !is_newer(&compressed, &module) {
        let program = "const { brotliCompressSync } = require('node:zlib'); \
                       const { readFileSync, writeFileSync } = require('node:fs'); \
                       const [from, to] = process.argv.slice(1); \
                       writeFileSync(to, brotliCompressSync(readFileSync(from)))";
        let mut compress = command("node", &["-e", program]);
        compress.arg(&module).arg(&compressed);
        run(compress)?;
    }
    let size = fs::metadata(&compressed)?.len();
    println!(
        "{}: {size} bytes with brotli, at most {limit}",
        module.display()
    );
    ensure!(size <= limit, "{} is too large", module.display());
    Ok(())
}

/// Returns whether a file exists and is newer than the one that it was made from.
fn is_newer(file: &Path, source: &Path) -> bool {
    let changed = |path| fs::metadata(path).and_then(|data: fs::Metadata| data.modified());
    matches!((changed(file), changed(source)), (Ok(made), Ok(source)) if made > source)
}

/// Returns whether modules can be built here: the targets are installed, or can be. In the workflows, where a
/// skipped test looks like a passed one, they must be.
pub(crate) fn is_possible() -> anyhow::Result<bool> {
    for name in ["wasm32-unknown-unknown", "wasm32-wasip1"] {
        let Err(error) = ensure_target(name) else {
            continue;
        };
        if std::env::var_os("GITHUB_ACTIONS").is_some() {
            return Err(error);
        }
        println!("skipping WebAssembly: {error:#}");
        return Ok(false);
    }
    Ok(true)
}

/// Installs the standard library of a target.
pub(crate) fn ensure_target(name: &str) -> anyhow::Result<()> {
    if crate::targets::is_installed(name) {
        return Ok(());
    }
    run(command("rustup", &["target", "add", name])).with_context(|| {
        format!(
            "the standard library of {name} is not installed; \
             install it with `rustup target add {name}`"
        )
    })
}

/// Runs the unit tests of the engine's board and network, and of the wide product, as WebAssembly with
/// vectors.
fn test_vector_code() -> anyhow::Result<()> {
    const TARGET: &str = "wasm32-wasip1";
    ensure_target(TARGET)?;
    let runner = root().join("xtask/wasi_test.mjs");
    let program = format!("node --no-warnings {}", runner.display());
    for (name, part) in VECTOR_TESTS {
        let test = ["test", "--quiet", "--lib", "--target", TARGET, "-p", name];
        let mut tests = command("cargo", &[&test[..], &["--", part]].concat());
        tests.env("CARGO_TARGET_WASM32_WASIP1_RUNNER", &program);
        // Without a file system there is no folder for failed cases.
        tests.env("PROPTEST_FAILURE_PERSISTENCE", "off");
        println!("== {name}, {part} on {TARGET}");
        let output = tests.stderr(std::process::Stdio::inherit()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        println!("{}", text.trim());
        ensure!(output.status.success(), "tests of {name} fail on {TARGET}");
        ensure!(
            !text.contains("running 0 tests"),
            "no test of {name} has a name with {part}"
        );
    }
    Ok(())
}

/// Builds a module as a package and returns its folder.
fn build(kind: Module) -> anyhow::Result<PathBuf> {
    const TARGET: &str = "wasm32-unknown-unknown";
    ensure_target(TARGET)?;
    let build = ["build", "--quiet", "-p", "papan-wasm", "--profile", "wasm"];
    let features: &[&str] = match kind {
        Module::Engine => &[],
        Module::Site => &["--features", "site"],
    };
    cargo(&[&build[..], &["--target", TARGET], features].concat())?;
    let module = target().join(TARGET).join("wasm/papan_wasm.wasm");
    let package = target().join(match kind {
        Module::Engine => "npm/papan",
        Module::Site => "engine",
    });
    fs::create_dir_all(&package)?;
    bind_if_changed(&module, &package)?;
    copy_all(&root().join("crates/wasm/npm"), &package)?;
    write_manifest(&package)?;
    let data = package.join("data");
    fs::create_dir_all(&data)?;
    for engine in ["othello", "mnk"] {
        copy_all(&root().join(format!("crates/{engine}/weights")), &data)?;
    }
    for file in fs::read_dir(root().join("data/certificates"))? {
        let file = file?;
        copy(&file.path(), &data.join(file.file_name()))?;
    }
    Ok(package)
}

/// Binds and optimises a module, unless the package was made from the same bytes in the same way.
fn bind_if_changed(module: &Path, package: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    let optimised = package.join("papan_bg.wasm");
    let seen = package.with_extension("source");
    let tools = format!("{BINARYEN} {FEATURES:?} {OPTIMISATION:?}");
    let source = [&bytes, tools.as_bytes()].concat();
    if optimised.is_file() && fs::read(&seen).is_ok_and(|before| before == source) {
        return Ok(());
    }
    let bind = ["run", "--quiet", "-p", "xtask", "--features", "bind"];
    let mut bind = command("cargo", &[&bind[..], &["--bin", "bind", "--"]].concat());
    bind.arg(module).arg(package).arg("papan");
    run(bind)?;
    let plain = package.with_extension("bound.wasm");
    fs::rename(&optimised, &plain)?;
    let mut optimise = command("node", &[]);
    let wasm_opt = npm_program("binaryen", BINARYEN, "bin/wasm-opt")?;
    optimise.arg(wasm_opt).arg(&plain).args(OPTIMISATION);
    optimise.args(FEATURES).arg("-o").arg(&optimised);
    run(optimise)?;
    fs::write(seen, source)?;
    Ok(())
}

/// Installs a package from npm if it is missing, and returns the path of one of its programs.
fn npm_program(name: &str, version: &str, program: &str) -> anyhow::Result<PathBuf> {
    let folder = cache(name)?;
    let program = folder.join("node_modules").join(name).join(program);
    if !program.is_file() {
        fs::create_dir_all(&folder)?;
        let mut install = command("npm", &["install", "--no-fund", "--no-audit", "--prefix"]);
        install.arg(&folder).arg(format!("{name}@{version}"));
        run(install).with_context(|| format!("`cargo xtask wasm` needs {name} from npm"))?;
    }
    ensure!(program.is_file(), "{} is missing", program.display());
    Ok(program)
}

/// Copies the files of a folder, without those below it.
fn copy_all(from: &Path, to: &Path) -> anyhow::Result<()> {
    for file in fs::read_dir(from)? {
        let file = file?;
        if file.file_type()?.is_file() {
            copy(&file.path(), &to.join(file.file_name()))?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

/// Writes `package.json` with the version of the workspace.
fn write_manifest(package: &Path) -> anyhow::Result<()> {
    let path = package.join("package.json");
    let mut manifest: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
    manifest["version"] = env!("CARGO_PKG_VERSION").into();
    fs::write(path, serde_json::to_string_pretty(&manifest)? + "\n")?;
    Ok(())
}

/// Runs the tests of the package under node and in Chromium.
fn test(package: &Path) -> anyhow::Result<()> {
    if !package.join("papan_bg.wasm").is_file() {
        bail!("{} has no module", package.display());
    }
    let native = crate::command::debug_binary()?;
    run(command("sh", &["crates/web/browser/setup.sh"]))?;
    let mut tests = command("node", &["--test", "crates/wasm/tests/"]);
    tests
        .env("PAPAN_PACKAGE", package)
        .env(
            "PAPAN_TSC",
            npm_program("typescript", TYPESCRIPT, "bin/tsc")?,
        )
        .env("PAPAN_BINARY", native);
    run(tests)
}

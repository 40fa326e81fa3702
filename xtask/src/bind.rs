//! Generates the JavaScript of a WebAssembly module: `bind MODULE FOLDER NAME`.
//!
//! A program of its own, because the library adds as many crates as the rest of xtask has.

use anyhow::{Context as _, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = &args[..] else {
        bail!("expected the module, the folder and the name of the output");
    };
    Bindgen::new()
        .input_path(module)
        .out_name(name)
        .web(true)?
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
        .with_context(|| format!("cannot bind {module}"))
}

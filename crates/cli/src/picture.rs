//! Options that write a drawing to files: SVG, PNG and TikZ.

use std::path::{Path, PathBuf};

use clap::Args;
use papan_view::Drawing;

use crate::output;

/// Files for a drawing; `-` is standard output.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PictureArgs {
    /// Write the picture as SVG; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the picture as PNG; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// Write the picture as TikZ, for LaTeX; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) tikz: Option<PathBuf>,
}

impl PictureArgs {
    fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.svg, &self.png, &self.tikz].into_iter().flatten();
        files.map(PathBuf::as_path)
    }

    /// Returns whether any file is asked for.
    pub(crate) fn is_given(&self) -> bool {
        self.files().next().is_some()
    }

    /// Returns standard output, if a picture goes there.
    pub(crate) fn standard(&self) -> Option<&Path> {
        self.files().find(|file| output::is_standard(file))
    }

    /// Writes a drawing to the files.
    pub(crate) fn write(&self, drawing: &Drawing) -> anyhow::Result<()> {
        if let Some(file) = &self.svg {
            output::write_file(file, drawing.svg().as_bytes())?;
        }
        if let Some(file) = &self.png {
            output::write_file(file, &drawing.png())?;
        }
        if let Some(file) = &self.tikz {
            output::write_file(file, drawing.tikz().as_bytes())?;
        }
        Ok(())
    }
}

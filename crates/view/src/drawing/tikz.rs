//! Drawings as TikZ pictures, for LaTeX slides and papers.
//!
//! Reference: <https://tikz.dev/>

use std::fmt::Write as _;

use super::{Anchor, Drawing, Point, Shape};

/// The style of each class, in the order in which later ones override.
const STYLES: [(&str, &str); 16] = [
    ("cell", "draw=gray,fill=white"),
    ("pruned", "fill=gray!15"),
    ("won", "fill=green!15"),
    ("chosen", "fill=yellow!30"),
    ("first", "draw=blue!70!black,thick"),
    ("second", "draw=red!80!black,thick"),
    ("black", "draw=black,fill=black"),
    ("white", "draw=black,fill=white"),
    ("edge", "draw=gray"),
    ("best", "draw=green!50!black,very thick"),
    ("cut", "draw=red!70!black,dashed"),
    ("frame", "draw=black"),
    ("current", "draw=orange!80!black,ultra thick"),
    ("line", "fill=yellow!30"),
    ("note", "text=gray"),
    ("strong", "font=\\bfseries"),
];

fn style(class: &str) -> String {
    let classes: Vec<&str> = class.split(' ').collect();
    let named = STYLES.iter().filter(|(name, _)| classes.contains(name));
    named.map(|(_, style)| *style).collect::<Vec<_>>().join(",")
}

fn point((x, y): Point) -> String {
    format!("({x:.1},{y:.1})")
}

/// Escapes text for TeX.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(character);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '<' => out.push_str("$<$"),
            '>' => out.push_str("$>$"),
            '|' => out.push_str("$|$"),
            '∞' => out.push_str("$\\infty$"),
            '≤' => out.push_str("$\\le$"),
            '≥' => out.push_str("$\\ge$"),
            '×' => out.push_str("$\\times$"),
            '→' => out.push_str("$\\to$"),
            '…' | '⋯' => out.push_str("\\dots{}"),
            other => out.push(other),
        }
    }
    out
}

impl Drawing {
    /// Returns a `tikzpicture` environment; only the package `tikz` is needed.
    #[must_use]
    pub fn tikz(&self) -> String {
        let mut text = format!("% {}\n", self.title.replace('\n', " "));
        text += "\\begin{tikzpicture}[x=0.75pt,y=-0.75pt,inner sep=0pt]\n";
        for shape in &self.shapes {
            write_shape(&mut text, shape);
        }
        text + "\\end{tikzpicture}\n"
    }
}

fn write_shape(text: &mut String, shape: &Shape) {
    let written = match shape {
        Shape::Rect { at, size, class } => {
            let to = (at.0 + size.0, at.1 + size.1);
            writeln!(
                text,
                "\\path[{}] {} rectangle {};",
                style(class),
                point(*at),
                point(to)
            )
        }
        Shape::Line { from, to, class } => {
            writeln!(
                text,
                "\\path[{}] {} -- {};",
                style(class),
                point(*from),
                point(*to)
            )
        }
        Shape::Curve { from, to, class } => {
            let middle = (from.0 + to.0) / 2.0;
            writeln!(
                text,
                "\\path[{}] {} .. controls {} and {} .. {};",
                style(class),
                point(*from),
                point((middle, from.1)),
                point((middle, to.1)),
                point(*to)
            )
        }
        Shape::Circle {
            centre,
            radius,
            class,
        } => writeln!(
            text,
            "\\path[{}] {} circle[radius={:.1}pt];",
            style(class),
            point(*centre),
            radius * 0.75
        ),
        Shape::Text {
            at,
            size,
            class,
            text: label,
            anchor,
        } => {
            let anchor = match anchor {
                Anchor::Start => "base west",
                Anchor::Middle => "base",
            };
            let size = match size {
                13.0.. => "\\normalsize",
                11.0.. => "\\scriptsize",
                _ => "\\tiny",
            };
            let extra = style(class);
            writeln!(
                text,
                "\\node[anchor={anchor},{extra}] at {} {{{size} {}}};",
                point(*at),
                escape(label)
            )
        }
        Shape::LinkStart { .. } | Shape::LinkEnd => Ok(()),
    };
    written.expect("a string can be written to");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_become_styles_and_special_characters_are_escaped() {
        let mut drawing = Drawing::new("a tree");
        drawing.rect(0.0, 0.0, 10.0, 10.0, "cell chosen");
        drawing.text(5.0, 5.0, 12.0, "strong", "≤ 1 & 50% of {a_b}");
        let text = drawing.tikz();
        assert!(text.contains("\\path[draw=gray,fill=white,fill=yellow!30] (0.0,0.0)"));
        assert!(
            text.contains("{\\scriptsize $\\le$ 1 \\& 50\\% of \\{a\\_b\\}};"),
            "{text}"
        );
        let braces = |c: char| text.matches(c).count() - text.matches(&format!("\\{c}")).count();
        assert_eq!(braces('{'), braces('}'));
    }
}

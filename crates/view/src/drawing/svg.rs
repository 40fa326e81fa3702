//! Drawings as SVG 1.1.
//!
//! Reference: <https://www.w3.org/TR/SVG11/>

use std::fmt::Write as _;

use super::{Anchor, Drawing, Point, Shape};
use crate::stroke_font;

/// The stylesheet of the drawings: a sequence of rules with one simple selector each. A page that
/// embeds drawings may include it once.
pub const STYLE: &str = "\
text{font-family:'DejaVu Sans',Verdana,sans-serif;fill:#1b1f24;paint-order:stroke;stroke:#fff;stroke-width:2.5px;stroke-linejoin:round}\
.cell{fill:#fff;stroke:#8a94a0;stroke-width:1}\
.chosen{fill:#fff3c4}\
.won{fill:#d9f2df}\
.pruned{fill:#f0f0f0}\
.first{stroke:#1f5fbf;stroke-width:2;fill:none}\
.second{stroke:#c0392b;stroke-width:2;fill:none}\
.black{fill:#1b1f24;stroke:#1b1f24}\
.white{fill:#fff;stroke:#1b1f24}\
.edge{stroke:#5b6570;stroke-width:1.2;fill:none}\
.best{stroke:#1b7f3b;stroke-width:3;fill:none}\
.cut{stroke:#b03a2e;stroke-width:1.2;stroke-dasharray:4 3;fill:none}\
.frame{fill:none;stroke:#1b1f24;stroke-width:1.5}\
.current{fill:none;stroke:#b45309;stroke-width:3.5}\
.line{fill:#fff3c4;stroke:none}\
.paper{fill:none;stroke:none}\
.note{fill:#5b6570}\
.strong{font-weight:bold}";

/// Escapes text for XML content and attribute values.
#[must_use]
pub fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// Formats a coordinate with few digits.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{rounded}")
}

/// How text is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextMode {
    /// As text, in a font of the reader.
    Text,
    /// As strokes, which need no font.
    Strokes,
}

impl Drawing {
    /// Returns an SVG document.
    #[must_use]
    pub fn svg(&self) -> String {
        self.document(TextMode::Text)
    }

    pub(super) fn document(&self, mode: TextMode) -> String {
        let style = format!(
            "<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        self.element("img", &style, mode)
    }

    /// Returns an SVG element for a page that has the stylesheet, as a content security policy
    /// demands. With links it is a group for screen readers, else an image.
    #[must_use]
    pub fn inline_svg(&self) -> String {
        let has_links = self
            .shapes
            .iter()
            .any(|shape| matches!(shape, Shape::LinkStart { .. }));
        let role = if has_links { "group" } else { "img" };
        self.element(role, "", TextMode::Text)
    }

    fn element(&self, role: &str, style: &str, mode: TextMode) -> String {
        let (width, height) = self.size();
        let (width, height) = (number(width), number(height));
        let mut body = String::new();
        for shape in &self.shapes {
            write_shape(&mut body, shape, mode);
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"{role}\">\n<title>{}</title>\n{style}{body}</svg>\n",
            escape_xml(&self.title),
        )
    }
}

fn write_shape(body: &mut String, shape: &Shape, mode: TextMode) {
    let point = |(x, y): Point| (number(x), number(y));
    let written = match shape {
        Shape::Rect { at, size, class } => {
            let ((x, y), (width, height)) = (point(*at), point(*size));
            writeln!(
                body,
                r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}" rx="2"/>"#
            )
        }
        Shape::Line { from, to, class } => {
            let ((x1, y1), (x2, y2)) = (point(*from), point(*to));
            writeln!(
                body,
                r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#
            )
        }
        Shape::Curve { from, to, class } => {
            let ((x1, y1), (x2, y2)) = (point(*from), point(*to));
            let middle = number((from.0 + to.0) / 2.0);
            writeln!(
                body,
                r#"<path class="{class}" d="M{x1} {y1} C{middle} {y1} {middle} {y2} {x2} {y2}"/>"#
            )
        }
        Shape::Circle {
            centre,
            radius,
            class,
        } => {
            let (x, y) = point(*centre);
            let radius = number(*radius);
            writeln!(
                body,
                r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#
            )
        }
        Shape::Text {
            at,
            size,
            class,
            text,
            anchor,
        } if mode == TextMode::Text => {
            let (x, y) = point(*at);
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
            };
            let (size, text) = (number(*size), escape_xml(text));
            writeln!(
                body,
                r#"<text class="{class}" x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}">{text}</text>"#
            )
        }
        Shape::Text {
            at,
            size,
            class,
            text,
            anchor,
        } => {
            stroke_font::write_line(body, &stroked(*at, *size, class, text, *anchor));
            Ok(())
        }
        Shape::LinkStart { address, label } => {
            let (address, label) = (escape_xml(address), escape_xml(label));
            writeln!(body, r#"<a href="{address}"><title>{label}</title>"#)
        }
        Shape::LinkEnd => writeln!(body, "</a>"),
    };
    written.expect("a string can be written to");
}

fn stroked<'a>(
    at: Point,
    size: f64,
    class: &str,
    text: &'a str,
    anchor: Anchor,
) -> stroke_font::StrokedText<'a> {
    stroke_font::StrokedText {
        x: at.0 as f32,
        y: at.1 as f32,
        // Capitals are about seven tenths of the font size.
        height: size as f32 * 0.7,
        is_centred: anchor == Anchor::Middle,
        is_bold: class.contains("strong"),
        ink: if class.contains("note") {
            "#5b6570"
        } else {
            "#1b1f24"
        },
        text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_out_of_a_picture() {
        let mut drawing = Drawing::new("a & b");
        drawing.text(0.0, 0.0, 10.0, "", "<script>&\"");
        drawing.begin_link("/x?a=1&b=\"".into(), "<b>".into());
        drawing.end_link();
        for text in [drawing.svg(), drawing.inline_svg()] {
            assert!(text.contains("&lt;script&gt;&amp;&quot;"));
            assert!(text.contains("<title>a &amp; b</title>"));
            assert!(text.contains(r#"href="/x?a=1&amp;b=&quot;""#));
            assert!(!text.contains("<script") && !text.contains("<b>"));
        }
        assert!(!drawing.inline_svg().contains("<style>"));
    }
}

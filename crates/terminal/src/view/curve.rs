//! Renders the evaluation bar of the current position and the evaluation curve of the game.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use papan_rules::Player;

use crate::theme::Theme;

/// Draws the bar; `value` is from -1 to +1 for the first player, whose part is filled.
pub(super) fn bar(
    value: Option<f32>,
    width: usize,
    ascii: bool,
    theme: Theme,
) -> Vec<Span<'static>> {
    let (full, empty) = if ascii { ("#", ".") } else { ("█", "░") };
    let Some(value) = value else {
        let unknown = if ascii { "-" } else { "┄" };
        return vec![Span::styled(unknown.repeat(width), theme.dim())];
    };
    let filled = ((value.clamp(-1.0, 1.0) + 1.0) / 2.0 * width as f32).round() as usize;
    vec![
        Span::styled(full.repeat(filled), theme.piece(Player::First)),
        Span::styled(empty.repeat(width - filled), theme.piece(Player::Second)),
    ]
}

/// Draws the values of a game, upwards for the first player, with a mark below the current
/// position.
pub(super) fn curve(
    values: &[Option<f32>],
    here: usize,
    (width, height): (usize, usize),
    ascii: bool,
    theme: Theme,
) -> Vec<Line<'static>> {
    let (block, level, unknown) = if ascii {
        ('#', '-', '.')
    } else {
        ('█', '─', '┄')
    };
    let columns = values.len().min(width).max(1);
    // In a long game each column shows a sample.
    let ply = |column: usize| match columns {
        1 => 0,
        _ => column * (values.len() - 1) / (columns - 1),
    };
    let middle = height / 2;
    let mut lines = Vec::new();
    for row in 0..height {
        let mut spans = Vec::new();
        for column in 0..columns {
            let value = values.get(ply(column)).copied().flatten();
            let (symbol, style) = cell(value, row, middle, (block, level, unknown), theme);
            spans.push(Span::styled(symbol.to_string(), style));
        }
        lines.push(Line::from(spans));
    }
    let marker = (0..columns).rev().find(|&column| ply(column) <= here);
    lines.push(Line::from(format!("{}^", " ".repeat(marker.unwrap_or(0)))));
    lines
}

fn cell(
    value: Option<f32>,
    row: usize,
    middle: usize,
    (block, level, unknown): (char, char, char),
    theme: Theme,
) -> (char, Style) {
    let Some(value) = value else {
        let symbol = if row == middle { unknown } else { ' ' };
        return (symbol, theme.dim());
    };
    // Rows above or below the middle that the value reaches.
    let reach = (value.abs() * middle as f32).round() as usize;
    let above = value > 0.0 && row < middle && middle - row <= reach;
    let below = value < 0.0 && row > middle && row - middle <= reach;
    match (above, below) {
        (true, _) => (block, theme.piece(Player::First)),
        (_, true) => (block, theme.piece(Player::Second)),
        _ if row == middle => (level, theme.dim()),
        _ => (' ', Style::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[Line<'_>]) -> Vec<String> {
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_curve_rises_for_the_first_player_and_falls_for_the_second() {
        let values = [Some(0.0), Some(1.0), None, Some(-1.0)];
        let drawn = curve(&values, 3, (10, 3), true, Theme::Plain);
        assert_eq!(text(&drawn), [" #  ", "--.-", "   #", "   ^"]);
    }

    #[test]
    fn a_long_game_fits_the_panel() {
        let values = vec![Some(0.5); 400];
        let drawn = curve(&values, 399, (20, 5), true, Theme::Plain);
        assert!(text(&drawn).iter().all(|line| line.len() <= 20));
        assert_eq!(text(&drawn)[5].len(), 20);
    }

    #[test]
    fn the_bar_is_half_full_at_equality() {
        let bar = Line::from(bar(Some(0.0), 10, true, Theme::Plain));
        assert_eq!(bar.to_string(), "#####.....");
    }
}

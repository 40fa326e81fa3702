//! Gomocup's opening lists: offsets from the centre of the board.

use papan_catalog::AnyGame;

use super::{Opening, OpeningError};
use papan_protocol::ProtocolNotation;

/// Parses Gomocup openings: one per line, `8,-3, 6,-4, 5,-4`, columns and rows from the centre.
///
/// # Errors
/// When a line is invalid, leaves the board or ends the game, or there is no opening.
pub fn parse_gomocup(game: &AnyGame, text: &str) -> Result<Vec<Opening>, OpeningError> {
    let board = ProtocolNotation::of_any(game);
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        let number = index + 1;
        let wrong = || OpeningError::Offsets {
            number,
            text: text.into(),
        };
        let numbers = text.split(',').map(|word| word.trim().parse::<i64>().ok());
        let numbers: Vec<i64> = numbers.collect::<Option<_>>().ok_or_else(wrong)?;
        let mut played = game.line();
        for pair in numbers.chunks(2) {
            let (&[x, y], [rows, columns]) = (pair, board.sides()) else {
                return Err(wrong());
            };
            let place = |offset: i64, side: usize| usize::try_from(offset + side as i64 / 2).ok();
            let at = place(x, *columns).zip(place(y, *rows));
            let mv = at.and_then(|at| board.at(at)).ok_or_else(wrong)?;
            played.play(mv).map_err(|_| wrong())?;
        }
        if played.outcome().is_some() {
            return Err(OpeningError::Over {
                number,
                text: text.into(),
            });
        }
        openings.push(played.moves().to_vec());
    }
    if openings.is_empty() {
        Err(OpeningError::None)
    } else {
        Ok(openings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_counted_from_the_middle() {
        let game: AnyGame = "tictactoe:20x20:5".parse().unwrap();
        let openings = parse_gomocup(&game, "0,0, 8,-3\r\n\n-1,3, 4,4, 6,1\n").unwrap();
        let cells = |opening: &Opening| -> Vec<usize> {
            opening.iter().filter_map(|mv| mv.cell()).collect()
        };
        assert_eq!(cells(&openings[0]), [10 * 20 + 10, 7 * 20 + 18]);
        assert_eq!(
            cells(&openings[1]),
            [13 * 20 + 9, 14 * 20 + 14, 11 * 20 + 16]
        );
        for text in ["0,0, 0,0", "30,1", "1", "a,b", "h8"] {
            let error = parse_gomocup(&game, text).unwrap_err().to_string();
            assert!(error.contains("opening in line 1"), "{error}");
        }
        assert_eq!(parse_gomocup(&game, "\n"), Err(OpeningError::None));
    }
}

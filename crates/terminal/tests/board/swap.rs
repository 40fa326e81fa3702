//! Swap openings on the full-screen board.

use papan_rules::{SwapOpening, SwapRule};
use papan_terminal::Message;

use crate::desk::Desk;
use crate::games::between;

fn opened(first: &str, second: &str, rule: SwapRule) -> Desk {
    let mut desk = between("gomoku", "human", "human");
    let game = desk.state.game.as_mut().unwrap();
    game.players = [first, second].map(|player| player.parse().unwrap());
    game.opening = Some(SwapOpening::new(rule));
    desk.tell(Message::Tick);
    desk
}

fn players(desk: &Desk) -> [String; 2] {
    let game = desk.state.game.as_ref().unwrap();
    game.players.each_ref().map(ToString::to_string)
}

fn opening(desk: &Desk) -> String {
    desk.state
        .game
        .as_ref()
        .unwrap()
        .opening
        .unwrap()
        .to_string()
}

#[test]
fn stones_are_placed_and_the_colour_is_chosen_by_number() {
    let mut desk = opened("human", "human", SwapRule::Swap2);
    assert!(
        desk.screen().contains("Stones left: 3"),
        "{}",
        desk.screen()
    );
    desk.keys("h8\ni9\nk10\n");
    assert!(
        desk.screen().contains("1 Black 2 White 3 two more"),
        "{}",
        desk.screen()
    );
    desk.keys("g7\n");
    assert_eq!(desk.moves(), "h8 i9 k10", "a choice comes first");
    desk.keys("3");
    desk.keys("f7\ng7\n");
    assert_eq!(opening(&desk), "swap2 two");
    desk.keys("3");
    assert!(
        desk.notice().starts_with("Choose your colour first"),
        "{}",
        desk.notice()
    );
    desk.keys("2");
    assert_eq!(opening(&desk), "swap2 two white");
    let record = desk.state.game.as_ref().unwrap().record().to_string();
    assert!(record.contains("opening: swap2 two white\n"), "{record}");
    // The choice is taken back before the stones; without it later stones cannot be reached.
    desk.keys("u");
    assert_eq!(
        (opening(&desk).as_str(), desk.moves().as_str()),
        ("swap2 two", "h8 i9 k10 f7 g7")
    );
    desk.keys("uuu");
    assert_eq!(
        (opening(&desk).as_str(), desk.moves().as_str()),
        ("swap2", "h8 i9 k10")
    );
    desk.keys("r");
    assert_eq!(desk.moves(), "h8 i9 k10");
    desk.keys("u1");
    assert_eq!(opening(&desk), "swap2", "a stone is missing");
}

#[test]
fn the_computer_opens_and_the_person_who_takes_black_changes_places() {
    let mut desk = opened("random(seed=4)", "human", SwapRule::Swap);
    assert_eq!(desk.moves().split(' ').count(), 3);
    desk.keys("1");
    assert_eq!(players(&desk), ["human", "random(seed=4)"]);
    assert_eq!(desk.moves().split(' ').count(), 4, "White moves");
    // Taking it back takes back the computer's move and the choice.
    desk.keys("u");
    assert_eq!(opening(&desk), "swap");
    assert_eq!(players(&desk), ["random(seed=4)", "human"]);
    desk.keys("2");
    assert_eq!(players(&desk), ["random(seed=4)", "human"]);
    assert_eq!(
        desk.moves().split(' ').count(),
        3,
        "the person is White and to move"
    );
}

#[test]
fn the_computer_chooses_and_plays_on() {
    let mut desk = opened("human", "random(seed=4)", SwapRule::Swap2);
    desk.keys("h8\ni9\nk10\n");
    assert_ne!(opening(&desk), "swap2");
    let game = desk.state.game.as_ref().unwrap();
    assert!(game.record().opening.is_some() && game.forfeit.is_none());
}

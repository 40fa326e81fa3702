//! Contract of a game store, on SQLite and on PostgreSQL.
// Needs the PostgreSQL of a Unix system.
#![cfg(unix)]

mod postgres;
mod promises;

use postgres::Postgres;
use promises::Place;

/// Every part of the contract as a test on SQLite, and all of them in one test on PostgreSQL, each
/// in its own database: starting a server takes longer than the tests.
macro_rules! promises {
    ($($promise:ident,)*) => {
        mod on_sqlite {
            $(#[tokio::test]
            async fn $promise() {
                super::promises::$promise(super::Place::File(tempfile::tempdir().unwrap())).await;
            })*
        }

        #[tokio::test]
        async fn every_promise_is_kept_on_postgresql() {
            let postgres = Postgres::start();
            $(let url = postgres.database(stringify!($promise));
            promises::$promise(Place::Url(url)).await;)*
        }
    };
}

promises! {
    a_game_comes_back_as_it_was_after_closing_and_opening,
    a_version_is_given_once_and_none_is_left_out,
    of_many_who_write_the_same_version_at_once_one_succeeds,
    events_of_many_games_at_once_are_judged_each_by_its_own,
    an_invitation_is_good_for_one_seat_once,
    old_unfinished_games_expire_and_finished_ones_stay,
    studies_are_kept_in_their_newest_form_and_the_oldest_are_forgotten,
    the_times_of_the_server_are_remembered,
    a_visitor_finds_their_games_with_their_standing_and_can_be_deleted,
}

# English. Every key stands in every language; a test compares them.

## The start of a game (document 000)
title = papan: tic-tac-toe on any board, and Othello
choose-game = [CHOOSE GAME]
choose-opponent = [CHOOSE OPPONENT]
choose-board = [BOARD] ({ $example }; Enter for { $default }) :
choose-seat = [CHOOSE PLAYER]
seat-first = Player 1
seat-second = Player 2
choose = [CHOOSE] :
opponent-human = a friend at this keyboard
choose-again = Please choose a number from 1 to { $last }, or type a name.

## At the board
input = [INPUT] :
turn-you = Your turn [{ $mark }]
turn-person = { $side } to move [{ $mark }]
turn-mark = { $mark } to move
turn-computer = Computer turn [{ $mark }]
turn-named = { $player }'s turn [{ $mark }]
played = { $side } plays { $move }
passed = { $side } has no move and passes
legal-moves = Legal moves: { $moves }
discs = { $first } { $first-count }, { $second } { $second-count }
clock = Clock: { $first } { $first-time }, { $second } { $second-time }
side-first-discs = Black
side-second-discs = White
slice = level { $level }
undone = Taken back: { $moves }
nothing-to-undo = There is nothing to take back.
hint-sure = Hint: { $move } ({ $strategy }, value { $value })
hint-guess = Hint: { $move } ({ $strategy })
no-hint = No hint here: { $reason }
help =
    Type a move: { $example }.
    Words that always work:
      undo   take your last move back
      hint   what would a strong player do?
      moves  show the moves so far and the legal ones
      help   this page
      quit   leave the game
moves-so-far = Moves so far: { $moves }
no-moves-yet = No moves yet.

## What was wrong
wrong-empty = Type a move, or help.
wrong-not-a-move = { $text } is not a move. Write { $expected }.
wrong-off-board = { $text } is not on the board. Write { $expected }.
wrong-occupied = { $move } is occupied. Choose a free cell.
wrong-flips-nothing = A disc on { $move } flips nothing. Legal moves: { $moves }
wrong-cannot-pass = You may pass only when you have no other move.
wrong-must-pass = You have no move but to pass: type pass.
wrong-game-over = The game is over.
expected-number = a number from 1 to { $last }
expected-number-or-square = a number from 1 to { $last }, or a square from a1 to { $square }
expected-square = a square from a1 to { $square }, or row and column from 11 to { $last }, or pass
wrong-answer = Please answer 1 or 0.

## The end (document 002)
you-win = YOU WIN!
you-lose = YOU LOSE!
draw = DRAW!
side-wins = { $side } wins!
side-wins-discs = { $side } wins { $winner-count } to { $loser-count }.
player-wins = { $side } wins ({ $player }).
winning-line = Winning line: { $cells }
out-of-time = { $side } is out of time.
no-answer = { $player } has no answer here: { $reason }. It gives the game up.
new-game = [NEW GAME?] <1. yes, 0. no>
goodbye = Goodbye.
input-ended = The input ended before the game did.
recorded = The game is recorded in { $file }.

## Why a strategy cannot play
unplayable-wrong-game = { $strategy } does not play { $game }.
unplayable-one-board = { $strategy } knows { $board } only, not { $game }.
unplayable-needs-depth = { $strategy } without a depth would search the whole of { $board }; give depth=.
unplayable-too-large = { $strategy } cannot solve { $board }: the board is too large.
unplayable-other = { $reason }

## Strategies
strategy-human = a person
strategy-automaton = looks its answers up in a table, turned to the corner of the opening
strategy-minimax = plays every game out and takes the move whose worst outcome is best
strategy-alphabeta = chooses as minimax does, and skips what cannot matter
strategy-branch-and-bound = wins if it can, else defends where the other's pieces weigh most
strategy-expert = follows a list of rules: win, block, fork, block a fork, centre, corners, sides
strategy-greedy = moves nearer to winning and keeps the other farther away
strategy-greedy-points = gives each kind of move its points and takes the most
strategy-random = draws lots among the legal moves
strategy-mcts = plays many games by chance and goes where they were won (UCT)
strategy-perfect = knows the value of every move on boards small enough to be solved

## Lists
list-games = Games
list-strategies = Players
list-sizes = size: { $sizes }
list-default = default: { $default }

## The browser
web-skip = Skip to the content
web-nav = Main pages
web-play = Play
web-analysis = Analysis
web-laboratory = Laboratory
web-language = Language
web-home-title = Play a board game
web-home-lead = Tic-tac-toe on any board, and Othello: against the computer, a friend, or only watching. No account is needed.
web-choose-game = Choose a game
web-other-game = Or another board, by name
web-clock = Clock
web-minutes = Minutes for each
web-no-clock = no clock
web-increment = Seconds added by every move
web-clock-too-long = A clock has at most { $most } seconds.
web-seat = Your seat
web-seat-first = first to move
web-seat-second = second
web-seat-either = either, by lot
web-computer = Play the computer
web-opponent = Opponent
web-first-player = First player
web-second-player = Second player
web-parameters = Parameters
web-start-computer = Play the computer
web-friend = Play a friend
web-friend-text = You get a link to send. Whoever opens it takes the other seat; more visitors watch.
web-start-friend = Make a link
web-screen = Two at this screen
web-screen-text = You take turns with somebody beside you.
web-start-screen = Play at this screen
web-watch = Watch
web-start-watch = Watch them play
web-family-tictactoe = Tic-tac-toe
web-family-othello = Othello
web-waiting = Waiting for the other player
web-your-turn = Your turn ({ $side })
web-their-turn = { $side } to move
web-thinking = { $side } is thinking
web-after-move = After move { $number } of { $last }
web-must-pass = { $side } has no move and must pass.
web-draw = A draw
web-resigned = { $side } resigned.
web-players = Players
web-you = you
web-seat-free = free seat
web-pass = Pass
web-type-a-move = Or type a move
web-play-it = Play
web-cell = { $name }, row { $row }, column { $column }, { $content }
web-cell-empty = empty
web-cell-legal = legal move
web-cell-last = last move
web-cell-flipped = turned
web-cell-winning = winning
web-cell-chosen = chosen
web-invite-title = Invite the other player
web-invite-text = Send this link to one person. It can be used once.
web-invite-link = Invitation link
web-copy = Copy
web-asks-back = { $side } asks to take a move back.
web-offers-rematch = { $side } offers a rematch with the seats swapped.
web-agree = Agree
web-decline = Decline
web-ask-back = Ask to take back
web-take-back = Take back
web-resign = Resign
web-rematch = Rematch, seats swapped
web-to-the-rematch = To the rematch
web-hint = Hint
web-why = Why?
web-why-text = { $strategy } played { $move }. These are its numbers on the position before.
web-close = Back to the game
web-review = Review
web-analyse = Analyse
web-moves = Moves
web-walk = Walk through the game
web-walk-start = Start
web-walk-back = Back
web-walk-on = Forward
web-walk-end = End
web-share = Share
web-watch-link = Link for watching
web-move-text = Moves as text
web-record = Record
web-reasons = What the strategy thinks of every move
web-move = Move
web-score = Score
web-numbers = Numbers
web-expects = Expects
web-score-win = wins in { $plies }
web-score-loss = loses in { $plies }
web-score-draw = draw
web-join-title = An invitation
web-join-text = You are invited to play { $game } as { $side }.
web-join = Take the seat
web-only-watch = Only watch
web-show-scores = Score every move
web-hide-scores = Hide scores
web-explain = Explain
web-explain-lead = Ask any strategy what it would play in a position, and read its numbers on the board.
web-strategy = Strategy
web-ask = Ask
web-set-up = Set up a position
web-game = Game
web-position = Position
web-position-help = Cells in order: X first player, O second, - empty; then the side to move.
web-import = Import
web-import-text = Moves or a record
web-opinion = { $strategy } would play { $move } ({ $nodes } nodes).
web-bad-move = Move { $move }: { $reason }.
web-review-running = The review is being made.
web-review-by = Reviewed by
web-mistakes = Mistakes
web-curve = The course of the game
web-curve-help = Above the middle the first player is better, below it the second.
web-side = Side
web-verdict = Verdict
web-better = Better
web-mistake = mistake, loses { $lost }
web-good-move = good
web-laboratory-lead = See why a strategy moves as it does.
web-refused = That did not work
web-to-the-game = To the game
web-to-the-start = To the first page
web-not-found = There is nothing at this address.
web-not-your-seat = This seat is not yours.
web-gone-on = The game has gone on since you looked.
web-not-your-turn = It is not your turn.
web-not-over = The game is not over yet.
web-not-asked = Nobody has asked for that.
web-invitation-spent = This invitation has been used. You can watch the game.
web-key-reused = This key has been used for another request.
web-too-many = Too many requests. Try again in { $seconds } seconds.
web-busy = The engine is busy. Try again soon.
web-foreign-site = This request came from another site.
web-wrong-method = This address does not take that method.
web-too-large = This is too much at once.
web-broken = Something broke on the server. It was noted.
web-no-files = A strategy that reads a file cannot be used here.

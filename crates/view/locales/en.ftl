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
strategy-lookup = looks positions up in a list, each with all its symmetric images

## Lists
list-games = Games
list-strategies = Players
list-sizes = size: { $sizes }
list-default = default: { $default }

## Proofs and certificates
seat-as-first = first
seat-as-second = second
prove-never-loses = { $strategy } as { $seat } on { $game }: never loses
prove-can-lose = { $strategy } as { $seat } on { $game }: can lose
prove-counts = { "  " }lines of play: { $lines } ({ $wins } won, { $draws } drawn, { $losses } lost)
prove-size = { "  " }positions: { $positions }; longest game: { $longest } moves
prove-losing-line = { "  " }the shortest lost game: { $moves }
prove-certified = { "  " }certificate: { $file }
prove-one-seat = A certificate is for one seat: give --as first or --as second.
prove-no-answer = { $strategy } has no answer after { $moves }: { $reason }
prove-progress = move { $ply }, { $positions } positions, { $rate }/s
stopped = Stopped. Nothing was written.
check-believed = { $strategy } as { $seat } on { $game }: never loses ({ $positions } positions checked)
check-refused = { $file } is refused: { $reason }
check-not-a-certificate = this is not a papan certificate.
check-version = this certificate has version { $version }, and this papan reads version 1. A newer papan wrote it.
check-cut = the file ends in the middle.
check-changed = the file was changed after it was written; its checksum is wrong.
check-line = line { $line } should hold { $expected }.
check-other-game = the certificate is for { $found }, not for { $wanted }.
check-missing = { $position } can arise, and there is no answer to it.
check-loses = line { $line }: after { $move } the opponent wins with { $reply }.

## The terminal board
board-too-small = This window is too small: { $now-columns } columns and { $now-rows } rows. The board needs { $columns } columns and { $rows } rows. Make the window larger or its letters smaller, or press q to leave.
board-footer = ? help   u undo   i hint   x explain   v evaluation   n new game   q quit
board-start-footer = arrows choose and change   Enter plays or types   ? help   q quit
board-help-footer = arrows scroll, any other key closes
board-help = the keys
board-label-setup = setting up
board-label-analysis = analysis
board-label-watching = watching
board-label-walking = looking back: p plays on from here
board-label-paused = paused: p goes on
board-you = you
board-moves = Moves
board-your-turn = Your turn.
board-side-to-move = { $side } to move.
board-waits = { $side } waits: p goes on.
board-must-pass = { $side } has no move: Enter passes.
board-thinks = { $player } is thinking...
board-progress = depth { $depth }, { $nodes } nodes { $score }
board-evaluation = Evaluation, for { $side }
board-lines-through = { $lines } lines through { $cell }: open to { $first } { $first-open }, to { $second } { $second-open }
board-after-the-game = R review  m rematch  n new
board-review = Review
board-reviewing = looking at the moves...
board-no-mistakes = No mistakes: well played!
board-review-keys = up, down: look at a mistake
board-mistake = { $ply }. { $side } { $played }: better { $better } (-{ $loss })
board-not-your-turn = It is the computer's turn. Esc stops it, p pauses the game.
board-no-further = There is nothing further.
board-nothing-to-redo = There is nothing to play again.
board-ask-move = Move:
board-ask-save = Save as:
board-ask-open = Open the record:
board-ask-position = Position or moves:
board-setup-keys = Space changes a cell (1, 2, 0 set it), s the side to move, c clears. Enter is done, Esc leaves it as it was.
board-set-up = The position is on the analysis board.
board-analysing = The analysis board: play for both sides; every legal move carries its score.
board-opened = The record is open: , and . walk through it, p plays on.
board-wrong-record = This is no record: { $reason }
board-wrong-moves = { $word } is no legal move there, and the text is no position.
board-wrong-game = There is no such game: { $reason }
board-wrong-value = { $text } does not fit here.
board-broken-settings = The remembered settings in { $file } cannot be read and are left out: { $reason }
board-not-saved = { $file } was not written: { $reason }
board-not-opened = { $file } cannot be opened: { $reason }
board-no-reasons = No reasons here: { $reason }
board-copied = Copied: { $moves }
board-flipped = The seats are flipped.
board-paused = Paused. While the game waits, you may move for either side.
board-goes-on = The game goes on.
board-stopped = Stopped and paused: p goes on, or move for the computer.
board-speed = Seconds between two moves: { $seconds }
board-thinking-of-hint = Looking for a hint...
board-hint = Hint: { $move } ({ $strategy }: { $score })
board-numbers-off = The cells carry their own numbers.
board-numbers-reasons = The numbers of { $strategy } stand on the cells; x again for scores.
board-numbers-scores = The scores of { $strategy } stand on the cells; x again for none.
board-score-win = wins in { $plies }
board-score-draw = a draw
board-score-loss = loses in { $plies }
board-score-discs = { $value } discs
board-score-chance = { $percent } %
board-marks-pieces = Pieces: [X] last move   *X* winning line   X' turned disc   { $cursor } cursor
board-marks-cells = Cells: { $legal } legal move   ! hint or best   + or -5- on a line with the cursor
start-game = Game
start-player = { $side } is played by
start-clock = Clocks
start-move-time = Time per move
start-seed = Lots
start-marks = Marks
start-language = Language
start-theme = Colours
start-drawing = Characters
start-play = Play
start-analyse = Analysis board
start-open = Open a record
start-quit = Quit
start-none = none
start-default = as usual
start-by-chance = new ones each time
start-no-colour = none (NO_COLOR is set)
start-about-game = Left and right go through the games. Enter types another size: tictactoe:7x7:5, tictactoe:4x4x4, othello:6x6.
start-about-clock = Time for the game + time for each move, for both players. Enter types others: 5m+3s.
start-about-move-time = The most time a computer player takes for one move. Enter types the seconds.
start-about-seed = Computer players that draw lots draw the same ones for the same number.
start-about-analyse = Play for both sides, set positions up, see a score for every move.
theme-dark = for a dark background
theme-light = for a light background
theme-colour-blind = blue and orange, for colour-blind eyes
theme-plain = none
drawing-automatic = as the terminal can
drawing-boxes = box characters
drawing-ascii = ASCII only
parameter-depth = plies to look ahead
parameter-prefer = among moves of one value: the first, or the one that wins sooner and loses later
parameter-seed = what its lots depend on
parameter-playouts = games played by chance for each move
parameter-formula = what is made largest; as-printed adds, like the document's fragment
parameter-ties = what breaks ties
parameter-file = a table of your own
key-move = move the cursor; the mouse works too
key-level = the same cell on the next level of a board of slices
key-place = play on the cell under the cursor, or pass if nothing is left
key-type = type a number or a square; : for any other
key-undo = take your last move back
key-redo = play it again
key-walk = walk back and forth through the moves
key-ends = to the first or the last position
key-variation = another variation, where several were tried
key-hint = a hint
key-explain = numbers on the cells: a strategy's reasons, scores, none
key-evaluation = evaluation bar and curve
key-pause = pause, go on, or play on from an earlier position
key-speed = a watched game faster or slower
key-flip = flip the seats
key-review = review of the mistakes
key-rematch = rematch
key-new = new game: back to the start page
key-save = save the record
key-open = open a record
key-copy = copy the moves
key-paste = type or paste a position or moves
key-analyse = analysis board, on and off
key-set-up = set a position up by hand
key-theme = other colours
key-language = the other language
key-drawing = box characters or ASCII
key-help = this page
key-stop = stop the computer, close what is open
key-quit = quit
position-bad-character = Character { $column }: { $found } is not a cell; write X (first player), O (second) or -.
position-length = The position has { $found } cells, and the board has { $expected }.
position-no-turn = Who is to move? Write X or O after the cells.
position-counts = { $first } X and { $second } O cannot arise: X moves first, and they alternate.
position-turn = With that many pieces { $side } is to move.
position-won = { $side } has won already, so the game ended before.
position-middle = The four middle squares are never empty.

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

## Automata
compile-rows = { $rows } rows.
compile-same = On every board the strategy itself answers as its table does.
compile-differs = On the unturned board the strategy itself would answer otherwise in { $count } positions:
compile-difference = after { $moves } the table plays { $table }, the strategy { $strategy }
compile-refused = { $strategy } cannot be written as a table: { $reason }
compile-board = a table holds 3x3 with three in a row, not { $game }.
compile-draws-lots = after { $line } it may play any of { $moves }, and a row has one reply.
compile-remembers = its answers depend on more than a board and an input; see the game { $line }.
inspect-finding = line { $line }: { $problem }
inspect-summary = { $rows } rows, { $count } findings.
inspect-loses = It can lose.
inspect-never-loses = It never loses.
inspect-never-loses-so-far = It never loses, as far as it has an answer.
inspect-no-start = There is nothing to begin with: no board with one o, and no empty board.
inspect-missing = the board { $board } has no row for input { $inputs }
inspect-unreachable = no game comes to this row
inspect-contradicts = contradicts line { $earlier }, which has the same board and input
inspect-repeats = repeats line { $earlier }
inspect-illegal-input = the input is on an occupied cell
inspect-illegal-reply = the reply { $reply } is illegal
inspect-no-reply = there is no reply, though the game goes on
inspect-flag = the flag should be { $flag }
inspect-missed-win = a win on { $cells } is missed
inspect-loses-with = the person wins with the game { $moves }
automaton-other-side = The table has no rows for that seat.
minimize-before = before: { $states } states, { $transitions } transitions
minimize-after = after:  { $states } states, { $transitions } transitions
draw-nothing = Say where to draw: --svg FILE or --dot FILE.
graph-legend = The computer is O. An edge 2/7: the person plays 2, the computer replies 7. Double frames end the game.
graph-win = win
graph-draw = draw
graph-loss = loss
smallest-found = { $positions } positions; { $tried } sets were tried, and none is smaller.
smallest-lost = Whoever plays there can be beaten: no strategy never loses.

## Explanations
explain-move = move
explain-line = line
explain-over = The game is over: there is nothing to explain.
term-wins = wins
term-value = value
term-plies = plies
term-name = rule
term-table = table
term-row = row
rule-win = win
rule-block = block
rule-fork = fork
rule-block-fork = block a fork
rule-centre = centre
rule-opposite-corner = opposite corner
rule-corner = corner
rule-side = side
why-only = { $move } is the only legal move.
why-wins = { $move } wins at once.
why-row = The table has the row { $row }; turned to this board it says { $move }.
why-opening = The table opens there; a corner is chosen by lot. It fell on { $move }.
why-lot = A lot decides among the legal moves; it fell on { $move }.
why-rule = { $move } follows the rule “{ $rule }”, which comes before “{ $other-rule }”, the rule for { $other }.
why-same-rule = { $move } and { $other } both follow the rule “{ $rule }”; { $move } comes first.
why-term = { $move } wins over { $other }: its { $term } is { $value }, against { $other-value }.
why-equal-before = Equal before that: { $terms }.
why-first = { $move } and { $other } are equal in every number that decides; { $move } comes first.
why-equal-lot = { $move } and { $other } are equal in every number that decides; a lot chose { $move }.
tree-legend = { $nodes } positions searched. Values are for the player at the root; thick is the best move, dashed was not searched.
tree-max = MAX
tree-min = MIN
tree-which = Only minimax and alphabeta search a tree that can be drawn.
tree-prefer = The tree shows the values +1, 0 and -1: leave prefer=shortest out.
tree-too-large = That tree would have { $count } positions in its last row; up to { $most } are drawn. Give a smaller --tree, or --merge.

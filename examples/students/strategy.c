/* A strategy for tic-tac-toe in C: win, block, the centre, a corner, a side.
 *
 * papan sends one position per line, `X-O------ X`: the nine cells row by row, then the side to move.
 * Answer each line with the number of a free cell, 1 to 9, and flush. Try it:
 *
 *     cc -O2 -o strategy strategy.c
 *     papan prove tictactoe 'move:./strategy' --as first
 */

#include <stdio.h>

static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

/* Returns the first cell that completes a line of three of this mark, or -1. */
static int completing(const char *cells, char mark) {
    for (int line = 0; line < 8; line++) {
        int marks = 0, empty = -1;
        for (int place = 0; place < 3; place++) {
            int cell = lines[line][place];
            if (cells[cell] == mark) marks++;
            if (cells[cell] == '-') empty = cell;
        }
        if (marks == 2 && empty >= 0) return empty;
    }
    return -1;
}

/* Returns the cell to play, from 0. This is the function to change. */
static int choose(const char *cells, char me) {
    static const int order[9] = {4, 0, 2, 6, 8, 1, 3, 5, 7};
    char other = me == 'X' ? 'O' : 'X';
    int cell = completing(cells, me);
    if (cell < 0) cell = completing(cells, other);
    for (int place = 0; cell < 0 && place < 9; place++)
        if (cells[order[place]] == '-') cell = order[place];
    return cell;
}

int main(void) {
    char cells[10], me;
    while (scanf("%9s %c", cells, &me) == 2) {
        printf("%d\n", choose(cells, me) + 1);
        fflush(stdout);
    }
    return 0;
}

/** A player of a game: the one who moves first, or second. */
export type Seat = "first" | "second";

/** The language of messages: English or Bahasa Indonesia. */
export type LanguageCode = "en" | "id";

/** Limits of one move. Without any, a strategy searches a fixed number of nodes. */
export interface Limits {
  /** Plies to look ahead. */
  depth?: number;
  /** Nodes to search. The same number gives the same move everywhere. */
  nodes?: number;
  /** Milliseconds to think. */
  time?: number;
}

/** A score for the side to move. */
export interface Score {
  score: number | null;
  unit: "result" | "discs" | "chance" | null;
  bound: "exact" | "at-least" | "at-most" | "estimate" | "unknown";
  /** Plies to the end of the game with best play, if known. */
  plies?: number;
  /** Whether it is proved; the plies are then an upper bound. */
  proof?: boolean;
}

/** What a running search knows. */
export interface Progress extends Partial<Score> {
  depth: number;
  nodes: number;
  /** Principal variation. */
  pv: string[];
  /** How much of the present step is done. */
  part?: { done: number; total: number };
}

/** Receives progress; returning `false` stops the search, which answers with what it knows. */
export type OnProgress = (progress: Progress) => boolean | void;

/** A chosen move. */
export interface Choice {
  move: string;
  nodes: number;
}

/** A candidate move with its score. */
export interface Candidate extends Score {
  move: string;
  pv: string[];
  terms: { name: string; value: unknown; decides: boolean }[];
}

/** A chosen move with all candidates. */
export interface Decision {
  move: string;
  nodes: number;
  candidates: Candidate[];
}

/** A decision in words. */
export interface Explanation {
  game: string;
  strategy: string;
  position: string;
  turn: Seat;
  best: string;
  runner_up: string | null;
  why: string;
  nodes: number;
  candidates: (Score & { move: string; terms: Record<string, unknown>; line: string[] })[];
}

/** A family of games. */
export interface Family {
  name: string;
  examples: string[];
}

/** A cell of a board. */
export interface Cell {
  /** The name that people read, such as `h8`. */
  name: string;
  /** The move on it, as `play` takes it. */
  move: string;
  piece: Seat | null;
  legal: boolean;
  last: boolean;
  flipped: boolean;
  winning: boolean;
}

/** A board to draw. */
export interface Board {
  game: string;
  sides: number[];
  pieces: "marks" | "discs" | "stones";
  turn: Seat;
  /** The winner, or `draw`; `null` while the game is not over. */
  outcome: Seat | "draw" | null;
  /** Pieces of each player. */
  counts: [number, number];
  cells: Cell[];
  /** Cell numbers by slice, row and column; a flat board has one slice. */
  slices: number[][][];
}

/** Options of a picture. */
export interface PictureOptions {
  /** Whether empty cells show their names. */
  names?: boolean;
  /** Whether legal moves are marked. */
  legal?: boolean;
}

/** A solved position. */
export interface Solution extends Score {
  game: string;
  position: string;
  best: string | null;
  pv: string[];
  nodes: number;
  /** The certificate of the value, for `checkCertificate` and `papan check`. */
  certificate?: Uint8Array;
}

/** A strategy against every possible opponent. */
export interface Proof {
  game: string;
  strategy: string;
  as: Seat;
  verdict: string;
  lines?: number | string;
  wins?: number | string;
  draws?: number | string;
  losses?: number | string;
  positions?: number | string;
  longest?: number;
  losing_line?: string[] | null;
  reason?: string;
}

/** A certificate whose proof holds. */
export interface CheckedCertificate {
  game: string;
  position?: string;
  /** The value for the first player: 1, 0 or -1, if the claims determine it. */
  value: number | null;
  claims: { player: Seat; result: "wins" | "draws" | "never-loses" }[];
}

/** Receives the progress of a check, in bytes of the proof. */
export type OnCheckProgress = (checked: number, total: number) => void;

/** The endgame suite, solved. */
export interface Bench {
  nodes: number;
  /** A hash of all node counts and scores, equal to that of `papan bench`. */
  signature: string;
  milliseconds: number;
  mismatches: number;
}

import type { Bench, CheckedCertificate, Choice, Decision, Explanation, LanguageCode, Limits, Progress, Proof, Seat, Solution } from "./papan.js";

/** A request that was stopped before it had an answer. */
export class Stopped extends Error {}

/** A position: a game, a start if it is not the game's own, and moves separated by spaces. */
export interface Position {
  game: string;
  position?: string;
  moves?: string;
}

/** A question to a player, such as `computer(level=5)` or `engine`. */
export interface Request extends Position {
  player: string;
  limits?: Limits;
}

/** papan in a worker. Requests are answered one after the other. */
export class Engine {
  static start(options?: {
    language?: LanguageCode;
    /** The folder of weights and certificates; by default that of the package. */
    data?: URL | string;
    /** Whether a search may be stopped through shared memory; by default where the page is isolated. */
    share?: boolean;
    /** The compiled module, if the page has it already. */
    module?: WebAssembly.Module;
  }): Promise<Engine>;
  choose(request: Request, onProgress?: (progress: Progress) => void): Promise<Choice>;
  decide(request: Request, onProgress?: (progress: Progress) => void): Promise<Decision>;
  explain(request: Request): Promise<Explanation>;
  solve(request: Position & { limits?: Limits }, onProgress?: (progress: Progress) => void): Promise<Solution>;
  prove(request: { game: string; strategy: string; seat: Seat }): Promise<Proof>;
  /** Checks a certificate: its bytes, or its name in the folder of data. */
  check(
    certificate: Uint8Array | URL | string,
    onProgress?: (progress: { checked: number; total: number }) => void,
  ): Promise<CheckedCertificate>;
  bench(): Promise<Bench>;
  /** The memory of the worker's module, in bytes. */
  memory(): Promise<number>;
  /** Searches until `stop`, and reports every iteration. */
  analyse(request: Position & { player?: string }, onProgress: (progress: Progress) => void): Promise<Choice>;
  /**
   * Stops the running request within 50 ms and forgets those that wait. Where memory is shared, the
   * running one answers with what it knows; otherwise it fails with `Stopped`.
   */
  stop(): Promise<void>;
  /** Ends the worker. */
  close(): void;
}

import { type BigIntStats, statSync } from "node:fs";
import { DatabaseFileError } from "../../lib/database-state.ts";

/** The time for which the last look at the files is trusted. */
const LOOK_AGAIN_MS = 500;

/**
 * Notices that the files of an open database were deleted or replaced. The system keeps a deleted file for whoever has
 * it open, so that all seems well while nothing of what is written outlives the process.
 */
export class SqlitePlace {
  readonly #file: string;
  readonly #paths: readonly string[];
  readonly #first = new Map<string, BigIntStats>();
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #problem: string | undefined;

  /** Remembers which files a database has; one in memory has none. To be called once it is open. */
  constructor(file: string) {
    this.#file = file;
    this.#paths = file === ":memory:" ? [] : [file, `${file}-wal`];
  }

  /**
   * Throws a DatabaseFileError unless the files are those that were opened. They are looked at twice a second, at most.
   */
  check(): void {
    const isAllKnown = this.#first.size === this.#paths.length;
    if (!isAllKnown || performance.now() - this.#lookedAtMs > LOOK_AGAIN_MS) {
      this.#lookedAtMs = performance.now();
      this.#problem = this.#findProblem();
    }
    if (this.#problem !== undefined) throw new DatabaseFileError(this.#problem);
  }

  #findProblem(): string | undefined {
    for (const path of this.#paths) {
      const now = look(path);
      // SQLite makes the log when it is first needed; from then on it stays until the last connection is closed.
      const first = this.#first.get(path) ?? now;
      if (first !== undefined) this.#first.set(path, first);
      if (now?.ino === first?.ino && now?.dev === first?.dev) continue;
      const what = now === undefined ? "was deleted" : "was replaced by another file";
      const remedy = "put the same file back, or restart on the one that is there";
      return `${path} ${what} while ${this.#file} was open: ${remedy}`;
    }
    return undefined;
  }
}

/** Returns a file's stats; one that cannot be read, for instance for its folder's rights, counts as deleted. */
function look(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

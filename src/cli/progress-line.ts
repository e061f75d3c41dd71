import type { MoveProgress } from "../store/move/move-database.ts";

/** The output that shows progress. */
interface ProgressOutput {
  /** True if a line can be written over. */
  readonly isTerminal: boolean;
  write(text: string): void;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Shows how far a move is. */
interface ProgressLine {
  show(progress: MoveProgress): void;
  /** Ends the line that is being written over. */
  end(): void;
}

const TERMINAL_PERIOD_MS = 100;
const LOG_PERIOD_MS = 5000;
const STEPS: Record<MoveProgress["step"], string> = { compare: "compares", copy: "copies" };

/**
 * Creates a line of progress: in place on a terminal, and otherwise as a line every five seconds. The end of each table
 * is always shown, unless it has no rows.
 */
export function createProgressLine({ isTerminal, write, now = () => performance.now() }: ProgressOutput): ProgressLine {
  let current = "";
  let startedAt = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  return {
    show(progress) {
      const { step, table, rows, totalRows } = progress;
      if (current !== `${step} ${table}`) {
        current = `${step} ${table}`;
        startedAt = now();
      }
      const isDone = rows >= totalRows;
      const period = isTerminal ? TERMINAL_PERIOD_MS : LOG_PERIOD_MS;
      if (totalRows === 0 || rows === 0 || (!isDone && now() - shownAt < period)) return;
      shownAt = now();
      const text = describe(progress, now() - startedAt);
      write(isTerminal ? `\r\u001b[K${text}${isDone ? "\n" : ""}` : `${text}\n`);
      isOpen = isTerminal && !isDone;
    },
    end() {
      if (isOpen) write("\n");
      isOpen = false;
    },
  };
}

function describe({ step, table, rows, totalRows }: MoveProgress, elapsedMs: number): string {
  const rowsPerSecond = elapsedMs <= 0 ? undefined : rows / (elapsedMs / 1000);
  const left = rowsPerSecond === undefined ? undefined : Math.ceil((totalRows - rows) / rowsPerSecond);
  const speed = rowsPerSecond === undefined ? "" : `, ${Math.round(rowsPerSecond).toLocaleString("en")} rows/s`;
  const ending = left === undefined || left <= 0 ? "" : `, ${left} s left`;
  return `${STEPS[step]} ${table}: ${rows.toLocaleString("en")} of ${totalRows.toLocaleString("en")}${speed}${ending}`;
}

import { write, writeSync } from "node:fs";

/** Codes of refused writes to slow readers and to readers who have gone; the others are tried again after a second. */
const BUSY: readonly string[] = ["EAGAIN", "EBUSY"];
const GONE: readonly string[] = ["EBADF", "EIO", "EPIPE"];

const BUSY_MS = 100;
const REFUSED_MS = 1_000;
/** Longest wait for a slow reader at the end of the process. */
const END_MS = 1_000;

/** The settings of a log's file. */
interface LogFileOptions {
  /** Most characters that wait to be written; lines beyond them are lost. */
  readonly mostWaiting: number;
  /** Called with the number of lines that were lost, once lines are written again. */
  readonly onLost: (lines: number) => void;
}

/**
 * Writes lines to an open file, pipe or terminal, and keeps nobody waiting: while the disk is full or the reader is
 * slow, they wait in memory. For a closed terminal or a reader who has gone, the log ends, and the service goes on. At
 * its exit a process tries to write the rest once. The destination of pino tries for ever, and such a process never
 * ends (sonic-boom 4.2.1).
 */
export class LogFile {
  readonly #fd: number;
  readonly #options: LogFileOptions;
  #waiting = "";
  /** Bytes that are being written, or were refused. */
  #bytes: Buffer = Buffer.alloc(0);
  #lost = 0;
  #state: "idle" | "writing" | "paused" | "gone" = "idle";

  constructor(fd: number, options: LogFileOptions) {
    this.#fd = fd;
    this.#options = options;
    process.once("exit", () => this.#end());
  }

  /** Takes a line, with its end. */
  write(line: string): void {
    if (this.#state === "gone") return;
    if (this.#waiting.length + line.length > this.#options.mostWaiting) this.#lost += 1;
    else this.#waiting += line;
    if (this.#state === "idle") this.#writeNext();
  }

  #writeNext(): void {
    if (this.#bytes.length === 0) this.#take();
    if (this.#bytes.length === 0) {
      this.#state = "idle";
      this.#reportLost();
      return;
    }
    this.#state = "writing";
    write(this.#fd, this.#bytes, (error, written) => {
      if (error !== null) return this.#onRefused(error.code ?? "");
      this.#bytes = this.#bytes.subarray(written);
      this.#writeNext();
    });
  }

  #take(): void {
    this.#bytes = Buffer.from(this.#waiting);
    this.#waiting = "";
  }

  #onRefused(code: string): void {
    if (GONE.includes(code)) {
      this.#state = "gone";
      this.#waiting = "";
      this.#bytes = Buffer.alloc(0);
      return;
    }
    this.#state = "paused";
    setTimeout(() => this.#writeNext(), BUSY.includes(code) ? BUSY_MS : REFUSED_MS).unref();
  }

  #reportLost(): void {
    const lines = this.#lost;
    this.#lost = 0;
    if (lines > 0) this.#options.onLost(lines);
  }

  #end(): void {
    const until = performance.now() + END_MS;
    let rest = Buffer.concat([...(this.#state === "writing" ? [] : [this.#bytes]), Buffer.from(this.#waiting)]);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (thrown) {
        if (!BUSY.includes((thrown as NodeJS.ErrnoException).code ?? "") || performance.now() > until) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
    }
  }
}

import { type DirectItem, type Drain, type DrainReport, NOTHING_DRAINED } from "./drain.ts";
import type { DrainCommand } from "./drain-messages.ts";
import { BEGINNING, type Position } from "./position.ts";

/** The options of draining one folder in a thread. */
interface ThreadDrainOptions {
  readonly folder: string;
  /** Called with what was done so far, by all threads together. */
  readonly onReport: (report: DrainReport) => void;
  /** Nothing comes of it where there is no thread at the moment: begin() says it again to the next one. */
  readonly send: (command: DrainCommand) => void;
  /** Has the thread close the folder. */
  readonly close: () => Promise<void>;
}

/** One folder of a thread that drains, and all that the next thread has to know of it should that one die. */
export class ThreadDrain implements Drain {
  readonly #options: ThreadDrainOptions;
  #end: Position = BEGINNING;
  #direct: DirectItem[] = [];
  /** The counters of earlier threads. */
  #before = NOTHING_DRAINED;
  #latest = NOTHING_DRAINED;

  constructor(options: ThreadDrainOptions) {
    this.#options = options;
  }

  announce(end: Position): void {
    this.#end = end;
    this.#send({ kind: "announce", end });
  }

  take(items: readonly DirectItem[]): void {
    this.#direct.push(...items);
    this.#send({ kind: "take", items });
  }

  close(): Promise<void> {
    return this.#options.close();
  }

  /** Tells a new thread where it goes on. */
  begin(): void {
    this.#before = this.#latest;
    this.#send({ kind: "open", from: this.#latest.through });
    this.#send({ kind: "take", items: this.#direct });
    this.#send({ kind: "announce", end: this.#end });
  }

  /** Takes what the thread has done. */
  hear(report: DrainReport): void {
    this.#latest = {
      ...report,
      directThrough: Math.max(this.#before.directThrough, report.directThrough),
      written: this.#before.written + report.written,
      failedWrites: this.#before.failedWrites + report.failedWrites,
      rejected: this.#before.rejected + report.rejected,
      brokenBytes: this.#before.brokenBytes + report.brokenBytes,
    };
    this.#direct = this.#direct.filter(({ sequence }) => sequence > this.#latest.directThrough);
    this.#options.onReport(this.#latest);
  }

  /** The thread has died: until there is another one, nothing is written. */
  interrupt(): void {
    this.#latest = { ...this.#latest, database: "away" };
    this.#options.onReport(this.#latest);
  }

  #send(order: OrderOf<DrainCommand>): void {
    this.#options.send({ ...order, folder: this.#options.folder });
  }
}

/** A command without its folder. */
type OrderOf<Command> = Command extends unknown ? Omit<Command, "folder"> : never;

import { setTimeout as delay } from "node:timers/promises";
import type { DirectItem, Drain, DrainReport } from "./drain.ts";
import { type DrainChannel, type DrainTarget, encodeItem } from "./drain-requests.ts";
import type { Position } from "./position.ts";

/** The options of a remote drain. */
interface RemoteDrainOptions {
  readonly folder: string;
  readonly target: DrainTarget;
  readonly channel: DrainChannel;
  readonly onReport: (report: DrainReport) => void;
}

/** The other process has limits of its own, of 6 s together; if it is gone, nothing comes. */
const CLOSE_TIMEOUT_MS = 7000;

/** A drain in another process, which drains for several. */
export class RemoteDrain implements Drain {
  readonly #options: RemoteDrainOptions;
  readonly #closed = Promise.withResolvers<void>();

  constructor(options: RemoteDrainOptions) {
    this.#options = options;
    const { channel, folder, target, onReport } = options;
    channel.onReply((reply) => {
      if (reply.folder !== folder) return;
      if (reply.kind === "report") onReport(reply.report);
      else this.#closed.resolve();
    });
    channel.send({ kind: "open", folder, ...target });
  }

  announce(end: Position): void {
    const { channel, folder } = this.#options;
    channel.send({ kind: "announce", folder, end });
  }

  take(items: readonly DirectItem[]): void {
    const { channel, folder } = this.#options;
    channel.send({ kind: "take", folder, items: items.map(encodeItem) });
  }

  async close(): Promise<void> {
    const { channel, folder } = this.#options;
    channel.send({ kind: "close", folder });
    await Promise.race([this.#closed.promise, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

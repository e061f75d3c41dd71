import type { Log } from "../../types/log.ts";
import type { Engine } from "../../types/store.ts";
import type { Drain } from "./drain.ts";
import { type DrainGuest, type DrainRequest, type DrainTarget, decodeItem } from "./drain-requests.ts";
import { DrainThread } from "./drain-thread.ts";

/**
 * Folders of one thread. SQLite has one writer anyway: others would wait for its lock, and ask for it again and again.
 * PostgreSQL takes more than one thread can send.
 */
const FOLDERS_PER_THREAD: Record<Engine, number> = { sqlite: Number.POSITIVE_INFINITY, postgres: 4 };

/** Drains the spools of other processes, and writes what several have at one time together. */
export class DrainHost {
  readonly #log: Log;
  /** By where they write. */
  readonly #threads = new Map<string, DrainThread[]>();
  readonly #drains = new Map<string, { readonly guest: DrainGuest; readonly drain: Drain }>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Does what a process asks. */
  hear(guest: DrainGuest, request: DrainRequest): void {
    const { folder } = request;
    if (request.kind === "open") {
      const drain = this.#threadFor(request).open(folder, (report) => guest.reply({ kind: "report", folder, report }));
      this.#drains.set(folder, { guest, drain });
      return;
    }
    const drain = this.#drains.get(folder)?.drain;
    if (request.kind === "announce") drain?.announce(request.end);
    else if (request.kind === "take") drain?.take(request.items.map(decodeItem));
    else void this.#close(folder).then(() => guest.reply({ kind: "closed", folder }));
  }

  /** A process has ended: what is left in its folder is taken over by another one. */
  async forget(guest: DrainGuest): Promise<void> {
    const folders = [...this.#drains].filter(([, drained]) => drained.guest === guest).map(([folder]) => folder);
    await Promise.all(folders.map((folder) => this.#close(folder)));
  }

  async #close(folder: string): Promise<void> {
    const drained = this.#drains.get(folder);
    this.#drains.delete(folder);
    await drained?.drain.close();
  }

  /** Processes of before and after a change of the configuration may write to different places. */
  #threadFor({ engine, databaseUrl, namesPerProject, batchSize }: DrainTarget): DrainThread {
    const place = JSON.stringify([databaseUrl, namesPerProject, batchSize]);
    const threads = this.#threads.get(place) ?? [];
    this.#threads.set(place, threads);
    const free = threads.find(({ size }) => size < FOLDERS_PER_THREAD[engine]);
    if (free !== undefined) return free;
    const thread = new DrainThread({ databaseUrl, namesPerProject, batchSize, log: this.#log });
    threads.push(thread);
    return thread;
  }
}

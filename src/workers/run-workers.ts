import cluster from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { createHangup } from "../lib/hangup.ts";
import { createStop } from "../lib/stop-signals.ts";
import type { DrainGuest, DrainRequest } from "../store/write/spool/drain-requests.ts";
import { type ClusterWorker, startWorker } from "./cluster-worker.ts";
import { openLink, type WorkerLink } from "./link.ts";
import { MetricsOfAll } from "./metrics-of-all.ts";
import { Supervisor } from "./supervisor.ts";
import { WORKER_VARIABLE } from "./worker.ts";

/** The role of this process where several serve. */
export interface WorkerRole {
  /** True if it sets things up for the others, and tells people where it serves. */
  readonly isFirst: boolean;
  readonly link: WorkerLink;
}

/** Returns what this process is if it was started as a worker. */
export function workerRole(): WorkerRole | undefined {
  if (!cluster.isWorker) return undefined;
  return { isFirst: process.env[WORKER_VARIABLE] === "first", link: openLink() };
}

/** The writer of all workers' records. */
interface RecordsOfAll {
  hear(worker: DrainGuest, request: DrainRequest): void;
  /** A worker has ended. */
  forget(worker: DrainGuest): Promise<void>;
}

/**
 * Runs so many workers until a signal ends them. Resolves to the exit status of this process, which serves nothing
 * itself.
 */
export async function runWorkers(count: number, log: Logger, records: RecordsOfAll): Promise<number> {
  const metrics = new MetricsOfAll();
  const start = (isFirst: boolean): ClusterWorker => {
    const recording: DrainGuest = { reply: (reply) => worker.send({ kind: "attune:drained", reply }) };
    const worker = startWorker(isFirst, (message, from) => {
      if (message.kind === "attune:drain") records.hear(recording, message.request);
      if (message.kind === "attune:metrics") metrics.told(from, message.metrics, message.id);
      if (message.kind === "attune:expose") {
        metrics.expose().then(
          (text) => from.send({ kind: "attune:exposed", id: message.id, text }),
          // Who asked is told by its own limit; a page that cannot be made ends nobody.
          (error) => log.error({ err: error }, "the metrics of the workers cannot be added up"),
        );
      }
    });
    void worker.serving.then((serves) => serves && metrics.add(worker));
    void worker.ended.then(() => {
      metrics.remove(worker);
      return records.forget(recording);
    });
    return worker;
  };
  const pause = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => {});
  const supervisor = new Supervisor({ count, start, log, pause, now: () => performance.now() });
  obeySignals(supervisor);
  return supervisor.run();
}

/**
 * SIGTERM or SIGINT ends in order, a second one at once; SIGHUP replaces all workers, and ends where a terminal was
 * closed.
 */
function obeySignals(supervisor: Supervisor): void {
  const stop = createStop({
    end: () => supervisor.stop(),
    endNow() {
      supervisor.kill();
      process.exit(1);
    },
  });
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.on("SIGHUP", createHangup({ end: stop, reload: () => void supervisor.replaceAll() }));
}

import cluster from "node:cluster";
import { closeUnconfirmed } from "./close-unconfirmed.ts";
import { type FromWorker, isOurs, type ToWorker } from "./messages.ts";
import { type Ending, WORKER_VARIABLE, type Worker } from "./worker.ts";

/** A worker that can be spoken to. */
export interface ClusterWorker extends Worker {
  /** Nothing comes of it where the worker has ended. */
  send(message: ToWorker): void;
}

/**
 * Starts this program once more, with the same arguments, as a worker. It shares the ports that it listens on with all
 * others: this process takes the connections and hands them out in turn, so that none is lost with a worker that
 * leaves.
 */
export function startWorker(
  isFirst: boolean,
  onMessage: (message: FromWorker, from: ClusterWorker) => void,
): ClusterWorker {
  const forked = cluster.fork({ [WORKER_VARIABLE]: isFirst ? "first" : "later" });
  closeUnconfirmed(forked.process);
  const serving = Promise.withResolvers<boolean>();
  const ended = Promise.withResolvers<Ending>();
  const worker: ClusterWorker = {
    pid: forked.process.pid ?? 0,
    serving: serving.promise,
    ended: ended.promise,
    send(message) {
      // It may end at any time: what cannot be said any more needs no answer.
      if (forked.isConnected()) forked.send(message, () => {});
    },
    leave: () => worker.send({ kind: "attune:leave" }),
    end: () => void forked.process.kill("SIGTERM"),
    kill: () => void forked.process.kill("SIGKILL"),
  };
  forked.on("message", (message: unknown) => {
    if (!isOurs(message)) return;
    if (message.kind === "attune:serving") serving.resolve(true);
    else onMessage(message as FromWorker, worker);
  });
  forked.once("exit", (status: number | null, signal: string | null) => {
    serving.resolve(false);
    ended.resolve({ status, signal });
  });
  // A fork that fails is told of by an exit as well.
  forked.on("error", () => {});
  return worker;
}

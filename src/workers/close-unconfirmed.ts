import type { ChildProcess } from "node:child_process";
import type { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

/** The interval, and below the time limit, of checking that all messages of an ended process were read. */
const SWEEP_MS = 5;
const LIMIT_MS = 1000;

/** A message of node:cluster: a connection is handed over, or was taken. */
interface ClusterMessage {
  readonly cmd: "NODE_CLUSTER";
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

function isOfCluster(message: unknown): message is ClusterMessage {
  return typeof message === "object" && message !== null && "cmd" in message && message.cmd === "NODE_CLUSTER";
}

/**
 * Has connections closed that were being handed to a worker when it ended. node:cluster keeps each until the worker
 * confirms it, also when nobody is left to do so (nodejs/node-v0.x-archive#7006, still so in Node 24): whoever called
 * would get neither an answer nor an end. It does not learn either then that the worker is gone, since the channel to
 * it waits for the same word.
 */
export function closeUnconfirmed(worker: ChildProcess): void {
  const events: EventEmitter = worker;
  const unconfirmed = new Set<number>();
  const send = worker.send;
  worker.send = function watched(this: ChildProcess, message: unknown, ...rest: unknown[]): boolean {
    if (isOfCluster(message) && message.act === "newconn" && message.seq !== undefined) unconfirmed.add(message.seq);
    return Reflect.apply(send, this, [message, ...rest]);
  } as ChildProcess["send"];
  events.on("internalMessage", (message: unknown) => {
    if (isOfCluster(message) && message.ack !== undefined) unconfirmed.delete(message.ack);
  });
  events.once("exit", async () => {
    // It may have confirmed some before it ended.
    const deadline = performance.now() + LIMIT_MS;
    while (worker.connected && performance.now() < deadline) await delay(SWEEP_MS);
    if (unconfirmed.size === 0) return;
    // First, so that no further connection is handed to it; who has heard of it already does not listen any more.
    events.emit("disconnect");
    for (const ack of unconfirmed) events.emit("internalMessage", { cmd: "NODE_CLUSTER", ack, accepted: true });
  });
}

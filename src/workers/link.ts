import { singleFlight } from "../lib/single-flight.ts";
import type { SharedMetrics } from "../observability/shared-metrics.ts";
import type { DrainChannel, DrainReply } from "../store/write/spool/drain-requests.ts";
import { type FromWorker, isOurs } from "./messages.ts";

/** The process that started this one asks all workers, and each has a limit there. */
const ANSWER_MS = 5000;

/** The link of a worker to the process that started it. */
export interface WorkerLink {
  /** Tells that it serves. */
  serving(): void;
  /** Sets what is told of this process when its metrics are wanted. */
  share(collect: () => Promise<SharedMetrics>): void;
  /** Resolves to the metrics of all workers. */
  expose(): Promise<string>;
  /** Sets what is done when this process is to leave its place to another one. */
  onLeave(leave: () => void): void;
  /** Tells what this process has counted, before it ends. */
  farewell(): Promise<void>;
  /** The way to the one that writes what all workers record. */
  readonly drains: DrainChannel;
}

/** Opens the link of a process that was started as a worker. */
export function openLink(): WorkerLink {
  const waiting = new Map<number, (text: string) => void>();
  let collect: () => Promise<SharedMetrics> = async () => [];
  let leave = (): void => {};
  let hear: (reply: DrainReply) => void = () => {};
  let nextId = 0;
  process.on("message", (message: unknown) => {
    if (!isOurs(message)) return;
    if (message.kind === "attune:leave") leave();
    if (message.kind === "attune:exposed") waiting.get(message.id)?.(message.text);
    if (message.kind === "attune:collect") void tell(message.id);
    if (message.kind === "attune:drained") hear(message.reply);
  });
  async function tell(id?: number): Promise<void> {
    const metrics = await collect();
    await send({ kind: "attune:metrics", ...(id === undefined ? {} : { id }), metrics });
  }
  return {
    serving: () => void send({ kind: "attune:serving" }),
    share(own) {
      collect = own;
    },
    expose: singleFlight(() => {
      const id = nextId++;
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const timer = setTimeout(
        () => reject(new Error(`the process that started the workers did not answer within ${ANSWER_MS} ms`)),
        ANSWER_MS,
      );
      waiting.set(id, resolve);
      void send({ kind: "attune:expose", id });
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(id);
      });
    }),
    onLeave(own) {
      leave = own;
    },
    farewell: () => tell(),
    drains: {
      send: (request) => void send({ kind: "attune:drain", request }),
      onReply(listen) {
        hear = listen;
      },
    },
  };
}

/** Resolves once it is sent, or cannot be. */
function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send !== undefined) process.send(message, () => resolve());
    else resolve();
  });
}

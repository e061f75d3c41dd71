import { hash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import { FairQueue } from "../../../lib/fair-queue.ts";
import { UnsatisfiableSchema } from "./unsatisfiable-schema.ts";

/** A question to the thread. */
export interface SchemaQuestion {
  readonly schemaJson: string;
  readonly root: "object" | "any";
}

/** An answer of the thread, one for each question, in order. */
export type SchemaAnswer = { readonly text: string } | { readonly problem: string };

/** The project that wants a value for a schema. */
export interface SchemaAsker {
  readonly projectId: string;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly key: string;
  readonly question: SchemaQuestion;
  readonly resolve: (answer: SchemaAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Questions of one project, and of all, that wait at a time: each may take three seconds. */
const MAX_WAITING_OF_PROJECT = 15;
const MAX_WAITING = 60;
/** Answers that are kept: compiling a schema is by far the dearest thing that the sandbox does. */
const MAX_KEPT = 256;
/** Characters of all answers that are kept. */
const MAX_KEPT_LENGTH = 4 * 2 ** 20;
/** The time for which it is remembered that there is no value, which may be so only since the machine was busy. */
const PROBLEM_TTL_MS = 300_000;
/** Memory that a schema may take; a thread that needs more ends, and takes nothing else with it. */
const MAX_MEMORY_MB = 256;

/**
 * Finds values for schemas in a thread of its own, which begins with the first schema and does not keep the process
 * alive. Projects are served in turn.
 */
export class SchemaThread {
  /** By the digest of the schema: hostile ones are as long as a body may be. */
  readonly #kept = new LRUCache<string, SchemaAnswer>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_LENGTH,
    sizeCalculation: (answer) => ("text" in answer ? answer.text : answer.problem).length + 1,
  });
  readonly #waiting = new FairQueue<Waiting>(MAX_WAITING_OF_PROJECT, MAX_WAITING);
  #running: Waiting | undefined;
  #worker: Worker | undefined;

  /**
   * Returns JSON text that the schema accepts, always the same for the same schema. With `root` "object" it is an
   * object. Rejects with UnsatisfiableSchema, or with UPSTREAM_OVERLOADED while too many schemas wait, or CANCELED.
   */
  async satisfy(schemaJson: string, root: "object" | "any", asker: SchemaAsker): Promise<string> {
    const key = `${root} ${hash("sha256", schemaJson)}`;
    const answer = this.#kept.get(key) ?? (await this.#ask({ key, question: { schemaJson, root } }, asker));
    if ("problem" in answer) throw new UnsatisfiableSchema(answer.problem);
    return answer.text;
  }

  #ask(question: Pick<Waiting, "key" | "question">, { projectId, signal }: SchemaAsker): Promise<SchemaAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<SchemaAnswer>();
    const own = { ...question, resolve, reject };
    if (!this.#waiting.push(projectId, own)) {
      const message = "the sandbox is busy with the schemas of other requests: try again shortly";
      throw new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, message, { retryAfterMs: 1000 });
    }
    const leave = () => {
      // One that is under way is answered all the same.
      this.#waiting.delete(projectId, own);
      reject(new InferenceError(ErrorReason.CANCELED, "the client disconnected"));
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#next();
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  #next(): void {
    if (this.#running !== undefined) return;
    this.#running = this.#waiting.shift();
    if (this.#running === undefined) this.#worker?.unref();
    else this.#send(this.#running.question);
  }

  #send(question: SchemaQuestion): void {
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(question);
  }

  #start(): Worker {
    const worker = new Worker(new URL("schema-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    worker.on("message", (answer: SchemaAnswer) => this.#settle(answer));
    // The end follows, which is what counts.
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      if (this.#running !== undefined)
        this.#settle({ problem: "finding a value for the schema takes too much memory" });
    });
    return worker;
  }

  #settle(answer: SchemaAnswer): void {
    const running = this.#running;
    this.#running = undefined;
    if (running !== undefined) {
      this.#kept.set(running.key, answer, "problem" in answer ? { ttl: PROBLEM_TTL_MS } : undefined);
      running.resolve(answer);
    }
    this.#next();
  }
}

/** The thread of this process. */
export const schemaThread = new SchemaThread();

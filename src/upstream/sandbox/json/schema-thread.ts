import { Worker } from "node:worker_threads";
import { ErrorReason, InferenceError } from "../../../inference/error.ts";
import { UnsatisfiableSchema } from "./unsatisfiable-schema.ts";

/** What is asked of the thread. */
export interface SchemaQuestion {
  readonly schemaJson: string;
  readonly root: "object" | "any";
}

/** What the thread answers, one answer for each question, in their order. */
export type SchemaAnswer = { readonly text: string } | { readonly problem: string };

interface Waiting {
  readonly question: SchemaQuestion;
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

/** Questions that wait at a time: each may take three seconds. */
const MAX_WAITING = 16;
/** Answers that are kept: compiling a schema is by far the dearest thing that the sandbox does. */
const MAX_KEPT = 256;
/** Memory that a schema may take; a thread that needs more ends, and takes nothing else with it. */
const MAX_MEMORY_MB = 256;

/** Finds values for schemas in a thread of its own, which begins with the first schema and does not keep the process alive. */
export class SchemaThread {
  readonly #kept = new Map<string, string>();
  /** The first one is being answered. */
  #waiting: Waiting[] = [];
  #worker: Worker | undefined;

  /**
   * Returns JSON text that the schema accepts, always the same for the same schema. With `root` "object" it is an object.
   * Rejects with UnsatisfiableSchema, or with UPSTREAM_OVERLOADED while too many schemas wait, or CANCELED.
   */
  async satisfy(schemaJson: string, root: "object" | "any", signal: AbortSignal): Promise<string> {
    const key = `${root} ${schemaJson}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const text = await this.#ask({ schemaJson, root }, signal);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, text);
    return text;
  }

  #ask(question: SchemaQuestion, signal: AbortSignal): Promise<string> {
    if (this.#waiting.length >= MAX_WAITING) {
      const message = "the sandbox is busy with the schemas of other requests: try again shortly";
      throw new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, message, { retryAfterMs: 1000 });
    }
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const own = { question, resolve, reject };
    const leave = () => {
      reject(new InferenceError(ErrorReason.CANCELED, "the caller went away"));
      // The first one is answered all the same.
      this.#waiting = this.#waiting.filter((waiting, index) => index === 0 || waiting !== own);
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#waiting.push(own);
    if (this.#waiting.length === 1) this.#send(question);
    return promise.finally(() => signal.removeEventListener("abort", leave));
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
      if (this.#waiting.length > 0) this.#settle({ problem: "finding a value for the schema takes too much memory" });
    });
    return worker;
  }

  #settle(answer: SchemaAnswer): void {
    const [first, next] = this.#waiting;
    this.#waiting = this.#waiting.slice(1);
    if ("text" in answer) first?.resolve(answer.text);
    else first?.reject(new UnsatisfiableSchema(answer.problem));
    if (next === undefined) this.#worker?.unref();
    else this.#send(next.question);
  }
}

/** The thread of this process. */
export const schemaThread = new SchemaThread();

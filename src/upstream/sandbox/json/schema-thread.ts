import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import { TaskThread } from "../../../lib/tasks/task-thread.ts";
import { UnsatisfiableSchema } from "./unsatisfiable-schema.ts";

/** A value that a schema accepts, as JSON text, or why there is none. */
export type SchemaAnswer = { readonly text: string } | { readonly problem: string };

/** The project that wants a value for a schema. */
export interface SchemaAsker {
  readonly projectId: string;
  readonly signal: AbortSignal;
}

/** Questions of one project that wait at a time: each may take three seconds. */
const MAX_WAITING_OF_PROJECT = 15;
/** The time limit of a question, with its wait for those of others. */
const LIMIT_MS = 180_000;
/** Answers that are kept: compiling a schema is by far the dearest thing that the sandbox does. */
const MAX_KEPT = 256;
/** Characters of all answers that are kept. */
const MAX_KEPT_LENGTH = 4 * 2 ** 20;
/** The time for which it is remembered that there is no value, which may be so only since the machine was busy. */
const PROBLEM_TTL_MS = 300_000;
/** Memory that a schema may take; a thread that needs more ends, and takes nothing else with it. */
const MAX_MEMORY_MB = 256;

/** Finds values for schemas in a thread of its own. Projects are served in turn. */
export class SchemaThread {
  /** By the digest of the schema: hostile ones are as long as a body may be. */
  readonly #kept = new LRUCache<string, SchemaAnswer>({
    max: MAX_KEPT,
    maxSize: MAX_KEPT_LENGTH,
    sizeCalculation: (answer) => ("text" in answer ? answer.text : answer.problem).length + 1,
  });
  readonly #thread = new TaskThread({
    module: new URL("./schema-worker.ts", import.meta.url),
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    // The question that it was at gets the error.
    onDeath: () => {},
    createError: (why, options) => new NotAnswered(why, options),
    maxWaitingOfOwner: MAX_WAITING_OF_PROJECT,
  });

  /**
   * Returns JSON text that the schema accepts, always the same for the same schema. With `root` "object" it is an
   * object. Rejects with UnsatisfiableSchema, or with UPSTREAM_OVERLOADED while too many schemas wait, or CANCELED.
   */
  async satisfy(schemaJson: string, root: "object" | "any", asker: SchemaAsker): Promise<string> {
    const key = `${root} ${hash("sha256", schemaJson)}`;
    const answer = this.#kept.get(key) ?? (await this.#ask(key, [schemaJson, root], asker));
    if ("problem" in answer) throw new UnsatisfiableSchema(answer.problem);
    return answer.text;
  }

  /** Keeps the answer of a question that is under way when its asker leaves. */
  async #ask(key: string, question: readonly string[], { projectId, signal }: SchemaAsker): Promise<SchemaAnswer> {
    const task = this.#thread.run("satisfy", question, { limitMs: LIMIT_MS, owner: projectId, signal });
    const answering = task
      .then((answer) => answer as SchemaAnswer, toAnswer)
      .then((answer) => {
        this.#kept.set(key, answer, "problem" in answer ? { ttl: PROBLEM_TTL_MS } : undefined);
        return answer;
      });
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(new InferenceError(ErrorReason.CANCELED, "the client disconnected"));
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    return Promise.race([left.promise, answering]).finally(() => signal.removeEventListener("abort", leave));
  }
}

/** The thread has not answered; with a cause where it has died. */
class NotAnswered extends Error {
  override readonly name = "NotAnswered";
}

function toAnswer(thrown: unknown): SchemaAnswer {
  if (!(thrown instanceof NotAnswered)) throw thrown;
  if (thrown.cause !== undefined) return { problem: "finding a value for the schema takes too much memory" };
  const message = "the sandbox is busy with the schemas of other requests: try again shortly";
  throw new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, message, { retryAfterMs: 1000 });
}

/** The thread of this process. */
export const schemaThread = new SchemaThread();

import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { TaskThread, type TaskThreadOptions } from "../../lib/tasks/task-thread.ts";
import { readExcerpt } from "./prompt-excerpt.ts";
import { partsOfPrompt } from "./prompt-parts.ts";

/** A million characters take less than a second; other texts wait before. */
const LIMIT_MS = 20_000;
/** Prompts of one project that wait at a time. */
const MAX_WAITING_OF_PROJECT = 50;
/** The vocabulary holds some 70 MB, and agents ask for counts in bursts. */
const IDLE_MS = 300_000;

/**
 * Counts the tokens of prompts by the o200k vocabulary, in a thread of its own: to load the vocabulary alone would hold
 * the serving thread for a quarter of a second. Models of other vocabularies have some more or fewer.
 */
export class TokenCounter {
  readonly #thread: TaskThread;

  constructor(options: Pick<TaskThreadOptions, "onDeath" | "createError">) {
    const module = new URL("./count-worker.ts", import.meta.url);
    this.#thread = new TaskThread({ ...options, module, idleMs: IDLE_MS, maxWaitingOfOwner: MAX_WAITING_OF_PROJECT });
  }

  /**
   * Resolves to the tokens of a prompt of a project, at least 1. Projects are served in turn. Rejects
   * with what `createError` makes where there is no room, or no time.
   */
  async count(input: InferenceInput, projectId: string): Promise<number> {
    const options = { limitMs: LIMIT_MS, owner: projectId };
    const tokens = await this.#thread.run("count", [readExcerpt(partsOfPrompt(input))], options);
    if (typeof tokens !== "number") throw new Error("the thread that counts answered without a number");
    return Math.max(1, tokens);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

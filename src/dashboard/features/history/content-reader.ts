import { TRPCError } from "@trpc/server";
import { expandBody } from "../../../lib/compress-body.ts";
import { ownBuffer } from "../../../lib/tasks/task-messages.ts";
import { TaskThread } from "../../../lib/tasks/task-thread.ts";
import type { EncodedContent } from "../../../store/types/inference-body.ts";
import { CONTENT_TASKS } from "./content-tasks.ts";

type ContentTasks = typeof CONTENT_TASKS;

/** The arguments of a task beside the content itself. */
type ArgsOf<Name extends keyof ContentTasks> = ContentTasks[Name] extends (
  content: EncodedContent,
  ...args: infer Args
) => unknown
  ? Args
  : never;

/**
 * Bodies of so many bytes, not compressed, are decoded in a thread of their own: here they would take some ten
 * milliseconds.
 */
const THREAD_FROM_BYTES = 128 * 1024;
/** Bodies of one project that wait at a time. */
const MAX_WAITING_OF_PROJECT = 50;
/** The largest take about a second on a machine that has nothing else to do. */
const LIMIT_MS = 10_000;

/**
 * Decodes the bodies of requests, as they are stored, and makes of them what is shown: small ones here, others in a
 * thread.
 */
export class ContentReader {
  readonly #thread: TaskThread;

  /** `onDeath` is told where the thread dies by itself. */
  constructor(onDeath: (error: unknown) => void) {
    this.#thread = new TaskThread({
      module: new URL("./content-worker.ts", import.meta.url),
      onDeath,
      maxWaitingOfOwner: MAX_WAITING_OF_PROJECT,
      createError: (why, options) =>
        new TRPCError({ code: "SERVICE_UNAVAILABLE", message: `the request was not decoded: ${why}`, ...options }),
    });
  }

  /**
   * Does one of the tasks, in the turn of the project that the bodies are of. Rejects for bodies that this version
   * cannot decode.
   */
  async read<Name extends keyof ContentTasks>(
    name: Name,
    { projectId, body: stored }: { readonly projectId: string; readonly body: EncodedContent },
    ...args: ArgsOf<Name>
  ): Promise<ReturnType<ContentTasks[Name]>> {
    const [request, response] = [await expandBody(stored.request), await expandBody(stored.response)];
    const content: EncodedContent = { request, response };
    type Task = (content: EncodedContent, ...args: ArgsOf<Name>) => ReturnType<ContentTasks[Name]>;
    if (request.length + response.length < THREAD_FROM_BYTES)
      return (CONTENT_TASKS[name] as unknown as Task)(content, ...args);
    const transfer = [request, response].flatMap(ownBuffer);
    const done = await this.#thread.run(name, [content, ...args], { limitMs: LIMIT_MS, owner: projectId, transfer });
    return done as ReturnType<ContentTasks[Name]>;
  }

  /** Ends the thread, if there is one. */
  async close(): Promise<void> {
    await this.#thread.close();
  }
}

import { parentPort } from "node:worker_threads";
import { ownBuffer, STARTED, type TaskAnswer, type TaskRequest, type Tasks, toTaskFailure } from "./task-messages.ts";

/** Has this thread do what a TaskThread asks of it, one task after another. */
export function answerTasks(tasks: Tasks): void {
  const port = parentPort;
  if (port === null) throw new Error("only a thread answers tasks");
  const send = (answer: TaskAnswer, transfer: ArrayBuffer[] = []) => port.postMessage(answer, transfer);
  port.on("message", async ({ name, args }: TaskRequest) => {
    try {
      const task = tasks[name];
      if (task === undefined) throw new Error(`there is no task ${name}`);
      // Whoever asks knows by type what the task takes.
      const value = await task(...(args as never[]));
      // What cannot be copied throws here.
      send({ value }, ownBuffer(value));
    } catch (thrown) {
      send({ failure: toTaskFailure(thrown) });
    }
  });
  port.postMessage(STARTED);
}

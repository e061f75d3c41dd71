import { setTimeout as delay } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import { answerTasks } from "../../../src/lib/tasks/answer-tasks.ts";

answerTasks({
  thread: () => threadId,
  echo: (value: unknown) => value,
  sleep: async (milliseconds: number) => await delay(milliseconds, "slept"),
  /** Lets nothing else of the thread have a turn. */
  spin(milliseconds: number) {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
    return "spun";
  },
  range() {
    throw new RangeError("too many");
  },
  coded() {
    const cause = Object.assign(new Error("inner"), { errcode: 11 });
    throw Object.assign(new Error("outer", { cause }), { code: "ERR_SOME" });
  },
  notCopied: () => () => 1,
  die: () => process.exit(3),
  fail: () => {
    setImmediate(() => {
      throw new Error("a fault outside of the task");
    });
    return new Promise(() => {});
  },
});

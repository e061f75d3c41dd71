import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RepeatedTask } from "../../../src/lib/tasks/repeated-task.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("RepeatedTask", () => {
  it("begins no run while one is under way", async () => {
    const runs: (() => void)[] = [];
    const task = new RepeatedTask(1000, () => new Promise((resolve) => runs.push(resolve)));
    await vi.advanceTimersByTimeAsync(3000);
    expect(runs).toHaveLength(1);
    runs[0]?.();
    await vi.advanceTimersByTimeAsync(1000);
    expect(runs).toHaveLength(2);
    runs[1]?.();
    await task.close();
  });

  it("aborts its signal on close, waits for the run that heeds it, and begins no other", async () => {
    let ended = 0;
    const task: RepeatedTask = new RepeatedTask(1000, async () => {
      await new Promise((resolve) => task.signal.addEventListener("abort", resolve));
      ended += 1;
    });
    await vi.advanceTimersByTimeAsync(1000);
    await task.close();
    expect(ended).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(ended).toBe(1);
  });
});

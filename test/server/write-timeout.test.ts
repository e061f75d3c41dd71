import { EventEmitter } from "node:events";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limitWriteTime } from "../../src/server/write-timeout.ts";

/** An answer as far as it is looked at. */
class Answer extends EventEmitter {
  writableLength = 0;
  writableEnded = false;
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

/** Bytes that each answer counts for beside those that wait. */
const OF_ANSWER = 32_768;

type Hook = (request: unknown, reply: { raw: Answer }, done: () => void) => void;

function begin(idleMs: number): Answer {
  return serve(idleMs)();
}

/** Returns what begins answers, of one key where one is given, to requests of which so much is not read. */
function serve(idleMs: number, mostOfKey?: number): (key?: string, unread?: number) => Answer {
  const hooks = new Map<string, Hook>();
  const app = { addHook: (name: string, hook: Hook) => hooks.set(name, hook) };
  limitWriteTime(app as unknown as FastifyInstance, { idleMs, ...(mostOfKey !== undefined && { mostOfKey }) });
  return (keyId, unread = 0) => {
    const raw = new Answer();
    const of = { readableLength: 0, stream: { readableLength: unread } };
    hooks.get("onRequest")?.({ raw: of, summary: { principal: keyId && { keyId } } }, { raw }, () => {});
    return raw;
  };
}

beforeEach(() => {
  // No more than what is looked at: other tests have servers and clients in this process.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("limitWriteTime()", () => {
  it("cuts off a client that takes nothing of what waits for it", () => {
    const raw = begin(10_000);
    raw.writableLength = 100;
    vi.advanceTimersByTime(9000);
    expect(raw.destroyed).toBe(false);
    vi.advanceTimersByTime(3000);
    expect(raw.destroyed).toBe(true);
  });

  it("cuts off a client that leaves no room for the end of an answer", () => {
    const raw = begin(10_000);
    raw.writableEnded = true;
    vi.advanceTimersByTime(9000);
    expect(raw.destroyed).toBe(false);
    vi.advanceTimersByTime(3000);
    expect(raw.destroyed).toBe(true);
  });

  it("does not take what is added for a sign of life", () => {
    const raw = begin(10_000);
    for (let second = 0; second < 12; second++) {
      raw.writableLength += 14;
      vi.advanceTimersByTime(1000);
    }
    expect(raw.destroyed).toBe(true);
  });

  it("leaves a client for whom nothing waits", () => {
    const raw = begin(10_000);
    vi.advanceTimersByTime(3_600_000);
    expect(raw.destroyed).toBe(false);
  });

  it("leaves a client that takes what it is given, though as much waits each time", () => {
    const raw = begin(10_000);
    raw.writableLength = 65_536;
    for (let run = 0; run < 20; run++) {
      vi.advanceTimersByTime(9000);
      raw.emit("drain");
    }
    expect(raw.destroyed).toBe(false);
  });

  it("gives a client the time once for each MiB", () => {
    const raw = begin(10_000);
    raw.writableLength = 5 * 2 ** 20;
    vi.advanceTimersByTime(48_000);
    expect(raw.destroyed).toBe(false);
    vi.advanceTimersByTime(5000);
    expect(raw.destroyed).toBe(true);
  });

  it("cuts clients of a key that take nothing once more waits for all of them than may, and those of no other key", () => {
    const open = serve(100_000, 2 * OF_ANSWER + 1000);
    const stalled = [open("k"), open("k"), open("k")];
    const other = open("other");
    for (const raw of [...stalled, other]) raw.writableLength = 400;
    vi.advanceTimersByTime(1000);
    expect([...stalled, other].map(({ destroyed }) => destroyed)).toEqual([false, false, true, false]);
  });

  it.each(["k", undefined])("counts each answer of key %s that waits, and what is not read of its request", (key) => {
    const open = serve(100_000, 40 * OF_ANSWER);
    const answers = Array.from({ length: 80 }, (_none, at) => open(key, at < 5 ? 4 * OF_ANSWER : 0));
    for (const raw of answers.slice(0, 60)) raw.writableLength = 1;
    vi.advanceTimersByTime(1000);
    // Five count for five answers each, and twenty of those have nothing that waits.
    expect(answers.map(({ destroyed }) => destroyed)).toEqual(answers.map((_raw, at) => at >= 19 && at < 60));
  });

  it("leaves a client of such a key that takes what it is given", () => {
    const open = serve(100_000, OF_ANSWER + 1000);
    const reading = open("k");
    for (let left = 2000; left > 1900; left--) {
      reading.writableLength = left;
      vi.advanceTimersByTime(200);
    }
    expect(reading.destroyed).toBe(false);
  });
});

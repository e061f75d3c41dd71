import { EventEmitter } from "node:events";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limitWriteTime } from "../../src/server/write-timeout.ts";

/** An answer as far as it is looked at. */
class Answer extends EventEmitter {
  writableLength = 0;
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

type Hook = (request: unknown, reply: { raw: Answer }, done: () => void) => void;

function begin(idleMs: number): Answer {
  const hooks = new Map<string, Hook>();
  const app = { addHook: (name: string, hook: Hook) => hooks.set(name, hook) };
  limitWriteTime(app as unknown as FastifyInstance, idleMs);
  const raw = new Answer();
  hooks.get("onRequest")?.({}, { raw }, () => {});
  return raw;
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
});

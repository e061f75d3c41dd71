import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startHeartbeat } from "../../src/facade/send-stream.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts a heartbeat of ten seconds; tells when it beat, in milliseconds from its start. */
function setUp() {
  const beats: number[] = [];
  const start = performance.now();
  const heartbeat = startHeartbeat(10_000, () => beats.push(performance.now() - start));
  return { heartbeat, beats };
}

describe("startHeartbeat()", () => {
  it("beats after each silence", () => {
    const { beats, heartbeat } = setUp();
    vi.advanceTimersByTime(9_999);
    expect(beats).toEqual([]);
    vi.advanceTimersByTime(20_002);
    expect(beats).toEqual([10_000, 20_000, 30_000]);
    heartbeat.stop();
  });

  it("counts from the latest touch, whenever that was", () => {
    const { beats, heartbeat } = setUp();
    vi.advanceTimersByTime(1);
    heartbeat.touch();
    vi.advanceTimersByTime(10_000);
    expect(beats).toEqual([10_001]);
    vi.advanceTimersByTime(9_000);
    heartbeat.touch();
    vi.advanceTimersByTime(10_000);
    expect(beats).toEqual([10_001, 29_001]);
    heartbeat.stop();
  });

  it("is still once it was stopped", () => {
    const { beats, heartbeat } = setUp();
    heartbeat.stop();
    vi.advanceTimersByTime(60_000);
    expect(beats).toEqual([]);
  });
});

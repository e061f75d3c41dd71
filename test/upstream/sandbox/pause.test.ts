import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { ErrorReason } from "../../../src/hub/error.ts";
import { pause } from "../../../src/upstream/sandbox/pause.ts";

describe("pause()", () => {
  it.each([0, 20])("waits for %d ms, and leaves nothing on the signal", async (durationMs) => {
    const { signal } = new AbortController();
    const begin = performance.now();
    await pause(durationMs, signal);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(durationMs - 2);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it.each([0, 60_000])("is canceled by the signal: %d ms", async (durationMs) => {
    const controller = new AbortController();
    const pending = pause(durationMs, controller.signal);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
  });

  it("does not begin after the signal", async () => {
    await expect(pause(60_000, AbortSignal.abort())).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
  });
});

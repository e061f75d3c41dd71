import { describe, expect, it } from "vitest";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { whenAvailable } from "../../src/hub/when-available.ts";
import { DatabaseTimeoutError } from "../../src/lib/database-state.ts";

describe("whenAvailable()", () => {
  const failing = (error: Error) => whenAvailable(Promise.reject(error), "usage cannot be read");

  it.each([
    new DatabaseTimeoutError("no answer"),
    Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
    Object.assign(new Error("the database is locked"), { errcode: 5 }),
    Object.assign(new Error("deadlock detected"), { code: "40P01", severity: "ERROR" }),
  ])("tells of an outage that it passes: $message", async (cause) => {
    await expect(failing(cause)).rejects.toMatchObject({
      reason: ErrorReason.UNAVAILABLE,
      message: "usage cannot be read at the moment: try again shortly",
      facts: { retryAfterMs: 1000 },
    });
  });

  it.each([
    new TypeError("rows is not iterable"),
    Object.assign(new Error("no such table: feedback_week"), { errcode: 1 }),
    Object.assign(new Error('relation "feedback_week" does not exist'), { code: "42P01", severity: "ERROR" }),
    InferenceError.invalid("from", "must be before 'to'"),
  ])("leaves a mistake as it is: $message", async (mistake) => {
    await expect(failing(mistake)).rejects.toBe(mistake);
  });
});

import { describe, expect, it } from "vitest";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { RequestSummary, type SummarizedInference } from "../../src/hub/request-summary.ts";
import type { RequestTrace } from "../../src/hub/request-trace.ts";
import { inferenceRecord } from "../support/inference-record.ts";

const RECORD: SummarizedInference = inferenceRecord();

function open(): { readonly summary: RequestSummary; readonly reported: RequestSummary[] } {
  const reported: RequestSummary[] = [];
  const summary = new RequestSummary({ requestId: "r", route: "POST /v1" }, (ended) => reported.push(ended));
  return { summary, reported };
}

describe("RequestSummary", () => {
  it("is reported once, when the request has ended", () => {
    const { summary, reported } = open();
    summary.end(200);
    summary.end(500);
    expect(reported).toEqual([summary]);
    expect(summary).toMatchObject({ status: 200, outcome: "completed" });
  });

  it("waits for the record of an inference that was begun", () => {
    const { summary, reported } = open();
    summary.begin("i");
    summary.end(undefined, false);
    expect(reported).toEqual([]);
    summary.addRecord({ ...RECORD, status: "canceled" });
    expect(reported).toEqual([summary]);
    expect(summary.outcome).toBe("canceled");
  });

  it("is reported with the end where the record came before", () => {
    const { summary, reported } = open();
    summary.begin("i");
    summary.addRecord(RECORD);
    expect(reported).toEqual([]);
    summary.end(200);
    expect(reported).toEqual([summary]);
  });

  it("does not wait for an inference in the background, whose own summary ends with its record", () => {
    const { summary, reported } = open();
    const behind = summary.inBackground();
    behind.begin("i");
    summary.end(200);
    expect(reported).toEqual([summary]);
    behind.addRecord(RECORD);
    expect(reported).toEqual([summary, behind]);
    expect(behind).toMatchObject({ requestId: "r", isBackground: true, outcome: "completed" });
  });

  it("is never reported once discarded", () => {
    const { summary, reported } = open();
    summary.discard();
    summary.end(200);
    expect(reported).toEqual([]);
  });

  it.each([
    [ErrorReason.UNAUTHENTICATED, {}, 401, "refused"],
    [ErrorReason.RATE_LIMITED, {}, 429, "refused"],
    [ErrorReason.RATE_LIMITED, { upstream: "u" }, 429, "failed"],
    [ErrorReason.INTERNAL, {}, 500, "failed"],
    [ErrorReason.CANCELED, {}, undefined, "canceled"],
  ] as const)("has an outcome where nothing was recorded: %s, %j", (reason, facts, status, outcome) => {
    const { summary } = open();
    summary.fail(new InferenceError(reason, "no", facts));
    summary.fail(new InferenceError(ErrorReason.INTERNAL, "a later one"));
    summary.end(status);
    expect(summary.outcome).toBe(outcome);
  });

  it("is refused with a status alone, and canceled where the answer breaks off", () => {
    const { summary: refused } = open();
    refused.end(405);
    const { summary: left } = open();
    left.end(200, false);
    expect([refused.outcome, left.outcome]).toEqual(["refused", "canceled"]);
  });

  it("keeps 100 values of feedback, of a request that is traced alone", () => {
    const value = { inferenceId: "i", sessionId: null, name: "n", value: true };
    const values = () => Array.from({ length: 60 }, () => value);
    for (const isSampled of [true, false]) {
      const trace = { isSampled } as RequestTrace;
      const summary = new RequestSummary({ requestId: "r", route: "POST /v1/feedback", trace }, () => {});
      for (let batch = 0; batch < 2; batch++) summary.addFeedback(values);
      expect(summary.feedback).toHaveLength(isSampled ? 100 : 0);
    }
    const { summary } = open();
    summary.addFeedback(() => {
      throw new Error("nothing is described where nothing is traced");
    });
    expect(summary.feedback).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { keyHeaders, readRequestHeaders } from "../../src/facade/request-headers.ts";

describe("readRequestHeaders()", () => {
  it.each([
    [{}, {}],
    [{ "attune-strict": "true" }, { strict: true }],
    [{ "attune-strict": "false" }, {}],
    [{ "attune-workload": "checkout" }, { workload: "checkout" }],
    [{ "anthropic-beta": "a-2026-01-01, b-2026-01-01,," }, { betas: ["a-2026-01-01", "b-2026-01-01"] }],
  ])("reads %j", (headers, expected) => {
    expect(readRequestHeaders(headers)).toEqual(expected);
  });

  it("refuses a strictness that is neither", () => {
    expect(() => readRequestHeaders({ "attune-strict": "yes" })).toThrow(
      "attune-strict: this header must be 'true' or 'false'",
    );
  });
});

describe("keyHeaders()", () => {
  it("hands on what says who calls, and nothing else", () => {
    expect(keyHeaders({ authorization: "Bearer a", "x-api-key": "b", cookie: "c" })).toEqual({
      authorization: "Bearer a",
      "x-api-key": "b",
    });
  });
});

import { describe, expect, it } from "vitest";
import { keyHeaders, readRequestHeaders } from "../../src/facade/request-headers.ts";

describe("readRequestHeaders()", () => {
  it.each([
    [{}, {}],
    [{ "attune-strict": "true" }, { strict: true }],
    [{ "attune-strict": "false" }, { strict: false }],
    [{ "attune-workload": "checkout" }, { workload: "checkout" }],
    [{ "attune-optimize": "off" }, { plain: true }],
    [{ "attune-optimize": "on" }, { plain: false }],
    [{ "attune-candidates": "1" }, { candidates: 1 }],
    [{ "attune-candidates": "4" }, { candidates: 4 }],
    [{ "attune-max-usd": "0.05" }, { maxCostNanos: 50_000_000n }],
    [{ "attune-max-usd": "999999999.000000001" }, { maxCostNanos: 999_999_999_000_000_001n }],
    [{ "attune-store": "none" }, { noTexts: true }],
    [{ "anthropic-beta": "a-2026-01-01, b-2026-01-01,," }, { betas: ["a-2026-01-01", "b-2026-01-01"] }],
    [{ "anthropic-beta": "message-threads-2026-01-01,a-2026-01-01" }, { betas: ["a-2026-01-01"] }],
  ])("reads %j", (headers, expected) => {
    expect(readRequestHeaders(headers)).toEqual(expected);
  });

  it("refuses a strictness that is neither", () => {
    expect(() => readRequestHeaders({ "attune-strict": "yes" })).toThrow(
      expect.objectContaining({
        message: "the header 'attune-strict' must be 'true' or 'false'",
        facts: expect.objectContaining({ param: "" }),
      }),
    );
  });

  it("refuses to optimize in a way that there is none of", () => {
    expect(() => readRequestHeaders({ "attune-optimize": "no" })).toThrow(
      "the header 'attune-optimize' must be 'on' or 'off'",
    );
  });

  it.each(["0", "5", "two", "2.0", "", " 2", "02", "10"])("refuses to choose from %j answers", (candidates) => {
    expect(() => readRequestHeaders({ "attune-candidates": candidates })).toThrow(
      "the header 'attune-candidates' must be a number from 1 to 4",
    );
  });

  it.each(["0", "0.000", "-1", "1e3", ".5", "5.", "0.0000000001", "1234567890", "NaN", "", "0,05", "$1"])(
    "refuses a ceiling of %j",
    (ceiling) => {
      expect(() => readRequestHeaders({ "attune-max-usd": ceiling })).toThrow(
        "the header 'attune-max-usd' must be a decimal above 0 with at most 9 places, such as 0.05",
      );
    },
  );

  it.each(["", "full", "false", "None"])("refuses to keep %j", (store) => {
    expect(() => readRequestHeaders({ "attune-store": store })).toThrow("the header 'attune-store' must be 'none'");
  });

  it("refuses a workload that is too long, as a header", () => {
    expect(readRequestHeaders({ "attune-workload": "w".repeat(256) })).toEqual({ workload: "w".repeat(256) });
    expect(() => readRequestHeaders({ "attune-workload": "w".repeat(257) })).toThrow(
      "the header 'attune-workload' must have at most 256 characters, not 257",
    );
  });

  it("refuses a workload with a character that does not show", () => {
    expect(() => readRequestHeaders({ "attune-workload": "a\tb" })).toThrow(
      "the header 'attune-workload' must not have control characters, nor characters that change the direction of text; it has U+0009",
    );
    // Node reads headers as Latin-1, in which bytes of UTF-8 look like control characters.
    expect(readRequestHeaders({ "attune-workload": "\u00c3\u0089" })).toEqual({ workload: "É" });
    expect(() => readRequestHeaders({ "attune-workload": "a\u00e2\u0080\u00aeb" })).toThrow("it has U+202E");
  });

  it("ignores betas that no beta is called, and more than are taken", () => {
    const long = "b".repeat(129);
    expect(readRequestHeaders({ "anthropic-beta": `${long}, b\u00e4, a b, ${"b".repeat(128)}` })).toEqual({
      betas: ["b".repeat(128)],
    });
    const many = Array.from({ length: 70 }, (_, index) => `beta-${index}`);
    expect(readRequestHeaders({ "anthropic-beta": many.join(",") }).betas).toEqual(many.slice(0, 64));
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

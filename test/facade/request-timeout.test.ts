import { describe, expect, it } from "vitest";
import { readRequestTimeout } from "../../src/facade/admit-request.ts";

describe("readRequestTimeout()", () => {
  it.each([
    [{}, undefined],
    [{ "x-request-timeout": "30" }, 30_000],
    [{ "x-request-timeout": "0.5" }, 500],
    [{ "x-request-timeout": "30s" }, 30_000],
    [{ "x-request-timeout": "1500ms" }, 1500],
    [{ "x-request-timeout": "999999999" }, 2 ** 31 - 1],
    [{ "x-request-timeout": "5", "x-stainless-timeout": "600" }, 5000],
    [{ "x-stainless-timeout": "600" }, 600_000],
    [{ "x-stainless-read-timeout": "600.0" }, 600_000],
    // Of less than a second the TypeScript SDK says 0.
    [{ "x-stainless-timeout": "0" }, undefined],
    [{ "x-stainless-timeout": "NOT_GIVEN" }, undefined],
  ])("reads %j", (headers, timeoutMs) => {
    expect(readRequestTimeout(headers)).toBe(timeoutMs);
  });

  it.each(["0", "-1", "soon", "", "1h", "Infinity", "1e3"])("refuses x-request-timeout: %s", (value) => {
    expect(() => readRequestTimeout({ "x-request-timeout": value })).toThrow(
      "the header 'x-request-timeout' must be a number of seconds such as 30, or 1500ms",
    );
  });
});

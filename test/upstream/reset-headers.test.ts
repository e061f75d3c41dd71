import { describe, expect, it } from "vitest";
import { readResetMs } from "../../src/upstream/reset-headers.ts";

const NOW = Date.parse("2026-11-27T02:00:00Z");

describe("readResetMs()", () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ["a span", { "x-ratelimit-reset-requests": "1m0.5s" }, 60_000],
    ["milliseconds", { "x-ratelimit-reset-requests": "120ms" }, 120],
    ["plain seconds", { "x-ratelimit-reset-tokens": "7" }, 7000],
    ["a date", { "anthropic-ratelimit-tokens-reset": "2026-11-27T02:00:09Z" }, 9000],
    [
      "a date of an upstream whose clock is a day ahead",
      { "anthropic-ratelimit-tokens-reset": "2026-11-28T02:00:09Z", date: "Sat, 28 Nov 2026 02:00:00 GMT" },
      9000,
    ],
    ["seconds by the name of the draft", { "ratelimit-remaining": "0", "ratelimit-reset": "4" }, 4000],
    ["a date of HTTP", { "x-ratelimit-reset": "Fri, 27 Nov 2026 02:00:06 GMT" }, 6000],
    ["a date with a space", { "x-ratelimit-reset-requests": "2026-11-27 02:00:08Z" }, 8000],
    ["a Unix time in seconds", { "x-ratelimit-reset": String(NOW / 1000 + 5) }, 5000],
    ["a Unix time in milliseconds", { "x-ratelimit-reset": String(NOW + 5250) }, 5250],
    [
      "the limit that is used up",
      {
        "x-ratelimit-remaining-requests": "10",
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "3s",
      },
      3000,
    ],
    [
      "the later of two that are used up",
      {
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-11-27T02:00:02Z",
        "anthropic-ratelimit-output-tokens-remaining": "0",
        "anthropic-ratelimit-output-tokens-reset": "2026-11-27T02:00:04Z",
      },
      4000,
    ],
    ["the first where none is used up", { "x-ratelimit-reset-requests": "2s", "x-ratelimit-reset-tokens": "1s" }, 1000],
    ["a minute of a day", { "x-ratelimit-reset-requests": "24h0m0s" }, 60_000],
    ["nothing of what is over", { "x-ratelimit-reset": String(NOW / 1000 - 5) }, undefined],
    ["nothing of zero", { "x-ratelimit-reset-tokens": "0" }, undefined],
    [
      "nothing of words",
      { "x-ratelimit-reset-tokens": "soon", "x-ratelimit-reset": "2026-99-99T00:00:00Z" },
      undefined,
    ],
    ["nothing of other headers", { "retry-after": "3", "x-ratelimit-limit-tokens": "3" }, undefined],
  ])("reads %s", (_name, headers, waitMs) => {
    expect(readResetMs(headers, NOW)).toBe(waitMs);
  });
});

import { describe, expect, it } from "vitest";
import { toTextLine } from "../../src/observability/text-lines.ts";

const TIME = "2026-11-29T09:08:17.129Z";
const CLOCK = new Date(TIME).toTimeString().slice(0, 8);

const line = (facts: object, hasColors = false) => toTextLine(JSON.stringify({ time: TIME, ...facts }), hasColors);

describe("toTextLine()", () => {
  it("has the facts behind the message, and quotes those with blanks", () => {
    const shown = line({ level: 40, msg: "a deployment fails", upstream: "openai", failures: 3, reason: "no room" });
    expect(shown).toBe(`${CLOCK} warn  a deployment fails upstream=openai failures=3 reason="no room"`);
  });

  it("has what people look for of a request", () => {
    const facts = { requestId: "r-1", route: "POST /v1/chat/completions", format: "chat", model: "gpt-6-astra" };
    const shown = line({ level: 30, msg: "request", ...facts, status: 200, outcome: "completed", durationMs: 4.5 });
    const expected = "POST /v1/chat/completions 200 completed model=gpt-6-astra durationMs=4.5 requestId=r-1";
    expect(shown).toBe(`${CLOCK} info  ${expected}`);
  });

  it("has an error and its cause below the line", () => {
    const cause = { type: "Error", message: "refused", stack: "Error: refused\n    at b" };
    const err = { type: "TypeError", message: "failed", stack: "TypeError: failed\n    at a", cause };
    const lines = [`${CLOCK} error broken`, "TypeError: failed", "at a", "caused by", "Error: refused", "at b"];
    expect(line({ level: 50, msg: "broken", err })).toBe(lines.join("\n    "));
  });

  it("writes control characters of messages, facts and errors out", () => {
    const evil = "a\u001b[2J\u009b\nb";
    const shown = line({ level: 50, msg: evil, [evil]: evil, err: { stack: evil } });
    expect(shown.replaceAll("\n    ", "")).not.toMatch(/\p{Cc}/u);
    expect(shown).toContain("a\\u001b[2J\\u009b\\u000ab");
  });

  it("colors time and level alone", () => {
    const shown = line({ level: 50, msg: "broken" }, true);
    expect(shown).toBe(`\u001b[2m${CLOCK}\u001b[0m \u001b[31merror\u001b[0m broken`);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, startHarness } from "./harness.ts";
import { ERROR_CASES } from "./irregular/errors.ts";
import { INBOUND, UPSTREAM_KINDS } from "./topic.ts";

let harness: Harness;
beforeAll(async () => {
  // Failures are remembered: each case has deployments that are asked again all the same.
  harness = await startHarness("", 2);
});
afterAll(() => harness?.close());

const messages = [{ role: "user", content: "Hi" }];
const REQUESTS = { chat: { messages }, responses: { input: "Hi" }, messages: { max_tokens: 64, messages } };
const cases = ERROR_CASES.flatMap((error) =>
  INBOUND.flatMap((inbound) =>
    UPSTREAM_KINDS.flatMap((kind) => [true, false].map((stream) => ({ ...error, inbound, kind, stream }))),
  ),
);

describe.each(cases)("$row, of $kind to $inbound, streamed: $stream", (entry) => {
  it("is told as what it is", async () => {
    const { inbound, kind, stream, expected } = entry;
    const answer = {
      status: entry.status,
      headers: { "content-type": entry.contentType ?? "application/json" },
      steps: [entry.body(kind)],
    };
    const request = { ...REQUESTS[inbound], ...(stream && { stream }) };
    const outcome = await harness.ask({ inbound, kind, request }, answer);
    const { error } = JSON.parse(outcome.body);
    expect({ status: outcome.status, calls: outcome.calls }).toEqual({
      status: expected.status,
      calls: expected.calls,
    });
    expect(error.message).toContain(expected.message);
    expect(inbound === "messages" ? error.type : error.code).toBe(expected.name[inbound]);
    for (const [name, value] of Object.entries(expected.headers ?? {})) expect(outcome.headers.get(name)).toBe(value);
  });
});

import { describe, expect, it } from "vitest";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { startTestService, yamlFor } from "../support/service.ts";

const KEY = "sk-upstream-chat-secret";

describe("an upstream that repeats its key", () => {
  it("is not repeated, wherever in its error the key stands", async () => {
    const upstream = await startScriptedUpstream();
    const service = await startTestService({ yaml: yamlFor(upstream.url) });
    const error = JSON.stringify({ error: { message: `no ${KEY}`, type: `t-${KEY}`, code: `c-${KEY}`, param: KEY } });
    const headers = { "content-type": "application/json", "x-request-id": KEY, "x-ratelimit-remaining-tokens": KEY };
    upstream.answer({ status: 422, headers, steps: [error] });
    const body = JSON.stringify({ model: "attune/chatty", messages: [{ role: "user", content: "Hello" }] });
    const answer = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: service.headers,
      body,
    });
    expect(answer.status).toBe(422);
    expect(await answer.text()).not.toContain(KEY);
    expect(JSON.stringify([...answer.headers])).not.toContain(KEY);
    await service.close();
    await upstream.close();
  });

  it("leaves an error alone that holds no secret", () => {
    const error = new InferenceError(ErrorReason.RATE_LIMITED, "slow", { upstreamCode: "slow_down", retryAfterMs: 5 });
    expect(error.without([KEY])).toBe(error);
  });
});

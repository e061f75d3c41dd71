import { expect, it } from "vitest";
import { startTestService } from "../support/service.ts";

const YAML = `
models:
  - name: made-up
    family: chat
    contextWindow: 200000
    maxOutputTokens: 4096
    deployments: [ { upstream: sandbox, model: sandbox } ]
`;

it("a call of a configured model on the sandbox has a cost", async () => {
  const service = await startTestService({ yaml: YAML });
  try {
    const body = JSON.stringify({ model: "attune/made-up", messages: [{ role: "user", content: "Hello there" }] });
    const { url, headers } = service;
    const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number; completion_tokens: number } };
    await service.flush();
    const [record] = await service.store
      .query()
      .selectFrom("Inference")
      .select(["costNanos", "baseCostNanos"])
      .execute();
    // 2 and 10 USD for a million tokens are 2,000 and 10,000 nano-USD for one.
    const costNanos = 2000 * usage.prompt_tokens + 10_000 * usage.completion_tokens;
    expect(costNanos).toBeGreaterThan(0);
    expect(record).toEqual({ costNanos, baseCostNanos: costNanos });
  } finally {
    await service.close();
  }
});

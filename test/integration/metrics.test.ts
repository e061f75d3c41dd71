import { describe, expect, it } from "vitest";
import { startTestService } from "../support/service.ts";

describe("GET /metrics", () => {
  it("counts what was served, and asks for no key on the admin port", async () => {
    const service = await startTestService();
    try {
      const body = JSON.stringify({ model: "attune/gpt-6-astra", messages: [{ role: "user", content: "hi" }], n: 1 });
      const strict = await fetch(`${service.url}/v1/chat/completions`, {
        method: "POST",
        headers: { ...service.headers, "attune-strict": "true" },
        body: body.replace('"n":1', '"x_new":1'),
      });
      expect(strict.status).toBe(400);
      const counted = await fetch(`${service.url}/v1/messages/count_tokens`, {
        method: "POST",
        headers: { ...service.headers, "attune-strict": "true" },
        body: JSON.stringify({
          model: "attune/claude-haiku-5-5",
          messages: [{ role: "user", content: "hi" }],
          x_old: 1,
        }),
      });
      expect(counted.status).toBe(400);
      for (const key of [service.key, service.key, "wrong"]) {
        const headers = { ...service.headers, authorization: `Bearer ${key}` };
        await (await fetch(`${service.url}/v1/chat/completions`, { method: "POST", headers, body })).text();
      }
      const response = await fetch(`${service.adminUrl}/metrics`);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
      const text = await response.text();
      expect(text).toContain(
        'attune_inferences_total{format="chat",model="gpt-6-astra",upstream="sandbox",status="completed"} 2\n',
      );
      expect(text).toContain('attune_refused_losses_total{format="chat",upstream_kind="sandbox",member="x_new"} 1\n');
      expect(text).toContain(
        'attune_refused_losses_total{format="messages",upstream_kind="sandbox",member="x_old"} 1\n',
      );
      const labels = 'format="chat",model="gpt-6-astra",upstream="sandbox"';
      expect(text).toMatch(new RegExp(`attune_tokens_total\\{${labels},kind="input"\\} [1-9]\\d*\\n`));
      expect(text).toMatch(new RegExp(`attune_tokens_total\\{${labels},kind="output"\\} [1-9]\\d*\\n`));
      expect(text).toMatch(new RegExp(`attune_cost_nano_usd_total\\{${labels}\\} [1-9]\\d*\\n`));
      expect(text).toContain("attune_inferences_in_flight 0\n");
    } finally {
      await service.close();
    }
  });
});

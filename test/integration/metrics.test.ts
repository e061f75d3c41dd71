import { describe, expect, it } from "vitest";
import { readVersion } from "../../src/lib/version.ts";
import { startTestService } from "../support/service.ts";
import { waitUntil } from "../support/wait.ts";

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

  it("counts requests by route, and tells of the process", async () => {
    const service = await startTestService();
    try {
      const body = JSON.stringify({ model: "attune/gpt-6-astra", messages: [{ role: "user", content: "hi" }] });
      for (const key of [service.key, service.key, "wrong"]) {
        const headers = { ...service.headers, authorization: `Bearer ${key}` };
        await (await fetch(`${service.url}/v1/chat/completions`, { method: "POST", headers, body })).text();
      }
      const route = 'route="POST /v1/chat/completions"';
      const requests = (rest: string) => `attune_requests_total{${route},${rest}}`;
      // A request is counted once its answer is out, when its client may have it already.
      const text = await waitUntil(async () => {
        const page = await (await fetch(`${service.adminUrl}/metrics`)).text();
        return page.includes(`attune_request_duration_seconds_count{${route}} 3\n`) && page;
      });
      expect(text).toContain(`${requests('status="200",outcome="completed",reason=""')} 2\n`);
      expect(text).toContain(`${requests('status="401",outcome="refused",reason="unauthenticated"')} 1\n`);
      expect(text).toContain(`attune_build_info{version="${readVersion()}",node="${process.versions.node}"} 1\n`);
      expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
    } finally {
      await service.close();
    }
  });
});

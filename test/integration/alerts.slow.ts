import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Message } from "../../src/alerts/message.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait.ts";

const SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes....").toString("base64")}`;

describe("alerts of a whole service", () => {
  let receiver: Server;
  let service: TestService;
  const received: { readonly headers: Record<string, string>; readonly body: string }[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        received.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    service = await startTestService({
      yaml: `
quotas: { eachKey: { usdPerDay: 0.01 }, reserve: bound }
alerts:
  rules: { budget: { threshold: 0.1 } }
  destinations:
    ops: { kind: webhook, url: "${url}", secret: "${SECRET}" }
    siem: { kind: webhook, url: "${url}", secret: "${SECRET}", sends: [audit-log] }
`,
    });
  });

  afterAll(async () => {
    receiver.close();
    await service.close();
  });

  it("tell of a budget once it is nearly spent, of the key's project, and send the audit log", async () => {
    for (let calls = 0; calls < 40; calls += 1) {
      const body = { model: "gpt-6-astra", max_tokens: 100, messages: [{ role: "user", content: "Hello there" }] };
      const { headers } = service;
      await fetch(`${service.url}/v1/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) });
    }
    const messages = () => received.map(({ body, headers }) => new Webhook(SECRET).verify(body, headers) as Message);
    const alert = await waitUntil(() => messages().find(({ type }) => type === "alert.opened"));
    expect(alert.data).toMatchObject({
      rule: "budget",
      total: 1,
      alerts: [
        { project: "default", subject: expect.stringMatching(/^USD a day of key [0-9a-z]{12} \(test\)$/) as unknown },
      ],
    });
    const audited = await waitUntil(() => messages().find(({ type }) => type === "audit.entries"));
    expect(audited.data["entries"]).toContainEqual(expect.objectContaining({ sequence: 1, action: "keys.create" }));
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(metrics).toContain('attune_alerts_firing{kind="budget"} 1');
    expect(metrics).toMatch(/attune_alert_deliveries_total\{kind="webhook",outcome="delivered"\} \d/);
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

const TOKEN = "a-token-of-metrics";

let service: TestService | undefined;

afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function ask(url: string, authorization?: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(url, { headers: authorization === undefined ? {} : { authorization } });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe("GET /metrics", () => {
  // A proxy on the same machine reaches a loopback host for everybody.
  it("is not on the public port of a loopback host, whether there is an admin port or not", async () => {
    service = await startTestService();
    for (const path of ["/metrics", "/metrics/"]) expect((await ask(service.url + path)).status).toBe(404);
    expect((await ask(`${service.url}/metrics`, `Bearer ${service.key}`)).status).toBe(404);
    expect(await ask(`${service.adminUrl}/metrics`)).toMatchObject({
      status: 200,
      text: expect.stringContaining("attune_inferences_in_flight 0\n"),
    });
  });

  it("asks for the token on the public port where there is no admin port", async () => {
    service = await startTestService({ yaml: `server: { metricsToken: ${TOKEN} }\n`, hasAdminPort: false });
    expect(service.adminUrl).toBe("");
    for (const wrong of [undefined, TOKEN, `Bearer ${TOKEN}x`, `Bearer ${service.key}`, "Bearer ", `Basic ${TOKEN}`]) {
      const { status, text, headers } = await ask(`${service.url}/metrics`, wrong);
      expect([wrong, status, headers.get("www-authenticate")]).toEqual([wrong, 401, "Bearer"]);
      expect(text).toContain("server.metricsToken");
      expect(text).not.toContain("attune_");
    }
    for (const right of [`Bearer ${TOKEN}`, `bearer  ${TOKEN}`]) {
      expect(await ask(`${service.url}/metrics`, right)).toMatchObject({
        status: 200,
        text: expect.stringContaining("attune_inferences_in_flight 0\n"),
      });
    }
  });

  it("asks for the token on the admin port too, and is on no other port then", async () => {
    service = await startTestService({ yaml: `server: { metricsToken: ${TOKEN} }\n` });
    expect((await ask(`${service.url}/metrics`, `Bearer ${TOKEN}`)).status).toBe(404);
    expect((await ask(`${service.adminUrl}/metrics`)).status).toBe(401);
    expect((await ask(`${service.adminUrl}/metrics`, `Bearer ${TOKEN}`)).status).toBe(200);
  });
});

describe("server.adminPort", () => {
  it("has the health of the process, as the public port has, and nothing else", async () => {
    service = await startTestService();
    const health = await Promise.all([service.url, service.adminUrl].map((url) => ask(`${url}/healthz`)));
    expect(health.map(({ status }) => status)).toEqual([200, 200]);
    expect(health[1]?.text).toBe(health[0]?.text);
    expect((await ask(`${service.adminUrl}/readyz`)).status).toBe(200);
    for (const path of ["/", "/v1/models", "/dashboard", "/nowhere"]) {
      expect((await ask(service.adminUrl + path, `Bearer ${service.key}`)).status).toBe(404);
    }
  });
});

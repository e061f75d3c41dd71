import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

/** Asks without keeping the connection; fetch() would not tell of content after the head. */
async function ask(method: string, url: string, headers: Record<string, string>) {
  return await new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      let body = "";
      answer.on("data", (piece: Buffer) => {
        body += piece.toString();
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    });
    sent.on("error", reject).end();
  });
}

describe("HEAD", () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });

  afterAll(async () => {
    await service.close();
  });

  it.each([
    "/",
    "/healthz",
    "/readyz",
    "/openapi.json",
    "/v1/models",
    "/v1/models/attune/nothing",
    "/v1/usage",
    "/v1/inferences",
  ])("answers %s as GET does, without content (RFC 9110, 9.3.2)", async (path) => {
    const { authorization = "" } = service.headers;
    const get = await ask("GET", service.url + path, { authorization });
    const head = await ask("HEAD", service.url + path, { authorization });
    expect([head.status, head.headers["content-type"], head.body]).toEqual([
      get.status,
      get.headers["content-type"],
      "",
    ]);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    expect(get.body).not.toBe("");
  });

  it("answers the admin port's pages, and asks for a key where GET does", async () => {
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      expect([path, (await ask("HEAD", service.adminUrl + path, {})).status]).toEqual([path, 200]);
    }
    expect((await ask("HEAD", `${service.url}/v1/models`, {})).status).toBe(401);
  });

  it("is refused where there is no GET, and named where there is one", async () => {
    const { authorization = "" } = service.headers;
    expect((await ask("HEAD", `${service.url}/v1/chat/completions`, { authorization })).status).toBe(405);
    expect((await ask("HEAD", `${service.url}/v1/responses`, { authorization })).status).toBe(405);
    const put = await ask("PUT", `${service.url}/v1/models`, { authorization });
    expect([put.status, put.headers["allow"]]).toEqual([405, "GET, HEAD"]);
  });
});

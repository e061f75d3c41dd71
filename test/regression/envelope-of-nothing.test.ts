import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.close());

// Clients of the Messages format cannot read another envelope: they told their users nothing but the status.
describe("a request for what does not exist, by a client of the Messages format", () => {
  it.each([
    [404, "GET", "/v1/messages/batches"],
    [404, "POST", "/v1/complete"],
    [404, "POST", "/v1/files"],
    [404, "GET", "/nowhere"],
    [404, "POST", "/v1/responses/frobnicate"],
    [400, "GET", "/v1/%zz"],
    [405, "GET", "/v1/chat/completions"],
    [405, "PUT", "/v1/feedback"],
    [405, "DELETE", "/v1/responses"],
  ])("is answered with %i in its envelope: %s %s", async (status, method, path) => {
    const headers = { ...service.headers, "anthropic-version": "2023-06-01" };
    const response = await fetch(service.url + path, { method, headers });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      type: "error",
      error: { type: status === 404 ? "not_found_error" : "invalid_request_error", message: expect.any(String) },
      request_id: response.headers.get("request-id"),
    });
  });

  it("is answered in the envelope of Chat without the header", async () => {
    const response = await fetch(`${service.url}/v1/files`, { headers: service.headers });
    expect(await response.json()).toMatchObject({ error: { code: "not_found", param: null } });
  });
});

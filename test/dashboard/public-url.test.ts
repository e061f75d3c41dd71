import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Caller, PASSWORD } from "./caller.ts";
import { type DashboardService, startDashboardService } from "./harness.ts";

const PUBLIC_URL = "https://attune.example.com";

// As it is behind a proxy that ends https and says so in no header.
describe("server.publicUrl in the dashboard", () => {
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ configText: `server: { publicUrl: ${PUBLIC_URL} }\n` });
  });

  afterAll(() => service.close());

  it("lets in its own pages, keeps cookies for https, and tells them the address", async () => {
    const token = (await service.setupLink()).split("token=")[1] ?? "";
    const browser = new Caller(service.url, { origin: PUBLIC_URL, "sec-fetch-site": "same-origin" });
    const made = await browser.mutate("setup.createOwner", { token, email: "owner@example.com", password: PASSWORD });
    expect(made.status).toBe(200);
    expect(made.headers.get("set-cookie")).toMatch(/^__Host-attune_session=[\w-]{43}; .*; Secure; SameSite=Strict$/);
    expect((await browser.query("session.current")).data).toMatchObject({
      user: { email: "owner@example.com" },
      publicUrl: PUBLIC_URL,
    });
    expect((await browser.mutate("session.signOut")).headers.get("set-cookie")).toMatch(/^__Host-attune_session=;/);
  });

  it.each(["http://attune.example.com", "https://example.com", "https://attune.example.com.org", "null"])(
    "refuses pages of %s",
    async (origin) => {
      const browser = new Caller(service.url, { origin });
      const answer = await browser.mutate("session.signIn", { email: "owner@example.com", password: PASSWORD });
      expect([answer.status, answer.error?.message]).toEqual([403, "this request comes from another origin"]);
    },
  );
});

describe("server.publicUrl with a path", () => {
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ configText: `server: { publicUrl: ${PUBLIC_URL}/tools }\n` });
  });

  afterAll(() => service.close());

  // Browsers refuse __Host- with a path, and would send a cookie of the root to the other services of the host.
  it("keeps cookies for https and the path", async () => {
    const token = (await service.setupLink()).split("token=")[1] ?? "";
    const browser = new Caller(service.url, { origin: PUBLIC_URL, "sec-fetch-site": "same-origin" });
    const made = await browser.mutate("setup.createOwner", { token, email: "owner@example.com", password: PASSWORD });
    expect(made.headers.get("set-cookie")).toMatch(
      /^__Secure-attune_session=[\w-]{43}; Max-Age=\d+; Path=\/tools; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await browser.query("session.current")).data).toMatchObject({ user: { email: "owner@example.com" } });
  });
});

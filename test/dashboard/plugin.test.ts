import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Caller, PASSWORD } from "./caller.ts";
import { type DashboardService, startDashboardService } from "./harness.ts";
import { signedIn } from "./people.ts";

let service: DashboardService;

beforeAll(async () => {
  service = await startDashboardService();
});

afterAll(() => service.close());

describe("requests that change something", () => {
  const JSON_TYPE = { "content-type": "application/json" };
  const cases: readonly [what: string, headers: Record<string, string>, status: number][] = [
    ["of another origin", { ...JSON_TYPE, origin: "https://evil.example" }, 403],
    ["of an opaque origin", { ...JSON_TYPE, origin: "null" }, 403],
    ["of another site", { ...JSON_TYPE, "sec-fetch-site": "cross-site" }, 403],
    ["of a sibling host", { ...JSON_TYPE, "sec-fetch-site": "same-site" }, 403],
    ["typed into the address bar", { ...JSON_TYPE, "sec-fetch-site": "none" }, 403],
    ["that say nothing of where they come from", JSON_TYPE, 403],
    ["of a form", { "content-type": "text/plain", "sec-fetch-site": "same-origin" }, 415],
    [
      "of a form with a file",
      { "content-type": "multipart/form-data; boundary=x", "sec-fetch-site": "same-origin" },
      415,
    ],
    ["of the dashboard's own pages", { ...JSON_TYPE, "sec-fetch-site": "same-origin" }, 200],
  ];

  it.each(cases)("%s", async (_what, headers, status) => {
    const { email, caller } = await signedIn(service);
    const body = JSON.stringify({ email, password: PASSWORD });
    const response = await fetch(`${service.url}/dashboard/api/session.signIn`, {
      method: "POST",
      body,
      headers: { ...headers, cookie: caller.cookie ?? "" },
    });
    expect(response.status).toBe(status);
    expect(response.headers.getSetCookie()).toHaveLength(status === 200 ? 1 : 0);
  });

  it("are not taken as queries, and queries not from other sites", async () => {
    const { caller } = await signedIn(service);
    const get = await fetch(`${service.url}/dashboard/api/session.signOut`, {
      headers: { cookie: caller.cookie ?? "" },
    });
    expect(get.status).toBe(405);
    const headers = { cookie: caller.cookie ?? "", "sec-fetch-site": "cross-site" };
    expect((await fetch(`${service.url}/dashboard/api/session.list`, { headers })).status).toBe(403);
    expect((await caller.query("session.list")).status).toBe(200);
  });
});

describe("the root", () => {
  it("leads browsers to the dashboard, and tells programs where the API is", async () => {
    const ask = (accept: string) => fetch(service.url, { redirect: "manual", headers: { accept } });
    const browser = await ask("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    expect([browser.status, browser.headers.get("location")]).toEqual([302, "/dashboard"]);
    const program = await ask("*/*");
    expect([program.status, await program.json()]).toEqual([200, { service: "attune", api: "/v1" }]);
  });
});

describe("errors", () => {
  it("name the fields, and show no inside", async () => {
    const answer = await new Caller(service.url).mutate("session.signIn", { email: "x", password: "" });
    expect(answer.status).toBe(400);
    expect(answer.error?.message).toBe("email: must be an e-mail address; password: must not be empty");
    expect(answer.error?.data).toEqual({
      code: "BAD_REQUEST",
      httpStatus: 400,
      path: "session.signIn",
      fields: { email: "must be an e-mail address", password: "must not be empty" },
    });
  });
});

describe("the page of a dashboard that could not be built", () => {
  it("says why, safely, while the API serves", async () => {
    const response = await fetch(`${service.url}/dashboard/keys`);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("<pre>not built: &lt;b&gt;a test&lt;/b&gt;</pre>");
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });
});

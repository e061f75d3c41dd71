import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { type FakeOidcProvider, OIDC_CLIENT, startFakeOidcProvider } from "../support/fake-oidc-provider.ts";
import { BASE_PATH, PATH_PROXIES, type PathProxy, startPathProxy } from "../support/path-proxy.ts";
import { Caller, PASSWORD } from "./caller.ts";
import { type DashboardService, startDashboardService } from "./harness.ts";

describe.each(PATH_PROXIES)("below a path, behind a proxy that $name", ({ takesOff }) => {
  let proxy: PathProxy;
  let provider: FakeOidcProvider;
  let service: DashboardService;
  let key: string;

  beforeAll(async () => {
    proxy = await startPathProxy(takesOff);
    provider = await startFakeOidcProvider();
    const company = {
      label: "Example Inc.",
      issuer: provider.issuer,
      clientId: OIDC_CLIENT.id,
      clientSecret: OIDC_CLIENT.secret,
      groups: [],
    };
    const server = { publicUrl: `${proxy.url}/` };
    const configText = JSON.stringify({ server, dashboard: { signIn: { providers: { company } } } });
    service = await startDashboardService({ withPages: true, configText });
    proxy.serve(service.url);
    key = (await createKey(service.store, { projectId: DEFAULT_PROJECT.id, name: "key" })).key;
  });

  afterAll(async () => {
    await service.close();
    await provider.close();
    await proxy.close();
  });

  it.each(["/dashboard", "/dashboard/", "/dashboard/projects/x/keys"])(
    "has all files of the page at %s",
    async (page) => {
      const answer = await fetch(`${proxy.url}${page}`);
      const files = [...(await answer.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? "");
      expect(files.length).toBeGreaterThan(2);
      for (const file of files) {
        expect(file).toMatch(new RegExp(`^${BASE_PATH}/dashboard/(assets/[^/]+|icon\\.svg)$`));
        expect((await fetch(new URL(file, proxy.url))).status).toBe(200);
      }
    },
  );

  it("leads browsers from its root to the dashboard", async () => {
    const answer = await fetch(`${proxy.url}/`, { redirect: "manual", headers: { accept: "text/html" } });
    expect(answer.headers.get("location")).toBe(`${BASE_PATH}/dashboard`);
  });

  it("keeps the session for its own path", async () => {
    const browser = new Caller(proxy.url, { origin: new URL(proxy.url).origin, "sec-fetch-site": "same-origin" });
    const [, token = ""] = (await service.setupLink()).split("token=");
    const made = await browser.mutate("setup.createOwner", { token, email: "owner@example.com", password: PASSWORD });
    expect(made.headers.get("set-cookie")).toMatch(
      new RegExp(`^attune_session=[\\w-]{43}; Max-Age=\\d+; Path=${BASE_PATH}; HttpOnly; SameSite=Strict$`),
    );
    expect((await browser.query("session.current")).data).toMatchObject({ publicUrl: proxy.url });
    const ended = await browser.mutate("session.signOut");
    expect(ended.headers.get("set-cookie")).toMatch(new RegExp(`^attune_session=;.* Path=${BASE_PATH};`));
  });

  it("leads to the provider and back to the page that was asked for", async () => {
    provider.claims = { sub: "ada", email: "ada@example.com", email_verified: true };
    const target = `${BASE_PATH}/dashboard/projects/1/history?key=a`;
    const start = `${proxy.url}/dashboard/api/sign-in/company/start?${new URLSearchParams({ to: target })}`;
    const begun = await fetch(start, { redirect: "manual" });
    const back = provider.authorize(begun.headers.get("location") ?? "");
    expect(`${back.origin}${back.pathname}`).toBe(`${proxy.url}/dashboard/api/sign-in/company/callback`);
    const [flow = ""] = begun.headers.getSetCookie();
    expect(flow).toContain(`; Path=${BASE_PATH};`);
    const ended = await fetch(back, { headers: { cookie: flow.split(";")[0] ?? "" } });
    expect([ended.status, await ended.text()]).toEqual([
      200,
      expect.stringContaining(`content="0;url=${target}"`) as string,
    ]);
  });

  it.each(["/dashboard/x", `${BASE_PATH}.evil/dashboard`, `${BASE_PATH}/dashboardx`, "//evil.example/dashboard"])(
    "leads nobody to %s",
    async (to) => {
      const start = `${proxy.url}/dashboard/api/sign-in/company/start?${new URLSearchParams({ to })}`;
      const begun = await fetch(start, { redirect: "manual" });
      const payload = /^attune_sign_in=([^.;]+)/.exec(begun.headers.get("set-cookie") ?? "")?.[1] ?? "";
      expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
        target: `${BASE_PATH}/dashboard/`,
      });
    },
  );

  it("leads back to the sign-in page where that fails", async () => {
    const failed = await fetch(`${proxy.url}/dashboard/api/sign-in/company/callback?code=a&state=b`);
    expect([failed.status, await failed.text()]).toEqual([
      400,
      expect.stringContaining(`<a href="${BASE_PATH}/dashboard/">`) as string,
    ]);
  });

  it("serves the API, also over WebSocket, and directly without the path", async () => {
    const headers = { authorization: `Bearer ${key}` };
    for (const address of [proxy.url, service.url, `${service.url}${BASE_PATH}`]) {
      expect([address, (await fetch(`${address}/v1/models`, { headers })).status]).toEqual([address, 200]);
      expect([address, (await fetch(`${address}?a=b`)).status]).toEqual([address, address === proxy.url ? 404 : 200]);
      const socket = new WebSocket(`${address.replace("http", "ws")}/v1/responses`, { headers });
      await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
      socket.terminate();
    }
  });

  it("describes the API where it is", async () => {
    const address = `${proxy.url}/openapi.json`;
    const { servers } = (await (await fetch(address)).json()) as { servers: { url: string }[] };
    expect(servers.map(({ url }) => new URL(url, address).href)).toEqual([`${proxy.url}/`]);
  });
});

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { hasBrowser, launchBrowser, lookAt, openPage } from "./browser.ts";

const CLIENT = { id: "attune", secret: "a-secret-of-the-client" };

describe.skipIf(!hasBrowser)("signing in through a provider, in a browser", () => {
  let server: Server;
  let service: DashboardService;
  let browser: Browser;
  let page: Page & { complaints: string[] };
  let issuer: string;
  let groups = ["finance"];
  const refusedLogouts: string[] = [];

  beforeAll(async () => {
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const company = {
      label: "Example Inc.",
      issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scopes: ["openid", "email", "groups"],
      groups: [
        { group: "finance", project: "default", role: "billing" },
        { group: "platform", project: "default", role: "admin" },
      ],
    };
    const configText = JSON.stringify({ dashboard: { signIn: { providers: { company } } } });
    service = await startDashboardService({ withPages: true, configText });
    server.on("request", createProvider().callback());
    browser = await launchBrowser();
    const context = await browser.newContext();
    // The provider's own pages would load a font from elsewhere.
    await context.route(
      ({ hostname }) => hostname !== "127.0.0.1",
      (route) => route.fulfill({ body: "" }),
    );
    page = await openPage(context);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
    server?.closeAllConnections();
    server?.close();
  });

  /** A provider that lets everybody in whose name is given, with the address name@example.com. */
  function createProvider(): Provider {
    const own = `${service.url}/dashboard/api/sign-in/company`;
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${own}/callback`],
          grant_types: ["authorization_code", "refresh_token"],
          backchannel_logout_uri: `${own}/logout`,
        },
      ],
      claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
      features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
      issueRefreshToken: async () => true,
      // The package would call nothing on loopback.
      fetch: (url: URL, { dispatcher: _, ...init }: RequestInit & { dispatcher?: unknown }) => fetch(url, init),
      findAccount: async (_context: unknown, accountId: string) => ({
        accountId,
        claims: async () => ({ sub: accountId, email: `${accountId}@example.com`, email_verified: true, groups }),
      }),
    });
    provider.on("backchannel.error", (_context, error) => refusedLogouts.push(String(error)));
    return provider;
  }

  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });
  const navigation = () => page.getByRole("navigation", { name: "Pages" });
  /** Makes the provider's last word older, as time would. */
  const age = async () => {
    const checkedAt = new Date(Date.now() - 400_000);
    await service.store.query().updateTable("DashboardSession").set({ checkedAt }).execute();
  };

  it("leads to the provider and back to the page that was asked for, with the role of the group", async () => {
    await service.setupLink();
    const target = `${service.url}/dashboard/projects/${DEFAULT_PROJECT.id}/spend`;
    await page.goto(target);
    await heading("Sign in").waitFor();
    await lookAt(page, "sign-in-provider");
    await page.getByRole("link", { name: "Sign in with Example Inc." }).click();
    await page.locator('input[name="login"]').fill("ada");
    await page.locator('input[name="password"]').fill("any");
    // Both pages have a button that submits: the second must not be taken for the first, which is still there.
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await heading("Spend").waitFor();
    expect(page.url()).toBe(target);
    await page.getByText("ada@example.com").first().waitFor();
  });

  it("shows billing no texts, and says why", async () => {
    for (const name of ["Overview", "Spend", "API keys", "Limits", "Members & projects"]) {
      await navigation().getByRole("link", { name }).click();
      await heading(name).waitFor();
      await page.waitForLoadState("networkidle");
      expect([name, await page.getByRole("alert").count()]).toEqual([name, 0]);
    }
    expect(await navigation().getByRole("link", { name: "History" }).count()).toBe(0);
    await page.goto(`${service.url}/dashboard/projects/${DEFAULT_PROJECT.id}/history`);
    await page.getByText("This requires the role owner, admin, developer or viewer; yours is billing.").waitFor();
    await lookAt(page, "not-allowed");
  });

  it("follows groups that are given and taken away, within the session's refresh", async () => {
    groups = ["platform"];
    await age();
    await page.goto(`${service.url}/dashboard/projects/${DEFAULT_PROJECT.id}/members`);
    await page.getByRole("button", { name: "Create a link" }).waitFor();
    await lookAt(page, "members-admin");
    groups = [];
    await age();
    await page.reload();
    await navigation().waitFor();
    expect(await page.getByRole("button", { name: "Create a link" }).count()).toBe(0);
    expect(await service.dashboard.memberships.listMembers(DEFAULT_PROJECT.id)).toEqual([]);
  });

  it("ends when the person signs out at the provider", async () => {
    await page.goto(`${issuer}/session/end`);
    await page.locator('button[name="logout"]').click();
    const sessions = () => service.store.query().selectFrom("DashboardSession").select("id").execute();
    await expect.poll(sessions).toEqual([]);
    await page.goto(`${service.url}/dashboard/`);
    await heading("Sign in").waitFor();
    expect([page.complaints, refusedLogouts]).toEqual([[], []]);
  });
});

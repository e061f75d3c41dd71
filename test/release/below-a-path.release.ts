import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { Agent, fetch } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { hasBrowser, launchBrowser, makeFirstAccount, openPage } from "../dashboard/walk/browser.ts";
import { freePort } from "../support/free-port.ts";
import { BELOW, isInstalled, type PathRule, PROXIES, type RunningProxy, runProxy } from "./run-proxy.ts";

const CLIENT = { id: "attune", secret: "a-secret-of-the-client" };
const RULES: readonly PathRule[] = ["leaves the path", "takes the path off"];
const CASES = PROXIES.flatMap((kind) => RULES.map((rule) => ({ kind, name: kind.name, rule })));

describe.each(CASES)("below a path of $name, which $rule", ({ kind, rule }) => {
  describe.skipIf(!hasBrowser || !isInstalled(kind))("(needs the program and a browser)", () => {
    let provider: Server;
    let service: DashboardService;
    let proxy: RunningProxy;
    let browser: Browser;
    let context: BrowserContext;
    let page: Page & { complaints: string[] };
    let base = "";
    const elsewhere: string[] = [];

    beforeAll(async () => {
      const port = await freePort();
      base = `https://127.0.0.1:${port}${BELOW}`;
      provider = createServer();
      await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
      const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
      provider.on("request", createProvider(issuer).callback());
      const company = {
        label: "Example Inc.",
        issuer,
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        scopes: ["openid", "email"],
        groups: [{ group: "*", project: "default", role: "viewer" }],
      };
      const configText = JSON.stringify({
        server: { publicUrl: base },
        dashboard: { signIn: { providers: { company } } },
      });
      service = await startDashboardService({ withPages: true, configText, proxies: 1 });
      proxy = await runProxy(kind, service.url, { port, rule });
      browser = await launchBrowser();
      context = await browser.newContext({ ignoreHTTPSErrors: true });
      // The provider's own pages would load a font from elsewhere.
      await context.route(
        ({ hostname }) => hostname !== "127.0.0.1",
        (route) => route.fulfill({ body: "" }),
      );
      page = await openPage(context);
      page.on("request", (request) => {
        const url = request.url();
        if (url.startsWith(new URL(base).origin) && !url.startsWith(`${base}/dashboard`)) elsewhere.push(url);
      });
    });

    afterAll(async () => {
      await browser?.close();
      await proxy?.close();
      await service?.close();
      provider?.closeAllConnections();
      provider?.close();
    });

    /** A provider that lets everybody in whose name is given, with the address name@example.com. */
    function createProvider(issuer: string): Provider {
      return new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            redirect_uris: [`${base}/dashboard/api/sign-in/company/callback`],
          },
        ],
        claims: { openid: ["sub"], email: ["email", "email_verified"] },
        features: { devInteractions: { enabled: true } },
        findAccount: async (_context: unknown, accountId: string) => ({
          accountId,
          claims: async () => ({ sub: accountId, email: `${accountId}@example.com`, email_verified: true }),
        }),
      });
    }

    const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });
    const navigation = () => page.getByRole("navigation", { name: "Pages" });
    const cookies = async () => (await context.cookies(`${base}/dashboard/api`)).map(({ name, path }) => [name, path]);
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });

    it("has no address beside the path", async () => {
      const origin = new URL(base).origin;
      const answer = await fetch(`${origin}/dashboard/`, { dispatcher }).catch(() => undefined);
      await answer?.body?.cancel();
      expect(answer?.headers.get("content-security-policy") ?? null).toBe(null);
    });

    it("makes the first account, with a cookie of the path alone", async () => {
      const [, link = ""] = (await service.setupLink()).split("/dashboard/");
      await makeFirstAccount(page, `${base}/dashboard/${link}`);
      await navigation().waitFor();
      expect(await cookies()).toEqual([["__Secure-attune_session", BELOW]]);
      expect(await context.cookies(new URL(base).origin)).toEqual([]);
    });

    it("shows pages by their links, their addresses and after a reload", async () => {
      for (const name of ["History", "Spend", "API keys", "Playground"]) {
        await navigation().getByRole("link", { name }).click();
        await heading(name).waitFor();
      }
      await page.reload();
      await heading("Playground").waitFor();
      const members = `${base}/dashboard/projects/${DEFAULT_PROJECT.id}/members`;
      await page.goto(members);
      await heading("Members & projects").waitFor();
      expect(page.url()).toBe(members);
    });

    it("makes a key that calls at the path, whole and as a stream", async () => {
      await page.goto(`${base}/dashboard/projects/${DEFAULT_PROJECT.id}/keys`);
      await page.getByRole("button", { name: "Create a key" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("below");
      await dialog.getByRole("button", { name: "Create the key" }).click();
      await page.getByText(`${base}/v1/chat/completions`).first().waitFor();
      const key = await page.getByTestId("secret").textContent();
      await page.getByRole("button", { name: "I have copied it" }).click();
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const listed = await fetch(`${base}/v1/models`, { headers, dispatcher });
      const { data } = (await listed.json()) as { readonly data: readonly { readonly id: string }[] };
      for (const [stream, begin] of [
        [false, /^\{"id":/],
        [true, /^data: \{/],
      ] as const) {
        const body = JSON.stringify({ model: data[0]?.id, stream, messages: [{ role: "user", content: "Hi" }] });
        const answer = await fetch(`${base}/v1/chat/completions`, { method: "POST", headers, body, dispatcher });
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(begin)]);
      }
    });

    it("signs out, and in again through a provider that sends people back to the path", async () => {
      await page.getByRole("button", { name: "Sign out" }).click();
      await heading("Sign in").waitFor();
      expect(await cookies()).toEqual([]);
      const spend = `${base}/dashboard/projects/${DEFAULT_PROJECT.id}/spend`;
      await page.goto(spend);
      await page.getByRole("link", { name: "Sign in with Example Inc." }).click();
      await page.locator('input[name="login"]').fill("ada");
      await page.locator('input[name="password"]').fill("any");
      await page.getByRole("button", { name: "Sign-in" }).click();
      await page.getByRole("button", { name: "Continue" }).click();
      await heading("Spend").waitFor();
      expect(page.url()).toBe(spend);
      await page.getByText("ada@example.com").first().waitFor();
      expect([elsewhere, page.complaints]).toEqual([[], []]);
    });
  });
});

import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import { startTcpProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { signedIn } from "../people.ts";
import { hasBrowser, launchBrowser, lookAt, openPage, signInAs } from "./browser.ts";

describe.skipIf(!hasBrowser)("the dashboard while its server is away", () => {
  let service: DashboardService;
  let proxy: TcpProxy;
  let address: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page & { complaints: string[] };
  let projectId: string;
  let ask: () => Promise<Response>;

  beforeAll(async () => {
    service = await startDashboardService({ withPages: true });
    proxy = await startTcpProxy(Number(new URL(service.url).port));
    address = `http://127.0.0.1:${proxy.port}`;
    const { userId, caller } = await signedIn(service);
    projectId = (await service.dashboard.projects.create(randomUUID(), userId))?.id ?? "";
    const { key } = await createKey(service.store, { projectId, name: "production backend" });
    ask = () =>
      fetch(`${service.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "attune/gpt-6-astra", messages: [{ role: "user", content: "Hello" }] }),
      });
    browser = await launchBrowser();
    context = await browser.newContext({ timezoneId: "America/Los_Angeles" });
    await signInAs(context, address, caller);
    page = await openPage(context);
  });

  afterAll(async () => {
    await browser?.close();
    await proxy?.close();
    await service?.close();
  });

  const open = (path: string) => page.goto(`${address}/dashboard/projects/${projectId}/${path}`);
  const rows = () => page.getByRole("list", { name: "Requests, the newest first" }).getByRole("link");

  it("says that the list is no longer live, since when, and when it is again", async () => {
    await ask();
    await open("history");
    await page.getByRole("switch", { name: "Follow" }).check();
    await rows().first().waitFor();
    proxy.refuse();
    await ask();
    await page.getByText(/^The list is not live since \d\d:\d\d:\d\d$/).waitFor();
    await page.getByText(/^Attune hasn't answered since \d\d:\d\d:\d\d$/).waitFor();
    await lookAt(page, "away-follow");
    expect(await rows().count()).toBe(1);
    // Both notes go after ten seconds, in whichever order they come.
    const notes = [/^The list is live again since \d\d:\d\d:\d\d$/, /^Attune has been back since/];
    const seen = notes.map((note) => page.getByText(note).waitFor());
    proxy.thaw();
    await Promise.all(seen);
    await rows().nth(1).waitFor();
    await lookAt(page, "away-back");
  });

  it("says so in place of a page that cannot come, and shows it by itself afterwards", async () => {
    proxy.refuse();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
    await page.getByText(/^Attune cannot be reached since .* The page loads when it is back\.$/).waitFor();
    expect(await page.locator("body").innerText()).not.toMatch(/preload/i);
    await lookAt(page, "away-page");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
    proxy.thaw();
    await page
      .getByRole("cell", { name: /^production backend/ })
      .first()
      .waitFor();
  });

  it("loads what was read before it went away, once it is back", async () => {
    proxy.refuse();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText(/^Attune hasn't answered since/).waitFor();
    proxy.thaw();
    await page.getByText(/^Attune has been back since/).waitFor();
    await rows().nth(1).waitFor();
  });

  it("notices a server that hangs", async () => {
    await open("history");
    await rows().first().waitFor();
    proxy.freeze();
    // An answer is waited for so long that a busy server is not taken for one that hangs, and a list that is not live
    // is read again every 15 seconds.
    await page.getByText(/^The list is not live since/).waitFor({ timeout: 120_000 });
    const again = page.getByText(/^The list is live again since/).waitFor({ timeout: 120_000 });
    proxy.thaw();
    await again;
  });

  it("takes the parts of a new version, by loading itself anew once", async () => {
    let refused = 0;
    const isPart = (url: URL) => /\/assets\/members-page-[^/]+\.js$/.test(url.pathname);
    await page.route(isPart, async (route) => {
      refused += 1;
      if (refused === 1) await route.fulfill({ status: 404, body: "" });
      else await route.continue();
    });
    await open("keys");
    await page.getByRole("link", { name: "Members & projects" }).click();
    await page.getByRole("heading", { level: 1, name: "Members & projects" }).waitFor();
    expect(refused).toBe(2);
    await page.unroute(isPart);
  });

  it("does not load itself anew for ever", async () => {
    const isPart = (url: URL) => /\/assets\/feedback-page-[^/]+\.js$/.test(url.pathname);
    await page.route(isPart, (route) => route.fulfill({ status: 404, body: "" }));
    await open("keys");
    let loads = 0;
    page.on("load", () => {
      loads += 1;
    });
    await page.getByRole("link", { name: "Feedback" }).click();
    await page.getByText("Attune answers, but this part of its dashboard does not load.").waitFor();
    await lookAt(page, "away-part");
    expect(loads).toBe(1);
    await page.unroute(isPart);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "Feedback" }).waitFor();
  });
});

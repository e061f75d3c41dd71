import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { BASE_PATH, PATH_PROXIES, type PathProxy, startPathProxy } from "../../support/path-proxy.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { hasBrowser, launchBrowser, makeFirstAccount, openPage } from "./browser.ts";

describe.skipIf(!hasBrowser).each(PATH_PROXIES)("the dashboard behind a proxy that $name", ({ takesOff }) => {
  let proxy: PathProxy;
  let service: DashboardService;
  let browser: Browser;
  let page: Page & { complaints: string[] };
  const elsewhere: string[] = [];

  beforeAll(async () => {
    proxy = await startPathProxy(takesOff);
    service = await startDashboardService({ withPages: true, configText: `server: { publicUrl: "${proxy.url}" }\n` });
    proxy.serve(service.url);
    browser = await launchBrowser();
    page = await openPage(await browser.newContext());
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${proxy.url}/dashboard`) && !url.startsWith("data:")) elsewhere.push(url);
    });
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await proxy?.close();
  });

  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });

  it("makes the first account by its link, and has cookies of the path alone", async () => {
    const [, link = ""] = (await service.setupLink()).split("/dashboard/");
    await makeFirstAccount(page, `${proxy.url}/dashboard/${link}`);
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    const cookies = await page.context().cookies(`${proxy.url}/dashboard/api`);
    expect(cookies.map(({ name, path }) => [name, path])).toEqual([["attune_session", BASE_PATH]]);
    expect(await page.context().cookies(new URL(proxy.url).origin)).toEqual([]);
  });

  it("shows pages by their links, by their addresses and after a reload", async () => {
    for (const name of ["History", "Spend", "Models", "API keys", "Playground"]) {
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
      await heading(name).waitFor();
    }
    await page.reload();
    await heading("Playground").waitFor();
    await page.goto(`${proxy.url}/dashboard/projects/${DEFAULT_PROJECT.id}/members`);
    await heading("Members & projects").waitFor();
    expect(page.url()).toBe(`${proxy.url}/dashboard/projects/${DEFAULT_PROJECT.id}/members`);
  });

  it("makes a key whose examples call through the proxy", async () => {
    await page.goto(`${proxy.url}/dashboard/projects/${DEFAULT_PROJECT.id}/keys`);
    await page.getByRole("button", { name: "Create a key" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("below");
    await page.getByRole("dialog").getByRole("button", { name: "Create the key" }).click();
    await page.getByText(`${proxy.url}/v1/chat/completions`).first().waitFor();
    await page.getByRole("button", { name: "I have copied it" }).click();
  });

  it("makes an invitation whose link opens", async () => {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Members & projects" }).click();
    await page.getByRole("textbox", { name: "Email address" }).fill("viewer@example.com");
    await page.getByRole("button", { name: "Create a link" }).click();
    const link = (await page.getByText("/dashboard/invitation#token=").textContent()) ?? "";
    expect(link.startsWith(`${proxy.url}/dashboard/invitation#token=`)).toBe(true);
    const other = await openPage(await browser.newContext());
    await other.goto(link);
    await other.getByRole("heading", { name: "Join default" }).waitFor();
    expect(other.complaints).toEqual([]);
  });

  it("signs out to the sign-in page, and has asked for nothing beside the path", async () => {
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading("Sign in").waitFor();
    expect(await page.context().cookies(`${proxy.url}/dashboard/api`)).toEqual([]);
    expect([elsewhere, page.complaints]).toEqual([[], []]);
  });
});

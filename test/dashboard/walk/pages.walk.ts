import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { signedIn } from "../people.ts";
import { hasBrowser, launchBrowser, lookAt, openPage, signInAs } from "./browser.ts";
import { type LargeProject, seedLargeProject } from "./large-project.ts";
import { listPageAddresses } from "./page-addresses.ts";

/** The most that a page may load and show. */
const MOST_BYTES = 500_000;
const MOST_NODES = 5000;
/** Pages that show more of a longer time; on others it is of no meaning. */
const LONG = "?range=1y";

/** Lists the tables that are wider than their card. */
const WIDE_TABLES = `[...document.querySelectorAll("table")]
  .filter((table) => table.scrollWidth > table.parentElement.parentElement.clientWidth + 1)
  .map((table) => table.getAttribute("aria-label"))`;

const ADDRESSES = await listPageAddresses();

describe.skipIf(!hasBrowser)("every page of a large project", () => {
  let service: DashboardService;
  let browser: Browser;
  let page: Page & { complaints: string[] };
  let large: LargeProject;
  /** The values of parameters in addresses; a page with one that is not here fails. */
  let values: Readonly<Record<string, string>>;
  /** The bytes of answers by their addresses: pages ask for the same again and again, the slower the more often. */
  const answers = new Map<string, number>();

  beforeAll(async () => {
    service = await startDashboardService({ withPages: true });
    const { userId, caller } = await signedIn(service, "ada.lovelace@example.com");
    const projectId = (await service.dashboard.projects.create("A large project", userId))?.id ?? "";
    large = await seedLargeProject(service.store, projectId);
    const change = async (path: string, input: object): Promise<string> => {
      const { data, error } = await caller.mutate(path, { projectId, ...input });
      expect(error).toBeUndefined();
      return (data as { readonly id?: string }).id ?? "";
    };
    const datasetId = await change("datasets.create", { name: "Runs of the agent" });
    await change("datasets.addFiltered", { id: datasetId, filter: { sessionId: large.sessionId } });
    const asked = { id: datasetId, models: ["gpt-6-astra", "claude-haiku-5-5"], most: 60 };
    const { data: estimate } = await caller.query("datasetRuns.estimate", { projectId, ...asked });
    const { nanos } = estimate as { readonly nanos: number | null };
    const runId = await change("datasetRuns.start", { ...asked, confirmedNanos: nanos });
    values = { ...large, datasetId, runId, name: "README" };
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await signInAs(context, service.url, caller);
    page = await openPage(context);
    page.on("response", (response) => {
      if (!response.url().includes("/dashboard/api/")) return;
      // A page that was left takes the body of its last answer along.
      void response.body().then(
        (body) => void answers.set(response.url(), body.length),
        () => {},
      );
    });
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const fill = (address: string) =>
    address.replace(/:(\w+)/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`say in this test what :${name} of ${address} is`);
      return encodeURIComponent(value);
    });

  it.each(ADDRESSES)(
    "%s has bounded data and nodes, no barrier in four modes, and fits narrow screens",
    async (address) => {
      answers.clear();
      await page.goto(`${service.url}/dashboard${fill(address)}${LONG}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      // What is loaded when the end of a list is reached counts too.
      for (let turn = 0; turn < 5; turn++) {
        await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
        await page.waitForLoadState("networkidle");
      }
      await expect.poll(() => page.locator(".mantine-Skeleton-root").count()).toBe(0);
      // What tRPC itself refuses to send, as too long an address, looks like a service that is away.
      expect(await page.getByText(/^Attune (hasn't answered|has been back) since/).count()).toBe(0);
      const nodes = (await page.evaluate("document.querySelectorAll('*').length")) as number;
      const bytes = [...answers.values()].reduce((sum, length) => sum + length, 0);
      process.stdout.write(`${address}: ${nodes} nodes, ${Math.round(bytes / 1000)} KB\n`);
      expect({ nodes: nodes < MOST_NODES, bytes: bytes < MOST_BYTES }).toEqual({ nodes: true, bytes: true });
      await page.evaluate("window.scrollTo(0, 0)");
      await lookAt(page, `page${address.replace(/\/projects\/:projectId/, "").replace(/[/:]+/g, "-")}`);
      const overflow = () => page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
      await page.setViewportSize({ width: 390, height: 844 });
      await expect.poll(overflow).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1024, height: 900 });
      await expect.poll(() => page.evaluate(WIDE_TABLES)).toEqual([]);
      await page.setViewportSize({ width: 1440, height: 900 });
    },
  );

  const open = async (path: string) => {
    await page.goto(`${service.url}/dashboard/projects/${large.projectId}/${path}`);
    await page.waitForLoadState("networkidle");
  };

  it.each(["models", "workloads", "feedback"])(
    "keeps %s in its place as its first table gets its rows",
    async (name) => {
      const observed = await openPage(page.context());
      await observed.addInitScript(`window.shifts = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shifts = Math.max(window.shifts, value);
      }).observe({ type: "layout-shift", buffered: true })`);
      await observed.goto(`${service.url}/dashboard/projects/${large.projectId}/${name}?range=30d`);
      await observed.waitForLoadState("networkidle");
      await observed.locator("tbody a").first().waitFor();
      expect(await observed.evaluate("window.shifts")).toBeLessThan(0.1);
      await observed.close();
    },
  );

  it("gives costs above bars as many decimals as the others have", async () => {
    await open("models?range=1y");
    const costs = page.getByRole("table", { name: "Models side by side" }).locator('td[data-label="Cost per call"]');
    await costs.first().waitFor();
    const below = (await costs.allInnerTexts()).filter((text) => text.startsWith("$0."));
    expect(below.length).toBeGreaterThan(10);
    expect(new Set(below.map((text) => text.trim().length)).size).toBe(1);
  });

  it("shows whole rows of the history, and whole words in Spend, beside the navigation of a narrow screen", async () => {
    await page.setViewportSize({ width: 1024, height: 900 });
    await open("history");
    const row = page.locator("[data-request]").first();
    await row.waitFor();
    for (const cell of await row.locator("> *").all()) {
      const { x = 0, width = 0 } = (await cell.boundingBox()) ?? {};
      expect(x + width).toBeLessThanOrEqual(1024);
    }
    await open("spend");
    const name = page
      .getByRole("table", { name: "Spend by key" })
      .getByRole("link", { name: "code review", exact: true });
    expect((await name.boundingBox())?.height).toBeLessThan(45);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("says of an address whose id is none that there is no such page", async () => {
    for (const path of ["history/none", "datasets/none", "datasets/none/runs/none", "sessions/none"]) {
      await open(path);
      await page.getByText("Page not found").waitFor();
    }
  });

  it("has met no fault on the way", () => {
    expect(page.complaints).toEqual([]);
  });
});

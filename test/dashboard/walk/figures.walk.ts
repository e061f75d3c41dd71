import OpenAI from "openai";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedDatabase } from "../../../scripts/seed/seed-database.ts";
import { addSample } from "../../../src/learning/equivalence/audit-state.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { createAuditStore } from "../../../src/store/equivalence/audit-store.ts";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { hasBrowser, launchBrowser, lookAt, makeFirstAccount, openPage } from "./browser.ts";

describe.skipIf(!hasBrowser)("overview and models", () => {
  let service: DashboardService;
  let browser: Browser;
  let page: Page & { complaints: string[] };

  beforeAll(async () => {
    service = await startDashboardService({ withPages: true });
    browser = await launchBrowser();
    page = await openPage(await browser.newContext({ timezoneId: "Europe/Zurich" }));
    await makeFirstAccount(page, await service.setupLink());
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  const section = (name: string) => page.getByRole("region", { name, exact: true }).first();
  const choose = async (select: string, option: string) => {
    await page.getByRole("combobox", { name: select }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  };

  it("lands on the overview, which says what to do first", async () => {
    await heading("Overview").waitFor();
    await page.getByRole("heading", { name: "Five steps to the first evidence" }).waitFor();
    await page.getByText("Waiting for the first call").waitFor();
    await lookAt(page, "overview-first");
  });

  it("makes a key there, and shows the first call made with it within seconds", async () => {
    await page.getByRole("button", { name: "Create a key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("backend");
    await dialog.getByRole("button", { name: "Create the key" }).click();
    const apiKey = (await page.getByTestId("secret").textContent()) ?? "";
    await dialog.getByRole("button", { name: "I have copied it" }).click();
    await page.getByText("The key “backend” can call.").waitFor();
    const openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey, maxRetries: 0 });
    await openai.chat.completions.create({
      model: "attune/gpt-6-astra",
      messages: [{ role: "user", content: "Hello" }],
    });
    await section("Calls")
      .getByText(/^calls per/i)
      .waitFor();
    await choose("Charts", "By key");
    await section("Calls").getByText("Table").click();
    await section("Calls").getByRole("columnheader", { name: "backend" }).waitFor();
    expect(new URL(page.url()).searchParams.get("by")).toBe("key");
  });

  it("shows figures of every time, in the address", async () => {
    const { store } = service;
    await seedDatabase(store, { projectId: DEFAULT_PROJECT.id, rows: 6000, bodies: 0, end: new Date(), seed: 1 });
    await page.goto(`${service.url}/dashboard`);
    for (const [name, unit] of [
      ["1 h", "calls per 2 minutes"],
      ["7 d", "calls per 6 hours"],
      ["30 d", "calls per day"],
      ["90 d", "calls per day"],
      ["1 y", "calls per week"],
    ] as const) {
      await page.getByRole("radiogroup", { name: "Time range" }).getByText(name, { exact: true }).click();
      await section("Calls").getByText(unit).waitFor();
    }
    expect(new URL(page.url()).searchParams.get("range")).toBe("1y");
    await section("Calls").locator(".recharts-bar-rectangle").first().waitFor();
    await page.getByRole("table", { name: "Saved, by kind" }).getByText("Cache marks").waitFor();
    await choose("Charts", "All together");
    await page.getByRole("button", { name: "Choose charts" }).click();
    expect(await page.getByRole("checkbox", { name: "Tokens", exact: true }).isDisabled()).toBe(true);
    await page.getByRole("checkbox", { name: "Errors" }).uncheck();
    await page.getByRole("checkbox", { name: "Tokens", exact: true }).check();
    await lookAt(page, "overview-choose");
    await page.keyboard.press("Escape");
    await section("Tokens").getByText("Input from a cache").waitFor();
    await lookAt(page, "overview-together");
  });

  it("takes a time that someone chooses, and refuses one that runs backwards", async () => {
    await page.getByText("Custom", { exact: true }).click();
    await page.getByLabel("From", { exact: true }).fill("2026-03-01T00:00");
    await page.getByLabel("To", { exact: true }).fill("2026-02-01T00:00");
    await page.getByText("must be later than the beginning").waitFor();
    await page.getByLabel("To", { exact: true }).fill("2026-03-08T00:00");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("1 Mar 2026, 00:00 – 8 Mar 2026, 00:00 (Europe/Zurich, GMT+1)").waitFor();
    await page.reload();
    await page.getByText("1 Mar 2026, 00:00 – 8 Mar 2026, 00:00 (Europe/Zurich, GMT+1)").waitFor();
    await lookAt(page, "overview-custom");
  });

  it("has a table behind each chart, and keeps those that were chosen", async () => {
    for (const title of ["Calls", "Cost", "Tokens", "Latency"]) {
      await section(title).getByText("Table").click();
      await section(title).getByRole("columnheader", { name: "Time" }).waitFor();
    }
    await lookAt(page, "overview-tables");
  });

  it("stands still when it is paused, and goes on", async () => {
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
  });

  it("compares models of a workload, and says how", async () => {
    await page.getByRole("link", { name: "Models" }).click();
    await heading("Models").waitFor();
    await page.getByText("a difference is a hint, not proof").waitFor();
    await page.getByText("1 y", { exact: true }).click();
    await page.getByRole("cell", { name: "claude-sonnet-5-5", exact: true }).waitFor();
    await page.getByRole("row", { name: /sandbox.*(?:healthy|not called yet)/ }).waitFor();
    await choose("Workload", "support");
    await section("helpful").getByText("higher is better").waitFor();
    await section("helpful").getByText("Table").click();
    await section("helpful").getByRole("columnheader", { name: "95% from" }).waitFor();
    expect(new URL(page.url()).searchParams.get("workload")).toBe("support");
    await lookAt(page, "models-workload");
  });

  it("tells how deployments compare with the first one of their model", async () => {
    await auditDeployments(service.store);
    await page.reload();
    const audits = page.getByRole("table", { name: "Equivalence" });
    await audits.getByRole("row", { name: /azure.*no difference found/ }).waitFor();
    await audits.getByRole("row", { name: /reseller.*different \(length.*not asked/ }).waitFor();
    await lookAt(page, "models-equivalence");
  });

  it("lets owners switch off what is done for equivalent answers", async () => {
    await page.getByRole("link", { name: "Settings" }).click();
    await heading("Settings").waitFor();
    await lookAt(page, "settings");
    await page.getByRole("button", { name: "Optimizations: as configured" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Ask a second deployment when one is slow").click({ force: true });
    await lookAt(page, "settings-optimizations");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Optimizations: 1 off" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Optimizations: 1 off" }).waitFor();
  });

  it("gives a model a name of the project's own, by which it is called at once", async () => {
    const dialog = page.getByRole("dialog");
    await page.getByRole("link", { name: "Aliases: none" }).click();
    await heading("Model aliases").waitFor();
    await page.getByText("No aliases yet").waitFor();
    await lookAt(page, "settings-names-empty");
    await page.getByRole("button", { name: "Add an alias" }).click();
    await dialog.getByLabel("Name").fill("gpt-6-astra");
    await dialog.getByRole("combobox", { name: "Model" }).fill("haiku");
    await page.getByRole("option", { name: "claude-haiku-5-5" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("is a name that the catalog has for every project").first().waitFor();
    await lookAt(page, "settings-name");
    await dialog.getByLabel("Name").fill("fast");
    await page.keyboard.press("Enter");
    const names = page.getByRole("table", { name: "Model aliases" });
    await names.getByRole("row", { name: /fast.*claude-haiku-5-5/ }).waitFor();
    await lookAt(page, "settings-names");
    const { key } = await createKey(service.store, { name: "of names" });
    const body = JSON.stringify({ model: "fast", messages: [{ role: "user", content: "Hello" }] });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    expect((await fetch(`${service.url}/v1/chat/completions`, { method: "POST", headers, body })).status).toBe(200);
    await page.getByRole("button", { name: "Edit the alias fast" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByText("No aliases yet").waitFor();
    await page.getByRole("link", { name: "All settings" }).click();
    await heading("Settings").waitFor();
    await page.getByRole("link", { name: "Models", exact: true }).click();
    await heading("Models").waitFor();
  });

  it("says what is missing where there was no call", async () => {
    await page.goto(`${page.url().split("?")[0]}?range=1h&workload=unknown`);
    await page.getByText("No calls in this period").waitFor();
    await lookAt(page, "models-empty");
  });

  it("shows a failure, and reads again by itself", async () => {
    await page.route("**/dashboard/api/overview.*", (route) => route.abort());
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("alert").first().getByText("Attune cannot be reached").waitFor();
    await lookAt(page, "overview-failed");
    await page.unroute("**/dashboard/api/overview.*");
    await section("Calls")
      .getByText(/^calls per/i)
      .waitFor();
  });

  it("has met no fault on the way", () => {
    expect(page.complaints.filter((text) => !/ERR_FAILED/.test(text))).toEqual([]);
  });
});

/** Keeps 400 comparisons of two deployments: one answers as the first does, the other half as long. */
async function auditDeployments(store: Store): Promise<void> {
  const audits = createAuditStore(store);
  const plainPlace = { upstream: "openai", model: "gpt-6-astra" };
  for (const upstream of ["azure", "reseller"]) {
    const key = { model: "gpt-6-astra", place: { upstream, model: "gpt-6-astra" } };
    await audits.change(key, (known) => {
      let state = known;
      for (let sample = 0; sample < 400; sample++) {
        const isLonger = upstream === "azure" && sample % 2 === 0;
        const tosses = [{ measure: "length", coin: 0, isHit: isLonger }] as const;
        const distance = upstream === "azure" ? 0.31 : 0.72;
        const agreement = { isMatch: upstream === "azure" && sample % 10 > 0, isBaseMatch: sample % 10 > 0 };
        const comparison = { tosses, ...agreement, hasNull: true, distance, baseDistance: 0.3 };
        state = addSample(state, { key, plainPlace, comparison }, new Date());
      }
      if (state === undefined) throw new Error("no sample was added");
      return state;
    });
  }
}

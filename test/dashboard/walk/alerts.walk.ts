import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Condition } from "../../../src/alerts/ports.ts";
import { changeAlerts } from "../../../src/store/alerts/write-alerts.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { hasBrowser, launchBrowser, lookAt, makeFirstAccount, openPage } from "./browser.ts";

const projectId = DEFAULT_PROJECT.id;
const OPEN: readonly Condition[] = [
  {
    projectId,
    rule: "error-rate",
    kind: "error-rate",
    subject: "",
    value: 0.34,
    threshold: 0.2,
    summary: "34% of 120 calls failed in 15 minutes",
  },
  {
    projectId: "",
    rule: "deployment",
    kind: "deployment",
    subject: "openai/gpt-6",
    value: 7,
    threshold: 2,
    summary: "the deployment openai/gpt-6 has failed for 7 min",
  },
];
const OVER: Condition = {
  projectId,
  rule: "budget",
  kind: "budget",
  subject: "k",
  value: 0.9,
  threshold: 0.8,
  summary: "90% of the budget is used: USD a day of key 2b7c0d1e9f3a (checkout)",
};

describe.skipIf(!hasBrowser)("alerts", () => {
  let service: DashboardService;
  let receiver: Server;
  let browser: Browser;
  let page: Page & { complaints: string[] };

  beforeAll(async () => {
    service = await startDashboardService({ withPages: true, configText: "alerts: { allowPrivateAddresses: true }" });
    receiver = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const { opened } = await changeAlerts(service.store, { opened: [OVER], seen: [], closed: [] });
    await changeAlerts(service.store, { opened: OPEN, seen: [], closed: opened.map(({ id }) => id) });
    browser = await launchBrowser();
    page = await openPage(await browser.newContext());
    await makeFirstAccount(page, await service.setupLink());
  });

  afterAll(async () => {
    await browser?.close();
    receiver?.close();
    await service?.close();
  });

  it("shows what is wrong and what was, and sends a test to a new destination", async () => {
    await page.getByRole("link", { name: "Alerts" }).click();
    await page.getByRole("table", { name: "Open alerts" }).getByText("34% of 120 calls failed").waitFor();
    await page.getByRole("table", { name: "Alerts that are over" }).getByText("90% of the budget").waitFor();
    await page.getByRole("button", { name: "Add a destination" }).click();
    await page.getByLabel("Name").fill("ops");
    const { port } = receiver.address() as AddressInfo;
    await page.getByRole("textbox", { name: "Address" }).fill(`http://127.0.0.1:${port}/hook`);
    await lookAt(page, "alerts-add-destination");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    expect(await page.getByTestId("secret").textContent()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: "Send a test to ops" }).click();
    // The alerts of the beginning may be sent to it too, if nobody was told of them before it was there.
    const messages = page.getByRole("table", { name: "Latest messages" });
    await messages.getByRole("row").filter({ hasText: "Test," }).getByText("Delivered").waitFor();
  });

  it("changes a rule for the project, and takes it back", async () => {
    await page.getByRole("button", { name: "Edit the rule error-rate" }).click();
    await page.getByLabel("Threshold (%)").fill("5");
    await lookAt(page, "alerts-rule");
    await page.getByRole("button", { name: "Save" }).click();
    const rules = page.getByRole("table", { name: "Rules" });
    await rules.getByRole("row", { name: /Error rate.*Own.*5%/ }).waitFor();
    await lookAt(page, "alerts");
    await page.getByRole("button", { name: "Edit the rule error-rate" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).last().click();
    await rules.getByRole("row", { name: /Error rate.*20%/ }).waitFor();
  });

  it("has met no fault on the way", () => {
    expect(page.complaints).toEqual([]);
  });
});

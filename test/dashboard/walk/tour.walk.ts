import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { hasBrowser, launchBrowser, lookAt, makeFirstAccount, openPage } from "./browser.ts";

describe.skipIf(!hasBrowser)("the tour", () => {
  let service: DashboardService;
  let browser: Browser;
  let page: Page & { complaints: string[] };

  beforeAll(async () => {
    service = await startDashboardService({ withPages: true });
    browser = await launchBrowser();
    page = await openPage(await browser.newContext());
    await makeFirstAccount(page, await service.setupLink());
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const tour = () => page.getByRole("region", { name: "First steps" });
  const comesTo = (step: string) => tour().getByRole("status").getByText(step, { exact: true }).waitFor();
  const focused = () => page.evaluate("document.activeElement?.id");

  it("begins on the overview of a new project, is left and resumed by keys", async () => {
    await page.getByRole("heading", { name: "Five steps to the first evidence" }).waitFor();
    await lookAt(page, "tour-begin");
    await page.getByRole("button", { name: "Leave the tour" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Two steps to the first call" }).waitFor();
    expect(await focused()).toBe("content");
    await page.reload();
    await page.getByRole("heading", { name: "Two steps to the first call" }).waitFor();
    await page.getByRole("button", { name: "Resume the tour" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Five steps to the first evidence" }).waitFor();
  });

  it("goes on once there is a key, on every page", async () => {
    await page.getByRole("link", { name: "Alerts" }).click();
    await comesTo("Create an API key");
    await tour().getByRole("link", { name: "Create a key" }).click();
    await page.getByText("No keys yet").waitFor();
    await page.getByRole("button", { name: "Create a key" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("backend");
    await dialog.getByRole("button", { name: "Create the key" }).click();
    await dialog.getByRole("button", { name: "I have copied it" }).click();
    await comesTo("Send the first call");
    await tour().getByRole("button", { name: "Copy a curl call" }).waitFor();
    await lookAt(page, "tour-call");
  });

  it("goes on once there is a call, also after a reload", async () => {
    await tour().getByRole("link", { name: "Call from here" }).click();
    await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
    await page.getByLabel("Message 1", { exact: true }).fill("Which colour has the sky?");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await comesTo("Open the request");
    await page.reload();
    await comesTo("Open the request");
  });

  it("goes on once the request was opened, and the answer rated", async () => {
    await tour().getByRole("link", { name: "Open the request" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Which colour has the sky?").first().waitFor();
    await comesTo("Rate the answer");
    await lookAt(page, "tour-feedback");
    await tour().getByRole("button", { name: "Helpful: latest call", exact: true }).click();
    await comesTo("See what feedback shows");
  });

  it("ends with the feedback on the page of its workload, and does not come back", async () => {
    await tour().getByRole("link", { name: "See the evidence" }).click();
    await comesTo("That was the tour");
    await page.getByText("1 feedback entry").waitFor();
    await page.getByRole("tab", { name: "Evidence" }).click();
    const models = page.getByRole("table", { name: "Base and other models" });
    await models.getByRole("row", { name: /base/ }).getByRole("cell", { name: "1", exact: true }).waitFor();
    await lookAt(page, "tour-end");
    await tour().getByRole("button", { name: "Finish" }).click();
    await tour().waitFor({ state: "detached" });
    expect(await focused()).toBe("content");
    await page.getByRole("link", { name: "Members & projects" }).click();
    await page.getByRole("button", { name: "Create a project" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("staging");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Members of staging" }).waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Two steps to the first call" }).waitFor();
  });

  it("is restarted in another project", async () => {
    await page.getByRole("button", { name: "Start the tour" }).click();
    await page.getByRole("heading", { name: "Five steps to the first evidence" }).waitFor();
  });

  it("has met no fault on the way", () => {
    expect(page.complaints).toEqual([]);
  });
});

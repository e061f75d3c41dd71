import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { writeRefusals } from "../../../src/store/refusals/write-refusals.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { idAt, inferenceRow, refusedAt } from "../../support/rows.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { hasBrowser, launchBrowser, lookAt, makeFirstAccount, openPage } from "./browser.ts";

const OVERLOADED = {
  status: "failed",
  errorReason: "upstream_overloaded",
  errorUpstreamStatus: 529,
  errorMessage: "the model is overloaded",
  model: "base",
  servedModel: "small",
};

describe.skipIf(!hasBrowser)("errors", () => {
  let service: DashboardService;
  let browser: Browser;
  let page: Page & { complaints: string[] };

  beforeAll(async () => {
    service = await startDashboardService({ withPages: true });
    const projectId = DEFAULT_PROJECT.id;
    const rows = [OVERLOADED, OVERLOADED, { ...OVERLOADED, errorReason: "timeout" }, {}].map((changes, at) => {
      const startedAt = new Date(Date.now() - (at + 1) * 60_000);
      const id = idAt(startedAt.toISOString(), at + 1);
      const endUserId = at === 0 ? "bob" : "ada";
      return inferenceRow({ id, projectId, startedAt, sessionId: "run-7", endUserId, ...changes });
    });
    await writeBatch(service.store, {
      inferences: rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
      feedback: [],
    });
    await writeRefusals(service.store, {
      counts: [{ reason: "limit", projectId, keyId: "k2", ...refusedAt(Date.now() - 60_000), calls: 7 }],
      samples: [],
    });
    browser = await launchBrowser();
    page = await openPage(await browser.newContext());
    await makeFirstAccount(page, await service.setupLink());
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  it("says why calls fail in two clicks, and leads to their rows", async () => {
    await page.getByRole("link", { name: "Errors" }).click();
    const words = page.getByRole("table", { name: "Upstream messages" });
    await words.getByRole("row", { name: /upstream overloaded.*the model is overloaded/ }).waitFor();
    await words.getByRole("link", { name: "2 calls that failed: upstream overloaded: show them" }).click();
    await page.getByRole("heading", { level: 1, name: "History" }).waitFor();
    await page.locator("[data-request]").nth(1).waitFor();
    expect(await page.locator("[data-request]").count()).toBe(2);
    await page.getByRole("button", { name: "Remove Reason: upstream overloaded" }).click();
    await page.locator("[data-request]").nth(2).waitFor();
  });

  it("groups failed and refused calls by what is chosen, end users among it, and keeps that in the address", async () => {
    await page.getByRole("link", { name: "Errors" }).click();
    const table = page.getByRole("table", { name: "Where calls failed" });
    await table.getByRole("columnheader", { name: "Key" }).waitFor();
    const choice = page.getByRole("group", { name: "Group by" });
    for (const name of ["Upstream", "Model", "Key", "End user"]) await choice.getByText(name, { exact: true }).click();
    await table.getByRole("columnheader", { name: "End user" }).waitFor();
    await table.getByRole("columnheader", { name: "Key" }).waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).searchParams.get("by")).toBe("reason,user");
    await page.reload();
    await table.getByRole("row", { name: /upstream overloaded ada/ }).waitFor();
    await lookAt(page, "errors-by-user");
    await page.getByRole("link", { name: /^\d end users: show the most affected$/ }).click();
    expect(new URL(page.url()).hash).toBe("#affected-end-users");
    const affected = page.getByRole("region", { name: "End users" });
    await expect.poll(async () => (await affected.boundingBox())?.y).toBeLessThan(900);
    await affected.getByRole("link", { name: "ada", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "History" }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("user")).toBe("ada");
    await page.goBack();
    await table.getByRole("link", { name: "1 call that failed: timeout ada: show them" }).click();
    await page.getByRole("button", { name: "Remove Reason: timeout" }).waitFor();
    await expect.poll(() => page.locator("[data-request]").count()).toBe(1);
    await page.goBack();
    await table.getByRole("link", { name: /^7 calls refused: limit reached/ }).click();
    await page.getByRole("heading", { level: 1, name: "Refused calls" }).waitFor();
    await page.getByRole("row", { name: /^Limit reached k2 7$/ }).waitFor();
    await lookAt(page, "refused");
  });

  it("has met no fault on the way", () => {
    expect(page.complaints).toEqual([]);
  });
});

import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { feedbackRow, idAt, inferenceRow } from "../../support/rows.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { signedIn } from "../people.ts";
import { hasBrowser, launchBrowser, lookAt, openPage, signInAs } from "./browser.ts";

/** What a database from before names were checked may have; shows as "admin" with its letters in another order. */
const REVERSED = "\u202enimda";
const LONG = "a-metric-whose-name-has-no-end-".repeat(7).slice(0, 200);
const NOTE = Array.from({ length: 40 }, (_, line) => `Line ${line + 1} of what someone said.`).join("\n");

const PAGES = ["overview?range=30d", "history", "models", "workloads", "feedback", "keys", "members"];

describe.skipIf(!hasBrowser)("names that people gave", () => {
  let service: DashboardService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page & { complaints: string[] };
  let projectId: string;
  let firstId: string;

  beforeAll(async () => {
    service = await startDashboardService({ withPages: true });
    const { userId, caller } = await signedIn(service);
    projectId = (await service.dashboard.projects.create(`${REVERSED} ${randomUUID()}`, userId))?.id ?? "";
    await createKey(service.store, { projectId, name: REVERSED });
    await createKey(service.store, { projectId, name: `key ${LONG}`.slice(0, 100) });
    const { keys } = await service.dashboard.keys.list({ projectId, limit: 100 });
    const names = [REVERSED, LONG, "שלום", "plain"];
    const rows = names.map((name, at) => {
      const startedAt = new Date(Date.now() - (at + 1) * 60_000);
      const id = idAt(startedAt.toISOString(), at + 1);
      const keyId = keys[at % keys.length]?.publicId ?? "";
      return inferenceRow({ id, projectId, keyId, startedAt, model: name, workload: name, upstream: name });
    });
    firstId = rows[0]?.id ?? "";
    const feedback = rows.flatMap(({ id, model, workload, startedAt }, at) => {
      const said = {
        inferenceId: id,
        projectId,
        model,
        workload,
        createdAt: startedAt,
        tags: { [model]: `${LONG} ${REVERSED}` },
      };
      const time = startedAt.toISOString();
      return [
        feedbackRow({ ...said, id: idAt(time, 100 + at), name: model, kind: "float", floatValue: 0.5 + at / 10 }),
        feedbackRow({
          ...said,
          id: idAt(time, 200 + at),
          name: LONG,
          kind: "float",
          floatValue: at / 10,
          optimize: "max",
        }),
        feedbackRow({
          ...said,
          id: idAt(time, 300 + at),
          name: "comment",
          kind: "note",
          floatValue: null,
          textValue: `${REVERSED} ${NOTE}`,
        }),
      ];
    });
    const inferences = rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    await writeBatch(service.store, { inferences, feedback });
    browser = await launchBrowser();
    context = await browser.newContext({ timezoneId: "America/Los_Angeles" });
    await signInAs(context, service.url, caller);
    page = await openPage(context);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const open = async (path: string) => {
    await page.goto(`${service.url}/dashboard/projects/${projectId}/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
  };

  /** Texts and attributes that change the direction of what stands around them. */
  const findOverrides = () =>
    page.evaluate(`[...document.querySelectorAll("*")].flatMap((element) => [
      ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
      ...[...element.attributes].filter(({ name }) => name !== "href" && name !== "value").map(({ value }) => value),
    ]).filter((text) => /[\\u202a-\\u202e]/.test(text)).concat(/[\\u202a-\\u202e]/.test(document.title) ? [document.title] : [])`);

  const overflow = () => page.evaluate("document.documentElement.scrollWidth - window.innerWidth");

  it.each(PAGES)("neither reverse nor stretch %s", async (path) => {
    await open(path);
    expect(await findOverrides()).toEqual([]);
    await lookAt(page, `names-${path.replace(/\?.*/, "")}`);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      // Charts take a moment to be as wide as their place.
      await expect.poll(overflow, { message: `${path} at ${width}` }).toBeLessThanOrEqual(0);
    }
  });

  it("neither reverse nor stretch a request", async () => {
    await open(`history/${firstId}`);
    await page.getByRole("heading", { name: "Feedback" }).waitFor();
    expect(await findOverrides()).toEqual([]);
    await lookAt(page, "names-request");
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(overflow).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 844 });
  });

  it("show a long note in a few lines, and all of it on demand", async () => {
    await open("feedback");
    const row = page.getByRole("row").filter({ hasText: "Line 1 of what someone said." }).first();
    await row.waitFor();
    expect((await row.boundingBox())?.height).toBeLessThan(150);
    await row.getByRole("button", { name: "Show all" }).click();
    await expect.poll(async () => (await row.boundingBox())?.height ?? 0).toBeGreaterThan(600);
    await row.getByRole("button", { name: "Show less" }).click();
    await page.getByRole("tab", { name: "Notes" }).click();
    const note = page.getByRole("article").first();
    await note.waitFor();
    expect((await note.boundingBox())?.height).toBeLessThan(320);
    await lookAt(page, "names-notes");
  });

  it("keep a metric of 200 characters beside its figures", async () => {
    await open("models");
    const card = page.getByRole("region", { name: LONG });
    await card.getByText("Table").click();
    await card.getByRole("cell", { name: "plain" }).waitFor();
    const title = await card.getByRole("heading").boundingBox();
    expect(title?.height).toBeLessThan(80);
    expect(await card.getByRole("heading").getByTitle(LONG).count()).toBe(1);
  });

  it("has met no fault on the way", () => {
    expect(page.complaints).toEqual([]);
  });
});

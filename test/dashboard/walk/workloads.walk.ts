import { create, toBinary } from "@bufbuild/protobuf";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { encodeRequest } from "../../../src/hub/request-bytes.ts";
import { readLearnedWorkload } from "../../../src/store/dashboard/reads/read-learned.ts";
import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { WorkloadRebuild } from "../../../src/store/entities/workload-rebuild.ts";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import { setControls } from "../../../src/store/learning/control-store.ts";
import { createShadowStore } from "../../../src/store/learning/shadow-store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { said, several } from "../../store/learning/fill.ts";
import { pauseLearning } from "../../support/pause-learning.ts";
import { feedbackRow, inferenceRow } from "../../support/rows.ts";
import { type SandboxProviders, startSandboxProviders } from "../../support/sandbox-providers.ts";
import { shadowRecord } from "../../support/shadow-record.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { createPeople, type People } from "../people.ts";
import { hasBrowser, launchBrowser, lookAt, openPage, signInAs } from "./browser.ts";

const BASE = "gpt-6-astra";
const HAIKU = "claude-haiku-5-5";
/** Nobody was asked for it, so that what it would do is not known. */
const FABLE = "claude-fable-5-2";
const SONNET = "claude-sonnet-5-5";

/** How often each model is right, by what calls are named. */
const SKILLS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  poems: { [BASE]: 0.5, [HAIKU]: 0.95, [SONNET]: 0.7 },
  sums: { [BASE]: 0.8, [HAIKU]: 0.4, [SONNET]: 0.5 },
  support: { [BASE]: 0.55, [HAIKU]: 0.5, [SONNET]: 0.92 },
};
const NAMES = Object.keys(SKILLS);
/** Who answers beside base: each fifth call the one that is right there most often, and now and then another. */
const OTHERS: Readonly<Record<string, string>> = { poems: HAIKU, sums: SONNET, support: SONNET };
const ROUNDS = 20;
const CALLS = 45;
const HOUR_MS = 3_600_000;

describe.skipIf(!hasBrowser)("workloads", () => {
  let providers: SandboxProviders;
  let service: DashboardService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page & { complaints: string[] };
  let empty: People;
  let full: People;
  let key: string;
  let calls = 0;

  beforeAll(async () => {
    providers = await startSandboxProviders("{ mode: on, models: any }");
    service = await startDashboardService({ withPages: true, configText: providers.configText });
    empty = await createPeople(service);
    full = await createPeople(service);
    ({ key } = await createKey(service.store, { projectId: full.projectId, name: "backend" }));
    browser = await launchBrowser();
    context = await browser.newContext({ timezoneId: "Europe/Zurich" });
    page = await openPage(context);
    await become(empty, "developer");
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await providers?.close();
  });

  /** Writes what was asked and said, as the recorder does; `share` is how much of the others' skill is left. */
  async function write(share: number): Promise<void> {
    const { projectId } = full;
    const inferences: InferenceRow[] = [];
    const feedback: FeedbackEntryRow[] = [];
    for (let count = 0; count < CALLS; count++) {
      const number = calls++;
      const turn = Math.floor(number / NAMES.length);
      const name = NAMES[number % NAMES.length] ?? "";
      const isRare = name === "sums" && turn % 15 !== 4;
      const servedModel = turn % 5 !== 4 || isRare ? BASE : turn % 20 === 19 ? HAIKU : (OTHERS[name] ?? BASE);
      const isRouted = servedModel !== BASE;
      const row = inferenceRow({
        projectId,
        model: BASE,
        servedModel,
        workload: name,
        family: `tag:${name}`,
        deviation: isRouted ? "routed" : "none",
        costNanos: isRouted ? 400_000 : 1_000_000,
        baseCostNanos: 1_000_000,
      });
      const skill = (SKILLS[name]?.[servedModel] ?? 0) * (isRouted ? share : 1);
      const booleanValue = (turn * 0.618034) % 1 < skill;
      const on = { projectId, inferenceId: row.id, model: BASE, workload: name };
      inferences.push(row);
      feedback.push(feedbackRow({ ...on, name: "correct", kind: "boolean", floatValue: null, booleanValue }));
    }
    const bodies = { attempts: [], request: undefined, response: undefined };
    await writeBatch(service.store, { inferences: inferences.map((row) => ({ row, ...bodies })), feedback });
  }

  /** Waits until all is learned, and keeps how it stands as if it had been so some hours ago. */
  async function keepPoint(hoursAgo: number): Promise<void> {
    const workload = { projectId: full.projectId, model: BASE };
    const learned = () => readLearnedWorkload(service.store, workload);
    await expect.poll(async () => (await learned())?.rewards, { timeout: 60_000 }).toBeGreaterThan(calls - CALLS);
    const slot = Math.floor(Date.now() / HOUR_MS) - hoursAgo;
    const row = { ...workload, stepMinutes: 60, slot, figures: JSON.stringify((await learned())?.figures) };
    await service.store.query().insertInto("WorkloadPoint").values(row).execute();
  }

  /** Calls until another model than base answers; returns the id of that request. */
  async function callRouted(): Promise<string> {
    for (let tries = 0; tries < 200; tries++) {
      const response = await fetch(`${service.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "attune-workload": "poems" },
        body: JSON.stringify({ model: `attune/${BASE}`, messages: [{ role: "user", content: "A poem on Bern" }] }),
      });
      const { id } = (await response.json()) as { id: string };
      if (response.headers.get("attune-deviation") === "routed") return id.replace(/^chatcmpl-/, "");
    }
    throw new Error("nobody but base answered");
  }

  async function become(people: People, role: "viewer" | "developer" | "owner"): Promise<void> {
    await signInAs(context, service.url, people.byRole[role]);
  }

  const open = (people: People, path: string) =>
    page.goto(`${service.url}/dashboard/projects/${people.projectId}/${path}`);
  const heading = (name: string | RegExp, level = 1) => page.getByRole("heading", { level, name });
  const controls = () => page.getByRole("region", { name: "Controls" });
  const happened = () => page.getByRole("region", { name: "History" });
  const tab = (name: string) => page.getByRole("tab", { name, exact: true }).click();
  const save = () => controls().getByRole("button", { name: "Save" }).click();

  it("tells how to send the first feedback where there is none", async () => {
    await open(empty, "workloads");
    await page.getByText("No workloads yet").waitFor();
    const hint = page.getByRole("region", { name: "How to send feedback" });
    await hint.getByText("No feedback yet").waitFor();
    await hint.getByRole("tab", { name: "TypeScript" }).click();
    await hint.getByText('client.post("/feedback"').waitFor();
    await lookAt(page, "workloads-first");
  });

  it("lists workloads with who is best, and leads to each by keyboard", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await write(1);
      await keepPoint((ROUNDS - round) * 6);
    }
    await become(full, "developer");
    await open(full, "workloads?range=7d");
    const row = page.getByRole("row", { name: new RegExp(BASE) }).first();
    await row.getByText("Routed").waitFor();
    await page.getByText("On in this project, as configured.").waitFor();
    await lookAt(page, "workloads-learned");
    await row.getByRole("link", { name: BASE }).focus();
    await page.keyboard.press("Enter");
    await heading(BASE).waitFor();
    expect(new URL(page.url()).searchParams.get("range")).toBe("7d");
  });

  it("shows base against the others over time, the accounts, the kinds of prompts and what happened", async () => {
    await lookAt(page, "workload-summary");
    await tab("Evidence");
    const chart = page.getByRole("region", { name: "Estimated reward of each model" });
    await chart.locator(".recharts-area").first().waitFor();
    await lookAt(page, "workload");
    await chart.getByText("Table").click();
    await chart.getByRole("columnheader", { name: `${BASE} (base)` }).waitFor();
    await chart
      .getByRole("cell", { name: /^0\.\d\d \(0\.\d\d – [01]\.\d\d\)$/ })
      .first()
      .waitFor();
    await page.getByRole("table", { name: "Kinds of prompts" }).getByText("poems").waitFor();
    await page.getByRole("table", { name: "Regret budgets" }).getByText("Complaints").waitFor();
    await tab("History");
    await happened()
      .getByText(/^Switched to claude-[a-z0-9-]+ in (poems|sums|support)$/)
      .first()
      .waitFor();
    await happened()
      .getByText(/rewards: claude-[a-z0-9-]+ has an estimated reward of/)
      .first()
      .waitFor();
    await happened().scrollIntoViewIfNeeded();
    await lookAt(page, "workload-happened");
  });

  it("says on the overview what on would do, turns it on there, and stops others on the workload's page", async () => {
    const { projectId, byRole } = full;
    await byRole.developer.mutate("learning.setControls", {
      projectId,
      model: BASE,
      mode: "observe",
      excluded: [FABLE],
    });
    await open(full, "overview");
    const outlook = page.getByRole("region", { name: "Mode on would answer better" });
    await outlook.getByText(/on would have answered \d+% better, \d+ to \d+, at x0\.\d\d of the price/).waitFor();
    await lookAt(page, "overview-outlook");
    await outlook.getByRole("link", { name: BASE }).click();
    await heading(BASE).waitFor();
    await page.getByText(/^claude-\S+ (would|may) answer .* at x0\.\d\d of the price: \d+ rewards\./).waitFor();
    await lookAt(page, "workload-outlook");
    const turnOn = page.getByRole("button", { name: `Turn on for ${BASE}` });
    await turnOn.click();
    await turnOn.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText(/^Only the base model answers, until someone resumes it/).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await byRole.developer.mutate("learning.setControls", { projectId, model: BASE, mode: null, excluded: null });
  });

  it("has two answers judged by a keyboard, and names their models afterwards", async () => {
    const { projectId } = full;
    const row = inferenceRow({ projectId, model: BASE, servedModel: BASE, family: "tag:poems" });
    const saying = (text: string) =>
      create(GenerateResponseSchema, { content: [{ kind: { case: "text", value: { text } } }] });
    const messages = [
      { role: Role.USER, content: [{ kind: { case: "text", value: { text: "A *short* poem on Bern." } } } as const] },
    ];
    const request = encodeRequest(createHubInput({ messages }));
    const response = toBinary(GenerateResponseSchema, saying("The river **bends** around the town."));
    await writeBatch(service.store, { inferences: [{ row, attempts: [], request, response }], feedback: [] });
    const trial = shadowRecord({ projectId, model: BASE, servedModel: BASE, trialModel: HAIKU, inferenceId: row.id });
    await createShadowStore(service.store).write(
      trial,
      { day: 0, budget: "", nanos: 0 },
      saying("Bears.\n\n- Two bears"),
    );
    await page.reload();
    await tab("Evidence");
    await page.getByRole("link", { name: "Compare answers blind" }).click();
    await heading("Compare answers").waitFor();
    const first = page.getByRole("region", { name: "First answer" });
    await first.waitFor();
    expect(await page.locator("main").getByText(HAIKU).count()).toBe(0);
    await lookAt(page, "pair");
    await page.getByRole("button", { name: "Both" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(`Saved. The caller got the answer of ${BASE}`).waitFor();
    await page.locator("main").getByText(HAIKU).waitFor();
    await lookAt(page, "pair-judged");
    await page.getByRole("button", { name: "Next pair" }).click();
    await page.getByText("No pair left to judge").waitFor();
    await lookAt(page, "pairs-none");
    await page.getByRole("link", { name: "The workload" }).click();
    await heading(BASE).waitFor();
  });

  it("asks other models for recorded requests, says what that costs first, and how it ended", async () => {
    const workload = { projectId: full.projectId, model: BASE };
    const part = page.getByRole("group", { name: "Improve" });
    const open = part.getByRole("button", { name: "Find out which model does better" });
    const dialog = page.getByRole("dialog");
    const begin = dialog.getByRole("button", { name: "Begin" });
    await tab("Evidence");
    await open.click();
    await dialog.getByText("The workload has no judge").waitFor();
    expect(await begin.isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await setControls(service.store, workload, { shadowJudge: SONNET });
    await page.reload();
    await open.click();
    await dialog.getByText(/^It costs about [\d.]+ USD, and [\d.]+ USD if all calls go to the most/).waitFor();
    await dialog.getByText(`${SONNET} grades`).waitFor();
    await lookAt(page, "workload-improve");
    await dialog.getByLabel("At most, in USD").fill("0.5");
    await begin.click();
    // One rated answer with its text, that of the pair, is too little to say that the judge is right.
    await part.getByText("Done: the judge has not proved itself").waitFor({ timeout: 30_000 });
    await part.getByText(/^0 of 300 requests sent, 1 answer checked, [\d.]+ USD of 0\.50 USD spent; ended/).waitFor();
    await lookAt(page, "workload-improved");
    await setControls(service.store, workload, { shadowJudge: null });
    await page.reload();
  });

  it("shows how well the choice among several answers is learned, by what, and when it was proven", async () => {
    const workload = { projectId: full.projectId, model: BASE };
    const writes = Array.from({ length: 80 }, (_, at) => several(workload, at % 2 === 0 ? "short" : "long"));
    await writeBatch(service.store, {
      inferences: writes,
      feedback: writes.map(({ row }, at) => said(row, at % 2 === 0)),
    });
    await tab("History");
    await happened().getByText("Selector is proven").waitFor();
    await tab("Evidence");
    await page.reload();
    await page.getByText(/^Learned from 80 rewards of chosen answers.* It chooses\.$/).waitFor();
    const ranked = page.getByRole("table", { name: "Ranking signals" });
    await ranked.getByText("is longer than the others, by its logarithm").waitFor();
    await ranked.scrollIntoViewIfNeeded();
    await lookAt(page, "workload-selector");
  });

  it("says on a request why this model answered", async () => {
    const routedId = await callRouted();
    await expect
      .poll(async () => (await service.dashboard.reads.readInferenceWithFeedback(full.projectId, routedId))?.row.id)
      .toBe(routedId);
    await open(full, `history/${routedId}`);
    const why = page.getByRole("region", { name: "Why this model" });
    await why.getByText(/was chosen/).waitFor();
    await why.getByText("chosen", { exact: true }).waitFor();
    await why.getByText("answered", { exact: true }).waitFor();
    await why.scrollIntoViewIfNeeded();
    await lookAt(page, "request-why");
    await why.getByRole("link", { name: `The workload of ${BASE}` }).click();
    await heading(BASE).waitFor();
  });

  it("freezes, pins and excludes, and shows that at once with who said so", async () => {
    await tab("Settings");
    await controls().getByRole("radio", { name: "Frozen" }).check();
    await save();
    await page.getByText(/^Only the base model answers, until someone resumes it/).waitFor();
    await tab("History");
    await happened()
      .getByText(/@example\.com changed: frozen\.$/)
      .nth(1)
      .waitFor();
    await tab("Settings");
    await controls().getByRole("radio", { name: "Pinned" }).check();
    expect(await controls().getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await controls().getByRole("combobox", { name: "Pinned to" }).click();
    await page.getByRole("option", { name: HAIKU }).click();
    await save();
    await tab("History");
    await happened().getByText(`changed: pinned to ${HAIKU}.`).waitFor();
    await tab("Settings");
    await controls().getByRole("combobox", { name: "Excluded models" }).click();
    await page.getByRole("option", { name: SONNET }).click();
    await page.keyboard.press("Escape");
    await controls()
      .getByRole("radio", { name: /^As in the project \(free\)$/ })
      .check();
    await save();
    await tab("Evidence");
    await page
      .getByRole("row", { name: new RegExp(SONNET) })
      .getByText("excluded")
      .first()
      .waitFor();
    await tab("Settings");
    await controls().scrollIntoViewIfNeeded();
    await lookAt(page, "workload-controls");
  });

  it("says how a metric counts, and keeps what is not saved while someone else says otherwise", async () => {
    const said = (name: string) => controls().getByRole("group", { name, exact: true });
    await controls().getByRole("combobox", { name: "Another metric" }).fill("politeness");
    await page.keyboard.press("Enter");
    await said("politeness").getByRole("textbox", { name: "Weight" }).fill("1.5");
    await said("politeness").getByText("politeness: the weight must be from 0 to 1").waitFor();
    expect(await controls().getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await said("politeness").getByRole("textbox", { name: "Weight" }).fill("0");
    // Someone else freezes it and says something of another metric, which the page finds by itself.
    const { projectId, byRole } = full;
    const controlsOfOther = { hold: "frozen", metrics: [{ name: "words", atMost: 100 }] };
    await byRole.owner.mutate("learning.setControls", { projectId, model: BASE, ...controlsOfOther });
    await said("words").waitFor();
    await expect.poll(() => said("words").getByRole("textbox", { name: "Mean at most" }).inputValue()).toBe("100");
    await expect.poll(() => controls().getByRole("radio", { name: "Frozen" }).isChecked()).toBe(true);
    expect(await said("politeness").getByRole("textbox", { name: "Weight" }).inputValue()).toBe("0");
    await controls().scrollIntoViewIfNeeded();
    await lookAt(page, "workload-metrics");
    await controls()
      .getByRole("radio", { name: /^As in the project \(free\)$/ })
      .check();
    await save();
    await tab("History");
    await happened().getByText("metrics: words at most 100; politeness weight 0.").waitFor();
    await tab("Settings");
    await controls().getByRole("button", { name: "Remove politeness" }).click();
    await controls().getByRole("button", { name: "Remove words" }).click();
    await save();
    await tab("History");
    await happened().getByText("changed: no metric settings.").waitFor();
    await tab("Settings");
    await controls().getByRole("button", { name: "Discard" }).waitFor({ state: "detached" });
  });

  it("shows that the guard has closed once the others are bad, and why", async () => {
    for (let round = 0; round < 12; round++) await write(0);
    await tab("History");
    await happened()
      .getByText(/has changed$|^Returned to base$/)
      .first()
      .waitFor();
    await page.reload();
    await happened().waitFor();
    await lookAt(page, "workload-broken");
  });

  it("asks before it forgets", async () => {
    await tab("Settings");
    await controls().getByRole("button", { name: "Reset…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`Reset the learned state of ${BASE}?`).waitFor();
    await lookAt(page, "workload-reset");
    await dialog.getByRole("button", { name: "Reset the workload" }).click();
    await page.getByText(`${BASE} is reset`).waitFor();
    await page.getByText("Waiting for feedback").first().waitFor();
  });

  it("says it for all workloads of the project", async () => {
    await open(full, "workloads");
    await page.getByRole("button", { name: "All workloads" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Observe" }).check();
    await lookAt(page, "workloads-project");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Observe in this project.").waitFor();
  });

  it("rebuilds what was learned for an owner, tells how far that is, and cancels it", async () => {
    const { projectId } = full;
    const rebuild = page.getByRole("group", { name: "Rebuild" });
    const begin = page.getByRole("button", { name: "Start the rebuild" });
    const change = (changes: object) => service.store.fork().nativeUpdate(WorkloadRebuild, { projectId }, changes);
    const resume = await pauseLearning(service.store);
    await become(full, "owner");
    await open(full, "workloads");
    await page.getByRole("button", { name: "Rebuild", exact: true }).click();
    await begin.waitFor();
    await lookAt(page, "workloads-rebuild");
    await begin.click();
    await rebuild.getByText("A rebuild waits for its turn.").waitFor();
    await rebuild.getByRole("button", { name: "Cancel the rebuild" }).click();
    await rebuild.getByText("The rebuild was canceled, and nothing was replaced.").waitFor();
    // One that waited has its project not rest.
    await page.getByRole("button", { name: "Rebuild", exact: true }).click();
    await begin.click();
    await rebuild.getByText("A rebuild waits").waitFor();
    await change({ state: "running", startedAt: new Date(), events: 12_345 });
    await rebuild.getByText("12,345 requests and entries of feedback so far").waitFor();
    await lookAt(page, "workloads-rebuild-runs");
    await change({ state: "waiting", startedAt: null, events: 0 });
    await resume();
    await rebuild.getByText("The learned state was rebuilt.").waitFor();
    await rebuild.getByText(/^1 workload, from [\d,]+ requests and entries of feedback\. Ended/).waitFor();
    await page.getByRole("button", { name: "Rebuild", exact: true }).click();
    await page.getByRole("dialog").getByText("The rebuild before ended a short while ago.").waitFor();
    expect(await begin.isDisabled()).toBe(true);
    await lookAt(page, "workloads-rebuild-rests");
  });

  it("lets a viewer look on", async () => {
    await become(full, "viewer");
    await open(full, `workloads/${BASE}?tab=settings`);
    await controls().getByText("Members of the project can change this.").waitFor();
    expect(await controls().getByRole("button").count()).toBe(0);
    expect(await controls().getByRole("radio", { name: "Frozen" }).isDisabled()).toBe(true);
    await open(full, "workloads/no-such-model");
    await page.getByRole("alert").getByText("There is no such workload").waitFor();
  });

  it("has met no fault on the way", () => {
    expect(page.complaints).toEqual([]);
  });
});

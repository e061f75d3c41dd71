import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { signedIn } from "../people.ts";
import { hasBrowser, launchBrowser, lookAt, openPage, signInAs } from "./browser.ts";

/** A model with three deployments, of which the first two are busy, and the third is cheaper than the list price. */
const configOf = (busyUrl: string) => `
upstreams:
  east: { kind: openai-chat, baseUrl: "${busyUrl}/east" }
  west: { kind: anthropic-messages, baseUrl: "${busyUrl}/west", apiKey: unused }
models:
  - name: steady
    family: messages
    purpose: Failing over
    contextWindow: 100000
    maxOutputTokens: 4096
    minCacheableTokens: 16
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
    optimizations: { choice: false }
    deployments:
      - { upstream: east, model: steady-large }
      - { upstream: west, model: steady-large-eu }
      - upstream: sandbox
        model: sandbox
        price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite5m: 2.5, cacheWrite1h: 4 }
  - name: plain
    family: messages
    purpose: Costing what it costs
    contextWindow: 100000
    maxOutputTokens: 4096
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
    deployments: [{ upstream: sandbox, model: sandbox }]
  - name: several
    family: messages
    purpose: Choosing
    contextWindow: 100000
    maxOutputTokens: 4096
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
    candidates: { max: 4 }
    deployments: [{ upstream: sandbox, model: sandbox }, { upstream: east, model: steady-large }]
`;

const SYSTEM = "You answer in one sentence, and name where you have it from. ".repeat(20);

describe.skipIf(!hasBrowser)("attempts and what they cost", () => {
  let busy: Server;
  let service: DashboardService;
  let browser: Browser;
  let page: Page & { complaints: string[] };
  let projectId: string;
  let anthropic: Anthropic;

  beforeAll(async () => {
    busy = createServer((request, response) => {
      request.resume().once("end", async () => {
        await delay(request.url?.startsWith("/east") ? 60 : 110);
        response.writeHead(529, { "content-type": "application/json" });
        response.end('{"error":{"message":"all places are taken","code":"overloaded"}}');
      });
    });
    await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
    const busyUrl = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
    service = await startDashboardService({ withPages: true, configText: configOf(busyUrl) });
    const { userId, caller } = await signedIn(service);
    const project = await service.dashboard.projects.create("attempts", userId);
    projectId = project?.id ?? "";
    const { key } = await createKey(service.store, { projectId, name: "backend" });
    anthropic = new Anthropic({ baseURL: service.url, apiKey: key, maxRetries: 0 });
    browser = await launchBrowser();
    const context = await browser.newContext({ timezoneId: "Europe/Zurich" });
    await signInAs(context, service.url, caller);
    page = await openPage(context);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
    busy?.close();
  });

  const card = (label: string) =>
    page.locator(".attune-cards .attune-card", { has: page.getByText(label, { exact: true }) });
  const requests = () => page.getByRole("list", { name: "Requests, the newest first" }).getByRole("link");
  const open = (path: string) => page.goto(`${service.url}/dashboard/projects/${projectId}/${path}`);
  /** Records are written behind the answers. */
  const written = async (count: number) => {
    const rows = service.store.query().selectFrom("Inference").select("id");
    await expect.poll(async () => (await rows.execute()).length).toBe(count);
  };
  const ask = (model: string) =>
    anthropic.messages.create({
      model: `attune/${model}`,
      max_tokens: 100,
      messages: [{ role: "user", content: "How warm is it in Bern?" }],
    });

  it("claims no saving where a call cost what it costs", async () => {
    await ask("plain");
    await written(1);
    await open("overview");
    await card("Cost").waitFor();
    expect(await page.getByText(/saved/i).count()).toBe(0);
    await lookAt(page, "overview-nothing-saved");
  });

  it("lists who was asked, in what order, and who answered", async () => {
    const system = [{ type: "text" as const, text: SYSTEM, cache_control: { type: "ephemeral" as const } }];
    const call = { model: "attune/steady", max_tokens: 100, system };
    await anthropic.messages.create({ ...call, messages: [{ role: "user", content: "How warm is it in Bern?" }] });
    await written(2);
    await open("history");
    await requests().first().click();
    const table = page.getByRole("table", { name: "Attempts" });
    await table.waitFor();
    const cells = (await table.getByRole("row").allTextContents()).map((text) => text.replaceAll(/\s+/g, " "));
    expect(cells).toHaveLength(7);
    expect(cells[1]).toContain("1. east as steady-large");
    expect(cells[2]).toContain("called first");
    expect(cells[2]).toContain("upstream overloaded, status 529, overloaded: ");
    expect(cells[3]).toContain("2. west as steady-large-eu");
    expect(cells[4]).toContain("called after the previous one failed");
    expect(cells[5]).toContain("3. sandbox as sandbox");
    expect(cells[6]).toContain("won");
    const costs = page.getByRole("table", { name: "Tokens and cost" });
    await costs.getByText("The base model alone").waitFor();
    await costs.getByText("Added by writing to the provider's prompt cache").waitFor();
    expect(await page.getByText("the prices changed").count()).toBe(0);
    await lookAt(page, "request-failed-over");
    await table.scrollIntoViewIfNeeded();
    await lookAt(page, "request-attempts");
  });

  it("marks what is an estimate, since the client left", async () => {
    const stream = anthropic.messages.stream({
      model: "attune/steady",
      max_tokens: 500,
      metadata: { user_id: "sandbox:slow=100" },
      messages: [{ role: "user", content: "Tell me more about Bern than I asked for." }],
    });
    const broken = stream.done().catch(() => {});
    let texts = 0;
    stream.on("text", () => {
      texts += 1;
      if (texts === 3) stream.abort();
    });
    await broken;
    await written(3);
    await open("history?status=canceled");
    await page.getByText("≈ $").first().waitFor();
    await lookAt(page, "history-estimated");
    await requests().first().click();
    await page.getByText("Cost, an estimate").waitFor();
    await page.getByText("Canceled, because the client disconnected.").waitFor();
    await lookAt(page, "request-estimated");
  });

  it("shows what was saved once something was, and what a cache saved apart from it", async () => {
    const system = [{ type: "text" as const, text: SYSTEM, cache_control: { type: "ephemeral" as const } }];
    for (const content of ["And in Basel?", "And in Chur?", "And in Thun?"]) {
      await anthropic.messages.create({
        model: "attune/steady",
        max_tokens: 100,
        system,
        messages: [{ role: "user", content }],
      });
    }
    await written(6);
    await open("overview");
    await page.getByText(/from cache, .* saved/).waitFor();
    await card("Saved").waitFor();
    await page.getByRole("button", { name: "Choose charts" }).click();
    await page.getByRole("checkbox", { name: "Errors" }).uncheck();
    await page.getByRole("checkbox", { name: "Saved against the base models alone" }).check();
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Saved against the base models alone" }).waitFor();
    await lookAt(page, "overview-saved");
  });

  it("shows candidates side by side, and why one of them was chosen", async () => {
    await anthropic.messages.create(
      {
        model: "attune/several",
        max_tokens: 100,
        messages: [{ role: "user", content: "How warm is it in Bern?" }],
      },
      { headers: { "attune-candidates": "4" } },
    );
    await written(7);
    await open("history");
    await requests().first().click();
    const candidates = page.getByRole("region", { name: "Candidates" });
    await candidates.getByText(/^Chosen: .* Score/).waitFor();
    await candidates.getByText(/^Not chosen: an equally good answer/).waitFor();
    expect(await candidates.getByRole("article").count()).toBe(4);
    await candidates.scrollIntoViewIfNeeded();
    await lookAt(page, "request-candidates");
    const loser = candidates.getByRole("article").filter({ hasText: "Not chosen: an equally good answer" }).first();
    await loser.getByRole("button", { name: /^Not helpful: / }).click();
    await loser.getByText("Thanks, feedback sent.").waitFor();
    await loser.getByText("source: dashboard").waitFor();
    const told = service.store.query().selectFrom("FeedbackEntry").select("attempt");
    await expect.poll(async () => (await told.execute()).length).toBe(1);
    await page.reload();
    await loser.getByText("source: dashboard").waitFor();
    expect(await candidates.getByText("source: dashboard").count()).toBe(1);
    await page.getByText("None yet. Clients send it to").waitFor();
    await lookAt(page, "request-candidates-told");
  });

  it("has met no fault on the way", () => {
    expect(page.complaints).toEqual([]);
  });
});

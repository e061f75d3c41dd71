import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import OpenAI from "openai";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { signedIn } from "../people.ts";
import { hasBrowser, launchBrowser, lookAt, openPage, signInAs } from "./browser.ts";

const MODEL = "attune/gpt-6-astra";
/** A picture of one red point. */
const POINT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** Nobody reads it: it has only to come back as it was. */
const REPORT = "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF é";

describe.skipIf(!hasBrowser)("the history", () => {
  let service: DashboardService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page & { complaints: string[] };
  let projectId: string;
  let openai: OpenAI;
  let key: string;

  beforeAll(async () => {
    service = await startDashboardService({ withPages: true });
    const { userId, caller } = await signedIn(service);
    const project = await service.dashboard.projects.create(randomUUID(), userId);
    projectId = project?.id ?? "";
    ({ key } = await createKey(service.store, { projectId, name: "production backend" }));
    openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: key, maxRetries: 0 });
    browser = await launchBrowser();
    context = await browser.newContext({ acceptDownloads: true, timezoneId: "America/Los_Angeles" });
    await signInAs(context, service.url, caller);
    page = await openPage(context);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const list = () => page.getByRole("list", { name: "Requests, the newest first" });
  const rows = () => list().getByRole("link");
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  const dialog = () => page.getByRole("dialog");
  const open = (search = "") => page.goto(`${service.url}/dashboard/projects/${projectId}/history${search}`);
  const ask = (text: string, more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) =>
    openai.chat.completions.create({ model: MODEL, messages: [{ role: "user", content: text }], ...more });

  /** Records are written behind the answers, and a list that was read without one only counts it as new. */
  const stored = async (table: "Inference" | "FeedbackEntry", count: number) => {
    const rows = service.store.query().selectFrom(table).select("id");
    await expect.poll(async () => (await rows.execute()).length).toBe(count);
  };

  it("says what to do first", async () => {
    await open();
    await page.getByText("No requests yet").waitFor();
    await lookAt(page, "history-empty");
  });

  it("lists requests of every kind", async () => {
    const { id } = await ask("What is the capital of France?");
    await ask("Look it up", {
      tools: [{ type: "function", function: { name: "look_up", description: "Looks things up", parameters: {} } }],
      messages: [
        { role: "system", content: "You are a careful assistant." },
        { role: "user", content: "How warm is it in Bern, and what is <b>bold</b>?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              id: "call_1",
              type: "function",
              function: { name: "look_up", arguments: '{"city":"Bern","big":12345678901234567890}' },
            },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: '{"celsius": 21.50}' },
        {
          role: "user",
          content: [
            { type: "text", text: "And what is in this picture?" },
            { type: "image_url", image_url: { url: `data:image/png;base64,${POINT}` } },
            { type: "image_url", image_url: { url: "https://example.com/picture.png" } },
          ],
        },
      ],
    });
    await ask(`A long text. ${"All work and no play. ".repeat(60_000)}The end.`);
    const first = await openai.responses.create({ model: MODEL, input: "Remember the word Zimtstern." });
    await openai.responses.create({ model: MODEL, input: "Which word?", previous_response_id: first.id });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    await fetch(`${service.url}/v1/messages`, {
      method: "POST",
      headers,
      body: JSON.stringify({
        model: "attune/claude-sonnet-5-5",
        max_tokens: 2000,
        thinking: { type: "enabled", budget_tokens: 1024 },
        messages: [{ role: "user", content: "Think about it." }],
      }),
    });
    const source = { type: "base64", media_type: "application/pdf", data: Buffer.from(REPORT).toString("base64") };
    await fetch(`${service.url}/v1/messages`, {
      method: "POST",
      headers,
      body: JSON.stringify({
        model: "attune/claude-sonnet-5-5",
        max_tokens: 100,
        messages: [
          {
            role: "user",
            content: [
              { type: "document", source, title: "Annual report", context: "Of the last year." },
              { type: "document", source: { type: "text", media_type: "text/plain", data: "Plain." }, title: "Notes" },
              { type: "text", text: "Compare these documents." },
            ],
          },
          {
            role: "assistant",
            content: [
              { type: "redacted_thinking", data: "cmVk" },
              { type: "text", text: "Yes." },
            ],
          },
          { role: "user", content: "Go on." },
        ],
      }),
    });
    for (const directive of ["overload", "mid-stream-death"]) {
      const refused = openai.chat.completions.create({
        model: `${MODEL}:sandbox-${directive}`,
        messages: [{ role: "user", content: "Fail, please." }],
      });
      await expect(refused).rejects.toThrow();
    }
    const said = [
      { id, tags: { channel: "web" }, feedback: { helpful: true, quality: { score: 0.8, reason: "to the point" } } },
    ];
    await fetch(`${service.url}/v1/feedback`, { method: "POST", headers, body: JSON.stringify(said) });
    await stored("FeedbackEntry", 2);
  });

  it("shows what is new when asked to", async () => {
    await page.getByRole("button", { name: "9 new" }).click();
    await rows().nth(8).waitFor();
    await lookAt(page, "history");
    await ask("One more.");
    await page.getByRole("button", { name: "1 new" }).waitFor();
    expect(await rows().count()).toBe(9);
    await page.getByRole("switch", { name: "Follow" }).check();
    await rows().nth(9).waitFor();
  });

  it("goes through the list by keys, and back to where it was", async () => {
    // The address changes before the page does: a key that is pressed in between is one for the page before.
    const opened = () => page.evaluate('sessionStorage.getItem("attune-last-request")');
    await page.keyboard.press("?");
    await dialog().getByText("next request, also on its page").waitFor();
    await lookAt(page, "history-keys");
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "hidden" });
    for (const pressed of ["j", "j", "ArrowDown", "k"]) await page.keyboard.press(pressed);
    const second = await rows().nth(1).getAttribute("data-request");
    expect(await page.evaluate("document.activeElement?.dataset.request")).toBe(second);
    await page.keyboard.press("Enter");
    await expect.poll(opened).toBe(second);
    expect(page.url()).toContain(second);
    await page.keyboard.press("j");
    await expect.poll(opened).not.toBe(second);
    await page.getByRole("button", { name: "Previous request (k)" }).click();
    await expect.poll(opened).toBe(second);
    await page.keyboard.press("Escape");
    await heading("History").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement?.dataset.request")).toBe(second);
  });

  it("filters by what the address says", async () => {
    await open("?status=failed");
    await page.getByText("upstream overloaded").waitFor();
    expect(await rows().count()).toBe(2);
    await lookAt(page, "history-filtered");
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByLabel("Save these filters as").fill("All that failed");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("link", { name: "All that failed" }).waitFor();
    await lookAt(page, "history-views");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Clear all" }).click();
    await rows().nth(9).waitFor();
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("link", { name: "All that failed" }).click();
    await expect.poll(() => rows().count()).toBe(2);
    await page.getByRole("button", { name: "Clear all" }).click();
    await rows().nth(9).waitFor();
    await page.getByRole("button", { name: "Feedback" }).click();
    await page.getByRole("combobox", { name: "Feedback named" }).fill("quality");
    await page.getByRole("textbox", { name: "Value", exact: true }).fill("0.5");
    await page.getByLabel("Tag", { exact: true }).fill("channel");
    await page.getByLabel("Its value").fill("web");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => rows().count()).toBe(1);
    expect(new URL(page.url()).searchParams.toString()).toBe("tag=channel%3Dweb&metric=quality%3E0.5");
    await open("?sort=cost");
    await page.getByText(/^Most expensive first, among the newest \d+ that the filters let through,/).waitFor();
    const dearest = page.getByRole("list", { name: "Requests, most expensive first" }).getByRole("link").first();
    await dearest.getByText("$7.24").waitFor();
  });

  it("looks at a past time, by the viewer's clock", async () => {
    await open();
    await rows().nth(9).waitFor();
    await page.getByRole("button", { name: "Any time" }).click();
    await page.getByText("Your time zone: America/Los_Angeles").waitFor();
    await page.getByLabel("From", { exact: true }).fill("2026-01-02T03:04");
    await page.getByLabel("To", { exact: true }).fill("2026-01-01T00:00");
    await page.getByText("must be later than the beginning").waitFor();
    await lookAt(page, "history-time");
    await page.getByLabel("To", { exact: true }).fill("2026-01-03T00:00");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("No matching requests").waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get("from"), searchParams.get("to")]).toEqual(["2026-01-02T11:04Z", "2026-01-03T08:00Z"]);
    await page.getByRole("button", { name: "2 Jan 2026, 03:04 GMT-8 – 3 Jan 2026, 00:00 GMT-8" }).waitFor();
    expect(await page.getByRole("switch", { name: "Follow" }).isDisabled()).toBe(true);
    await lookAt(page, "history-past");
    await open("?from=2026-01-02T11:04Z");
    await rows().nth(9).waitFor();
    await page.getByRole("button", { name: "From 2 Jan 2026, 03:04 GMT-8" }).waitFor();
  });

  it("searches in texts, and says how far", async () => {
    await open();
    await rows().nth(9).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("zimtstern");
    await page.keyboard.press("Enter");
    await page.getByText("Searched first words to the oldest request, 10 requests looked at").waitFor();
    expect(await rows().count()).toBe(1);
    expect(await list().locator("mark").first().innerText()).toBe("Zimtstern");
    await lookAt(page, "history-search");
    await page.getByRole("button", { name: "Search whole texts" }).click();
    await page.getByText("Searched to the oldest request, 10 requests looked at").waitFor();
    expect(new URL(page.url()).searchParams.get("whole")).toBe("1");
    await open("?q=nothing+like+that");
    await page.getByText("No matching requests").waitFor();
    await lookAt(page, "history-nothing");
  });

  it("shows a conversation with tools, pictures and texts of strangers", async () => {
    await open("?q=Bern&whole=1");
    await rows().first().click();
    await page.getByText("and what is <b>bold</b>?").waitFor();
    await page.getByText("12345678901234567890").waitFor();
    await page.getByText("21.50").first().waitFor();
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("img", { name: "Image of the request" }).waitFor();
    await page.getByRole("radiogroup", { name: "Raw JSON of" }).getByText("Answer").click();
    await page.getByText('"finished"').waitFor();
    await lookAt(page, "request");
  });

  it("runs a request again, shows it as code, and opens it in the playground", async () => {
    await open("?q=capital+of+France");
    await rows().first().click();
    await page.getByRole("button", { name: "Run again" }).click();
    await page.getByRole("combobox", { name: "Model" }).click();
    await page.getByRole("option", { name: /haiku/i }).first().click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const run = page.getByRole("article", { name: /^Run: / });
    await run.getByText("What is the capital of France?").waitFor();
    await run.getByText("$0.0").first().waitFor();
    await lookAt(page, "request-run-again");
    await page.getByRole("button", { name: "Copy as code" }).click();
    await dialog().getByText("authorization: Bearer $ATTUNE_KEY").waitFor();
    expect(await dialog().innerText()).not.toContain(key);
    await lookAt(page, "request-code");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Open in the playground" }).click();
    await heading("Playground").waitFor();
    expect(
      await page
        .getByRole("textbox", { name: /message/i })
        .first()
        .inputValue(),
    ).toBe("What is the capital of France?");
    await open("?label=dashboard%3Drerun");
    await rows().first().waitFor();
  });

  it("shows documents, and saves them as they were sent", async () => {
    await open("?q=Compare+these+documents&whole=1");
    await rows().first().click();
    await page.getByText("Document: Annual report").waitFor();
    await page.getByText("Of the last year.").waitFor();
    await page.getByText("Thinking that only its maker can read, 4 characters").waitFor();
    await page.getByText("Maximum output tokens").waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe("Annual report.pdf");
    expect(readFileSync(await download.path(), "utf8")).toBe(REPORT);
    await lookAt(page, "request-documents");
  });

  it("is sent new requests alone", async () => {
    await open();
    await rows().nth(5).waitFor();
    const poll = await page.waitForResponse((response) => new URL(response.url()).search.includes("known"));
    const { result } = (await poll.json()) as { result: { data: { rows: readonly unknown[] } } };
    expect(result.data.rows).toEqual([]);
  });

  it("shows thinking, failures and what was continued", async () => {
    await open("?q=Think+about+it");
    await rows().first().click();
    await page.getByText(/^Thinking, .* sealed by its maker$/).click();
    await lookAt(page, "request-thinking");
    await open("?status=failed");
    await rows().first().click();
    await page.getByText("Failed: stream interrupted", { exact: true }).waitFor();
    await lookAt(page, "request-failed");
    await open("?q=Which+word");
    await rows().first().click();
    await page.getByRole("heading", { name: "Continues" }).waitFor();
    await lookAt(page, "request-continued");
    await page.getByRole("link", { name: /^gpt-6-astra, / }).click();
    await page.getByText("Remember the word Zimtstern.").first().waitFor();
  });

  it("shows feedback, with its tags and reasons", async () => {
    await open("?tag=channel%3Dweb");
    await rows().first().click();
    await page.getByText("to the point").waitFor();
    await page.getByText("channel: web").first().waitFor();
    await lookAt(page, "request-feedback");
  });

  it("loads a long text piece by piece", async () => {
    await open("?q=All+work+and+no+play");
    await rows().first().click();
    const more = page.getByRole("button", { name: "Show more" }).first();
    await page.getByText("2,000 of 1,320,").first().waitFor();
    await lookAt(page, "request-long");
    await more.click();
    await page.getByText("52,000 of 1,320,").first().waitFor();
  });

  it("exports what is filtered as JSON lines", async () => {
    await open("?q=zimtstern");
    await rows().first().waitFor();
    await page.getByRole("button", { name: "Export" }).click();
    await dialog().getByText("The file has all of them, however many.").waitFor();
    await lookAt(page, "history-export");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog().getByRole("link", { name: "Download JSON lines" }).click(),
    ]);
    const lines = readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.length).toBe(1);
    expect(JSON.parse(lines[0] ?? "").request.messages[0].content[0].text.text).toBe("Remember the word Zimtstern.");
  });

  it("finds the calls of a session and of an end user", async () => {
    for (const user of ["jane", "john"]) {
      const facts = { "attune-session": "run-7", "attune-user": user, "attune-tags": "team=search, env=prod" };
      const messages = [{ role: "user" as const, content: `I am ${user}.` }];
      await openai.chat.completions.create({ model: MODEL, messages }, { headers: facts });
    }
    const said = [{ session: "run-7", feedback: { passed: { score: true, reason: "all tests are green" } } }];
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    await fetch(`${service.url}/v1/feedback`, { method: "POST", headers, body: JSON.stringify(said) });
    await stored("Inference", 13);
    await stored("FeedbackEntry", 3);
    await open();
    await rows().nth(9).waitFor();
    await page.getByRole("button", { name: "Session, user, tag" }).click();
    await page.getByLabel("Session", { exact: true }).fill("run-7");
    await lookAt(page, "history-facts");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => rows().count()).toBe(2);
    await lookAt(page, "history-session");
    await rows().nth(1).click();
    await page.getByRole("heading", { name: "Session and tags" }).waitFor();
    await page.getByText("all tests are green").waitFor();
    await lookAt(page, "request-facts");
    await page.getByRole("link", { name: "jane" }).click();
    await expect.poll(() => rows().count()).toBe(1);
    expect(new URL(page.url()).searchParams.toString()).toBe("user=jane");
    await rows().first().click();
    await page.getByRole("link", { name: "team=search" }).click();
    await expect.poll(() => rows().count()).toBe(2);
  });

  it("shows the run of a session, and what was spent", async () => {
    await page.goto(`${service.url}/dashboard/projects/${projectId}/sessions/run-7`);
    const steps = page.getByRole("list", { name: "Steps, in order" });
    await steps.getByText("I am jane.").first().waitFor();
    await page.getByText("all tests are green").waitFor();
    const player = page.getByRole("region", { name: "Play the run" });
    await player.getByLabel("Speed").selectOption("60 times as fast");
    await player.getByRole("button", { name: "Play" }).focus();
    await page.keyboard.press("Enter");
    await player.getByText(/^Step 2 of 2, /).waitFor();
    // At the end it waits for more of a run that was under way just now.
    await player.getByRole("button", { name: "Pause" }).waitFor();
    await player.getByRole("slider", { name: "Place in the run" }).press("Home");
    await player.getByText(/^Step 1 of 2, /).waitFor();
    await player.getByRole("button", { name: "Play" }).waitFor();
    await lookAt(page, "session-played");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Page, setting, action, model, key, id or docs" }).fill("spe");
    await page.getByRole("option", { name: /^Spend/ }).waitFor();
    await lookAt(page, "palette");
    await page.keyboard.press("Enter");
    await heading("Spend").waitFor();
    await page.getByText("production backend").first().waitFor();
  });

  it("keeps a dataset of what is filtered", async () => {
    await page.goto(`${service.url}/dashboard/projects/${projectId}/datasets`);
    await page.getByText("No datasets yet").waitFor();
    await open("?session=run-7");
    await rows().nth(1).waitFor();
    await page.getByRole("button", { name: "Add to a dataset" }).click();
    await dialog().getByLabel("Name of the new dataset").fill("Good answers");
    await lookAt(page, "dataset-add");
    await dialog().getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("2 requests are new in the dataset.").waitFor();
    await page.getByRole("button", { name: "Add to a dataset" }).click();
    await dialog().getByRole("combobox", { name: "Dataset" }).click();
    await page.getByRole("option", { name: "Good answers" }).click();
    await dialog().getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("0 requests are new in the dataset.").waitFor();
    await page.goto(`${service.url}/dashboard/projects/${projectId}/datasets`);
    await page.getByRole("button", { name: "Create a dataset" }).click();
    await dialog().getByLabel("Name").fill("Others");
    await page.keyboard.press("Enter");
    await heading("Others").waitFor();
    await page.getByRole("link", { name: "All datasets" }).click();
    await page.getByRole("link", { name: "Others" }).waitFor();
    await page.getByRole("link", { name: "Good answers" }).click();
    await page.getByRole("cell", { name: "I am jane.", exact: true }).waitFor();
    await page.getByRole("button", { name: "Export" }).click();
    await lookAt(page, "dataset-export");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog().getByRole("link", { name: "Download" }).click(),
    ]);
    const lines = readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).messages[0])).toEqual([
      { role: "user", content: "I am john." },
      { role: "user", content: "I am jane." },
    ]);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await dialog().getByRole("button", { name: "Run for about $0." }).click();
    await page.getByText("Completed.").waitFor();
    await page.getByText("2 of 2 requests").waitFor();
    await page.getByText("You said: I am jane.").nth(1).waitFor();
  });

  it("shows the calls that were refused, and why", async () => {
    await fetch(`${service.url}/v1/models`, { headers: { authorization: "Bearer att_nobody_made_this_key" } });
    const messages = [{ role: "user" as const, content: "Hello" }];
    await expect(openai.chat.completions.create({ model: "attune/no-such-model", messages })).rejects.toThrow();
    await open();
    await page.getByRole("link", { name: "Errors" }).click();
    await heading("Errors").waitFor();
    await page.getByRole("link", { name: "Refused calls" }).click();
    await heading("Refused calls").waitFor();
    // A process writes them every ten seconds, and the page asks as often.
    await page.getByText("no-such-model").first().waitFor({ timeout: 45_000 });
  });

  it("keeps no texts where the owner says so", async () => {
    await page.goto(`${service.url}/dashboard/projects/${projectId}/settings`);
    await page.getByRole("button", { name: "Texts: keep" }).click();
    await dialog().getByText("Redact texts").click();
    await lookAt(page, "history-bodies");
    await dialog().getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Texts: redact texts" }).waitFor();
    await open();
    await rows().first().waitFor();
    const before = await rows().first().getAttribute("data-request");
    await ask("My name is Regula.");
    await page.getByRole("button", { name: "1 new" }).click();
    // Until the list is there with it, the first row is another one.
    await expect.poll(() => rows().first().getAttribute("data-request")).not.toBe(before);
    await rows().first().click();
    await page.getByText("[redacted: 18 characters]").waitFor();
    await lookAt(page, "request-redacted");
    expect(await page.content()).not.toContain("Regula");
  });

  it("has met no fault on the way", () => {
    expect(page.complaints).toEqual([]);
  });
});

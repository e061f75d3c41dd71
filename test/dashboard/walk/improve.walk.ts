import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedDatabase } from "../../../scripts/seed/seed-database.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { createPeople, type People } from "../people.ts";
import { hasBrowser, launchBrowser, lookAt, openPage, signInAs } from "./browser.ts";

/** Inferences of a year; about one in five has feedback. */
const SEEDED = 6000;

describe.skipIf(!hasBrowser)("the pages that improve answers", () => {
  let service: DashboardService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page & { complaints: string[] };
  let empty: People;
  let full: People;

  beforeAll(async () => {
    service = await startDashboardService({ withPages: true });
    empty = await createPeople(service);
    full = await createPeople(service);
    const seed = { projectId: full.projectId, rows: SEEDED, bodies: 0, end: new Date(), seed: 1 };
    await seedDatabase(service.store, seed);
    browser = await launchBrowser();
    context = await browser.newContext();
    page = await openPage(context);
    await become(empty, "owner");
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function become(people: People, role: "viewer" | "developer" | "owner"): Promise<void> {
    await signInAs(context, service.url, people.byRole[role]);
  }

  const open = (people: People, path: string) =>
    page.goto(`${service.url}/dashboard/projects/${people.projectId}/${path}`);
  const heading = (name: string | RegExp, level = 1) => page.getByRole("heading", { level, name });
  const answer = () => page.getByRole("region", { name: "Answer" });
  const send = () => page.getByRole("button", { name: "Send", exact: true }).click();
  const choose = async (format: string) => page.getByText(format, { exact: true }).first().click();

  it("tells how to begin where there is nothing", async () => {
    await open(empty, "feedback");
    await page.getByText("Send a call first").waitFor();
    await lookAt(page, "feedback-empty");
    await open(empty, "workloads");
    await page.getByText("No named calls in this period").waitFor();
    await lookAt(page, "workloads-empty");
    await open(empty, "playground");
    await page.getByText("Nothing sent yet").waitFor();
    await lookAt(page, "playground-empty");
  });

  it("streams an answer, and tells what it took", async () => {
    await page.getByLabel("System prompt").fill("You are brief.");
    await page.getByLabel("Message 1", { exact: true }).fill("Which city is this?");
    await page.getByLabel("Message 1", { exact: true }).press("Control+Enter");
    await answer().getByText("You said: Which city is this?").waitFor();
    await answer().getByText("sandbox", { exact: true }).waitFor();
    await answer().getByText("$0.0").first().waitFor();
    await lookAt(page, "playground-answer");
  });

  it("sends a verdict and a comment as feedback", async () => {
    await answer().getByRole("button", { name: "Not helpful" }).click();
    await answer().getByText("feedback sent").waitFor();
    await answer().getByLabel("Comment on the answer").fill("It names no city");
    await answer().getByRole("button", { name: "Send the comment" }).click();
    await answer().getByText("Your comment is sent too").waitFor();
  });

  it("goes on with the answer as a turn", async () => {
    await answer().getByRole("button", { name: "Continue with this answer" }).click();
    await page.getByLabel("Message 3", { exact: true }).fill("And now?");
    await send();
    await answer().getByText("You said: And now?").waitFor();
  });

  it("shows thinking, calls of tools, and the raw exchange, in the format Messages", async () => {
    await page.reload();
    await choose("Messages");
    await page.getByRole("button", { name: "Remove message 3" }).click();
    await page.getByRole("button", { name: "Remove message 2" }).click();
    await page.getByRole("button", { name: "Parameters, tools, output schema" }).click();
    await page.getByLabel("Reasoning effort").selectOption("high");
    await page.getByLabel("Tools", { exact: true }).fill("[{");
    await page.getByText("isn't JSON").waitFor();
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
    const parameters = { type: "object", properties: { city: { type: "string", default: "Rome" } } };
    await page
      .getByLabel("Tools", { exact: true })
      .fill(JSON.stringify([{ name: "get_weather", parameters }], undefined, 2));
    await send();
    await answer().getByText("get_weather").waitFor();
    await answer()
      .getByText(/^Thinking, /)
      .click();
    await answer().getByText("$0.0").first().waitFor();
    await lookAt(page, "playground-tools");
    await page.getByRole("tab", { name: "Request & response" }).click();
    await answer().getByText("POST /v1/messages").waitFor();
    await answer().getByText("event: message_start").waitFor();
    await lookAt(page, "playground-raw");
    await page.getByRole("tab", { name: "Code" }).click();
    await page.getByRole("tab", { name: "TypeScript" }).click();
    await answer().getByText('import Anthropic from "@anthropic-ai/sdk"').waitFor();
    await lookAt(page, "playground-code");
  });

  it("stops, and shows the errors of the format", async () => {
    await page.evaluate("sessionStorage.clear()");
    await open(empty, "playground");
    const draft = {
      // It would take minutes: there is always something left to stop.
      model: "attune/gpt-6-astra:sandbox-slow=5000",
      turns: [{ key: 0, role: "user", text: "Hello there" }],
    };
    await page.evaluate(
      `sessionStorage.setItem("attune-playground-${empty.projectId}", ${JSON.stringify(JSON.stringify(draft))})`,
    );
    await page.reload();
    await send();
    await answer().getByText("This").first().waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await answer().getByText("You stopped it").waitFor();
    await page.evaluate(
      `sessionStorage.setItem("attune-playground-${empty.projectId}", ${JSON.stringify(JSON.stringify({ ...draft, model: "attune/gpt-6-astra:sandbox-rate-limit" }))})`,
    );
    await page.reload();
    await send();
    await answer().getByRole("alert").getByText("Status 429").waitFor();
    await lookAt(page, "playground-error");
  });

  it("shows the key of the playground among the keys, and allows it again after it was revoked", async () => {
    await open(empty, "keys");
    await page.getByRole("cell", { name: /^Playground: / }).waitFor();
    await page.getByRole("button", { name: /^More actions for Playground: / }).click();
    const offered = page.getByRole("menuitem");
    await offered.first().waitFor();
    expect(await offered.allTextContents()).toEqual(["Limits", "Revoke"]);
    await offered.last().click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("is revoked").waitFor();
    await open(empty, "playground");
    await page.getByText("cannot call from here").waitFor();
    await lookAt(page, "playground-revoked");
    await page.getByRole("button", { name: /^Allow again: / }).click();
    await page.getByText("cannot call from here").waitFor({ state: "detached" });
  });

  it("leads from a note to its request", async () => {
    await open(empty, "feedback");
    await page.getByRole("tab", { name: "Notes" }).click();
    await page.getByRole("article").getByText("It names no city").waitFor();
    await page.getByRole("article").getByRole("link", { name: "Open the request" }).click();
    await page.getByText("Which city is this?").first().waitFor();
  });

  it("shows feedback over time, by metric, model and workload, entry by entry", async () => {
    await become(full, "viewer");
    await open(full, "feedback?range=1y");
    await page.getByRole("region", { name: "Volume" }).waitFor();
    await page.getByRole("cell", { name: "support" }).first().waitFor();
    await page.getByRole("radio", { name: "Show quality.score (number)" }).check();
    await heading("quality.score", 2).waitFor();
    await page.getByRole("region", { name: "Distribution" }).waitFor();
    await lookAt(page, "feedback-numbers");
    await page.getByRole("tab", { name: "Notes" }).click();
    await page.getByLabel("Search notes").fill("ANSWERED what");
    await page.getByText(/found in the latest \d+ notes/).waitFor();
    await lookAt(page, "feedback-notes");
  });

  it("shows workloads, and leads to the comparison of their models", async () => {
    await open(full, "workloads?range=1y");
    await page.getByRole("link", { name: "Compare the models of support" }).waitFor();
    await lookAt(page, "workloads");
    await page.getByRole("link", { name: "Compare the models of support" }).click();
    await heading("Models").waitFor();
  });

  it("lets a viewer look on", async () => {
    await open(full, "playground");
    await page.getByText("You are a viewer in this project").waitFor();
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
  });

  it("has met no fault on the way", () => {
    expect(page.complaints).toEqual([]);
  });
});

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { idAt, inferenceRow } from "../../support/rows.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { createPeople } from "../people.ts";
import { addAgentCalls, RUN, seedAgentRun } from "./agent-run.ts";
import { hasBrowser, launchBrowser, lookAt, openPage, signInAs } from "./browser.ts";

const MOST_NODES = 5000;

describe.skipIf(!hasBrowser)("the run of an agent with 600 calls", () => {
  let service: DashboardService;
  let browser: Browser;
  let page: Page & { complaints: string[] };
  let projectId: string;

  beforeAll(async () => {
    service = await startDashboardService({ withPages: true });
    const people = await createPeople(service);
    projectId = people.projectId;
    await seedAgentRun(service.store, projectId, Date.now() - 5 * 60_000);
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await signInAs(context, service.url, people.byRole.viewer);
    page = await openPage(context);
    await page.goto(`${service.url}/dashboard/projects/${projectId}/sessions/${encodeURIComponent(RUN)}`);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const player = () => page.getByRole("region", { name: "Play the run" });
  const place = () => player().getByTestId("played");
  const slider = () => player().getByRole("slider", { name: "Place in the run" });
  const pages = () => page.getByText(/^[\d,]+ to [\d,]+ of 605$/);
  const nodes = () => page.evaluate("document.querySelectorAll('*').length");
  /** Whether the step that is under way, or was the last, stands between the player and the end of the window. */
  const isInSight = async (number: number) => {
    const box = await page.locator(`[data-step="${number}"]`).boundingBox();
    const above = await player().boundingBox();
    return box !== null && above !== null && box.y >= above.y + above.height - 1 && box.y < 900;
  };

  it("begins with all steps to be read, and says how to play them", async () => {
    await page.getByText("I read the failing test first").first().waitFor();
    await place()
      .getByText(/^600 steps\. /)
      .waitFor();
    await lookAt(page, "session-run");
  });

  it("plays over pages, with the step in sight, and stands still at the end", async () => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await player().getByRole("button", { name: "Play" }).click();
    let most = 0;
    const seen = new Set<string>();
    await expect
      .poll(async () => {
        seen.add((await pages().textContent()) ?? "");
        most = Math.max(most, (await nodes()) as number);
        return await player().getByRole("button", { name: "Play" }).count();
      })
      .toBe(1);
    await place()
      .getByText(/^Step 600 of 600, 22 min|^Step 600 of 600, 21 min/)
      .waitFor();
    await player()
      .getByText(/^0 in progress, 6 failed, /)
      .waitFor();
    expect(seen.size).toBeGreaterThan(4);
    expect(most).toBeLessThan(MOST_NODES);
    await expect.poll(() => isInSight(600)).toBe(true);
    await lookAt(page, "session-end");
  });

  it("goes to where the slider is dragged, on the page of that time", async () => {
    const root = slider().locator("xpath=ancestor::*[contains(@class,'Slider-root')]");
    // A page that still scrolls after the step that played would have the mouse miss it.
    await root.scrollIntoViewIfNeeded();
    const box = await root.boundingBox();
    if (box === null) throw new Error("there is no slider");
    await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2, { steps: 5 });
    await page.mouse.move(box.x + box.width * 0.35, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => await slider().getAttribute("aria-valuetext")).toMatch(/^Step \d+ of 600, /);
    await player()
      .getByText(/ in progress, /)
      .waitFor();
    await expect.poll(() => page.locator('[data-played="over"]').count()).toBeGreaterThan(0);
    await expect.poll(() => page.locator('[data-played="to come"]').count()).toBeGreaterThan(0);
    await lookAt(page, "session-middle");
  });

  it("goes from step to step by arrows, and plays and pauses by the space bar", async () => {
    await page.locator("h1").click();
    await slider().press("Home");
    await slider().press("ArrowRight");
    await place()
      .getByText(/^Step 2 of 600, 3 s of /)
      .waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("ArrowLeft");
    await place()
      .getByText(/^Step 1 of 600, /)
      .waitFor();
    await page.keyboard.press("Space");
    await player().getByRole("button", { name: "Pause" }).waitFor();
    await page.keyboard.press("Space");
    await player().getByRole("button", { name: "Play" }).waitFor();
    await player()
      .getByRole("status")
      .getByText(/^Position: Step /)
      .waitFor({ state: "attached" });
  });

  it("follows a run that goes on: what ends is added, and plays", async () => {
    await slider().press("End");
    const startedAt = new Date();
    const facts = { sessionId: RUN, model: "claude-sonnet-5-5", latencyMs: 900, startedAt, projectId };
    await addAgentCalls(service.store, [inferenceRow({ ...facts, id: idAt(startedAt.toISOString(), 601) })]);
    await page
      .getByText("601 steps")
      .or(page.getByText(/^601 of|of 601/).first())
      .first()
      .waitFor({ timeout: 45_000 });
    await player().getByText("It may go on: a call is added when it has ended.").waitFor();
    await player().getByRole("button", { name: "Play" }).click();
    await place()
      .getByText(/^Step 601 of 601, /)
      .waitFor();
    await player().getByRole("button", { name: "Pause" }).waitFor();
  });

  it("has met no fault on the way", () => {
    expect(page.complaints).toEqual([]);
  });
});

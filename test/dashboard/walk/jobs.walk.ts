import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxProviders, startSandboxProviders } from "../../support/sandbox-providers.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { signedIn } from "../people.ts";
import { hasBrowser, launchBrowser, OUTPUT, openPage, signInAs } from "./browser.ts";
import { JobClock, type JobResult } from "./job-clock.ts";
import { type LargeProject, seedLargeProject } from "./large-project.ts";

/** Jobs that people come for, each from Overview on, in a project with a year of calls. */
describe.skipIf(!hasBrowser)("jobs", () => {
  let providers: SandboxProviders;
  let service: DashboardService;
  let browser: Browser;
  let page: Page & { complaints: string[] };
  let large: LargeProject;
  let emptyId: string;
  const results: JobResult[] = [];

  beforeAll(async () => {
    providers = await startSandboxProviders("{ mode: on, models: any }");
    service = await startDashboardService({ withPages: true, configText: providers.configText });
    const { userId, caller } = await signedIn(service);
    const create = async (name: string) => (await service.dashboard.projects.create(name, userId))?.id ?? "";
    emptyId = await create("A new project");
    large = await seedLargeProject(service.store, await create("A large project"));
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await signInAs(context, service.url, caller);
    page = await openPage(context);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await providers?.close();
  });

  const link = (name: string | RegExp) => page.getByRole("link", { name });
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const nav = (name: string) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name });
  const title = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });
  const dialog = () => page.getByRole("dialog");
  const row = (at: number) => page.locator("[data-request]").nth(at);

  const palette = () => page.getByRole("combobox", { name: "Page, setting, action, model, key, id or docs" });
  const openPalette = async (by: JobClock) => {
    await by.press("Control+k");
    // A person who types at once has the field once the dialog has it.
    await page.locator('[aria-label="Page, setting, action, model, key, id or docs"]:focus').waitFor();
  };

  /** Does a job from Overview on; it may take so many clicks, on so many pages. How long it takes is the machine's. */
  async function perform(job: string, most: { clicks: number; pages?: number }, work: (by: JobClock) => Promise<void>) {
    await page.waitForLoadState("networkidle");
    const clock = new JobClock(page);
    await work(clock);
    const result = clock.end(job);
    results.push(result);
    expect(result.clicks, job).toBeLessThanOrEqual(most.clicks);
    expect(result.pages, job).toBeLessThanOrEqual(most.pages ?? 9);
  }

  const start = async (projectId = large.projectId) => {
    await page.goto(`${service.url}/dashboard/projects/${projectId}/overview`);
    await title("Overview").waitFor();
  };

  it("makes the first key and the first call", async () => {
    await start(emptyId);
    await perform("First key and first call", { clicks: 6 }, async (by) => {
      await by.click(button("Create a key"));
      await by.type(dialog().getByLabel("Name"), "backend");
      await by.click(dialog().getByRole("button", { name: "Create the key" }));
      await by.click(dialog().getByRole("button", { name: "I have copied it" }));
      await by.click(link("Call from this browser"));
      await by.type(page.getByLabel("Message 1", { exact: true }), "Hello");
      await by.press("Control+Enter");
      await by.see(page.getByText("You said: Hello"));
    });
  });

  it("finds why calls fail", async () => {
    await start();
    await perform("Why do calls fail?", { clicks: 2, pages: 2 }, async (by) => {
      await by.click(nav("Errors"));
      const words = page.getByRole("table", { name: "Upstream messages" });
      await by.see(words.getByText(/is overloaded, try again later/));
      // The time of the latest of them leads to it.
      await by.click(words.getByRole("link", { name: / ago$|just now/ }).first());
      await by.see(page.getByText(/Failed: /));
    });
  });

  it("finds who spent", async () => {
    await start();
    await perform("Who spent how much?", { clicks: 3, pages: 1 }, async (by) => {
      await by.click(nav("Spend"));
      await by.see(page.getByRole("table", { name: "Spend by key" }).getByText("code review"));
      await by.click(page.getByRole("combobox", { name: "Ranking" }));
      await by.click(page.getByRole("option", { name: "By end user" }));
      await by.see(page.getByRole("table", { name: /^Spend by/ }).getByText("ada"));
    });
  });

  it("stops a spender", async () => {
    await start();
    await perform("Stop the key that spends the most", { clicks: 2, pages: 1 }, async (by) => {
      await by.click(nav("Spend"));
      await by.click(
        page
          .getByRole("table", { name: "Spend by key" })
          .getByRole("button", { name: /^Pause / })
          .last(),
      );
      await by.see(page.getByText(/is paused: calls with it are refused/));
    });
  });

  it("follows a run of an agent", async () => {
    await start();
    await perform("What did an agent do, and what did it cost?", { clicks: 2, pages: 1 }, async (by) => {
      await openPalette(by);
      await by.type(palette(), large.sessionId);
      await by.click(page.getByRole("option", { name: `Open the session ${large.sessionId}` }));
      await by.see(page.getByRole("list", { name: "Steps, in order" }).getByRole("listitem"));
      await by.see(page.getByText("Cost", { exact: true }));
    });
  });

  it("finds what someone said", async () => {
    await start();
    await perform("Find the request of a customer by its words", { clicks: 2, pages: 2 }, async (by) => {
      await openPalette(by);
      await by.type(palette(), "number 77");
      await by.click(page.getByRole("option", { name: /in History/ }));
      await by.see(page.locator("[data-request] mark"));
      await by.click(row(0));
      await by.see(page.getByRole("heading", { name: "Conversation" }));
    });
  });

  it("compares a request with another model", async () => {
    await start();
    await perform("Would another model answer better?", { clicks: 6, pages: 2 }, async (by) => {
      await by.click(nav("History"));
      await by.click(row(0));
      await by.click(button("Run again"));
      await by.click(page.getByRole("combobox", { name: "Model" }));
      await by.click(page.getByRole("option", { name: /haiku/i }).first());
      await by.click(page.getByRole("button", { name: "Run", exact: true }));
      await by.see(page.getByRole("article", { name: /^Run: / }).getByText("$0.0"));
    });
  });

  it("rates an answer", async () => {
    await start();
    await perform("Rate an answer", { clicks: 3, pages: 2 }, async (by) => {
      await by.click(nav("History"));
      await by.click(row(1));
      await by.click(page.getByRole("button", { name: "Helpful", exact: true }));
      await by.see(page.getByText("Thanks, feedback sent."));
    });
  });

  it("exports training data", async () => {
    await service.dashboard.datasets.create(large.projectId, "Training");
    await start();
    await perform("Rated answers as training data", { clicks: 11, pages: 3 }, async (by) => {
      await by.click(nav("History"));
      await by.type(page.getByRole("combobox", { name: "Workload" }), "eval");
      await by.click(page.getByRole("option", { name: "evaluation" }));
      await by.see(button("Remove").or(button("Clear all")));
      await by.click(button("Add to a dataset"));
      await by.click(dialog().getByRole("combobox", { name: "Dataset" }));
      await by.click(page.getByRole("option", { name: "Training" }));
      await by.click(dialog().getByRole("button", { name: "Add", exact: true }));
      await by.see(page.getByText(/requests are new in the dataset/));
      await by.press("Escape");
      await by.click(nav("Datasets"));
      await by.click(link("Training"));
      await by.click(button("Export"));
      const downloading = page.waitForEvent("download");
      await by.click(dialog().getByRole("link", { name: "Download" }));
      await downloading;
    });
  });

  it("limits a key", async () => {
    await start();
    await perform("Give one of 10,000 keys a budget", { clicks: 6, pages: 1 }, async (by) => {
      await by.click(nav("API keys"));
      await by.type(page.getByLabel("Search keys"), "nightly");
      await by.click(button("More actions for nightly batch"));
      await by.click(page.getByRole("menuitem", { name: "Limits" }));
      await by.type(dialog().getByLabel("USD a day"), "20");
      await by.click(dialog().getByRole("button", { name: "Save" }));
      await by.see(page.getByRole("cell", { name: "20 USD a day", exact: true }));
    });
  });

  it("stops the choice of models", async () => {
    await start();
    await perform("Stop other models from answering", { clicks: 3, pages: 2 }, async (by) => {
      await by.click(nav("Workloads"));
      await by.click(page.getByRole("table", { name: /Workloads/ }).getByRole("link", { name: large.model }));
      await by.click(button("Stop"));
      await by.see(page.getByText(/^Only the base model answers, until someone resumes it/));
    });
  });

  it("says what they took", () => {
    expect(results.length).toBe(11);
    mkdirSync(OUTPUT, { recursive: true });
    const lines = results.map(
      ({ job, clicks, keys, pages, waited, seconds }) =>
        `| ${job} | ${clicks} | ${keys} | ${pages} | ${waited} | ${seconds} |`,
    );
    const head = [
      "| job | clicks | keys | pages | waited, s | in all, s |",
      "| --- | ---: | ---: | ---: | ---: | ---: |",
    ];
    const table = [...head, ...lines].join("\n");
    writeFileSync(join(OUTPUT, "jobs.md"), `${table}\n`);
    process.stdout.write(`${table}\nLoad: ${loadavg()[0]?.toFixed(1)}\n`);
    expect(page.complaints).toEqual([]);
  });
});

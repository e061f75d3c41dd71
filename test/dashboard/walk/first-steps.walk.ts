import { readFileSync } from "node:fs";
import OpenAI from "openai";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { hasBrowser, launchBrowser, lookAt, openPage } from "./browser.ts";

const EMAIL = "owner@example.com";
const PASSWORD = "a few plain words";

describe.skipIf(!hasBrowser)("first steps in the dashboard", () => {
  let service: DashboardService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page & { complaints: string[] };
  let key: string;
  let invitation: string;

  beforeAll(async () => {
    service = await startDashboardService({ withPages: true });
    browser = await launchBrowser();
    context = await browser.newContext();
    page = await openPage(context);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });
  const dialog = () => page.getByRole("dialog");

  it("says where the first account comes from", async () => {
    await page.goto(`${service.url}/dashboard`);
    await heading("No account yet").waitFor();
    await lookAt(page, "no-owner");
  });

  it("makes the owner through the printed link, which leaves no trace in the address", async () => {
    await page.goto(await service.setupLink());
    await heading("Welcome to Attune").waitFor();
    expect(page.url()).toBe(`${service.url}/dashboard/setup`);
    await lookAt(page, "setup");
    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill("too short");
    await page.getByLabel("Password again").fill("other");
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByText("must have 12 characters or more").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Password again").fill(PASSWORD);
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
  });

  it("signs out, refuses a wrong password, and signs in where it was asked to go", async () => {
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading("Sign in").waitFor();
    await page.goto(`${service.url}/dashboard/account`);
    await heading("Sign in").waitFor();
    await page.getByLabel("Email address").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill("the wrong words");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("The e-mail address or the password is wrong").waitFor();
    await lookAt(page, "sign-in");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await heading("Account").waitFor();
    await page.getByText("this one").waitFor();
    await lookAt(page, "account");
  });

  it("makes a key, shown once with a first call", async () => {
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByText("No keys yet").waitFor();
    await lookAt(page, "keys-empty");
    await page.getByRole("button", { name: "Create a key" }).first().click();
    await dialog().getByLabel("Name").fill("production backend");
    await lookAt(page, "keys-create");
    await dialog().getByRole("button", { name: "Create the key" }).click();
    key = (await page.getByTestId("secret").textContent()) ?? "";
    expect(key).toMatch(/^att_[0-9a-z]{12}_[0-9A-Za-z]{43}$/);
    await dialog().getByRole("tab", { name: "TypeScript" }).click();
    await dialog().getByText(`new OpenAI({ baseURL: "${service.url}/v1", apiKey: "${key}" })`).waitFor();
    await lookAt(page, "keys-created");
    await dialog().getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("cell", { name: /^production backend/ }).waitFor();
    expect(await page.content()).not.toContain(key);
    await lookAt(page, "keys");
  });

  it("serves the official SDK with that key, until it is revoked", async () => {
    const openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: key, maxRetries: 0 });
    const ask = () =>
      openai.chat.completions.create({ model: "attune/gpt-6-astra", messages: [{ role: "user", content: "Hello" }] });
    expect((await ask()).choices[0]?.message.content).toContain("Hello");
    const act = async (what: string) => {
      // By keys, as those without a mouse do.
      await page.getByRole("button", { name: "More actions for production backend" }).press("Enter");
      await page.getByRole("menuitem", { name: what }).press("Enter");
    };
    await act("Rotate");
    await lookAt(page, "keys-rotate");
    await dialog().getByRole("button", { name: "Rotate the key" }).click();
    const rotated = (await page.getByTestId("secret").textContent()) ?? "";
    await dialog().getByRole("button", { name: "I have copied it" }).click();
    expect(rotated.split("_")[1]).toBe(key.split("_")[1]);
    // The old secret works for another day.
    expect((await ask()).choices[0]?.message.content).toContain("Hello");
    openai.apiKey = rotated;
    await act("Revoke");
    await dialog().getByText("This cannot be undone").waitFor();
    await lookAt(page, "keys-revoke");
    await dialog().getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("production backend is revoked").waitFor();
    const revokedAt = performance.now();
    let servedAt = revokedAt;
    const refusal = async () => {
      const begunAt = performance.now();
      return await ask().then(
        () => {
          servedAt = begunAt;
        },
        (error: unknown) => error,
      );
    };
    await expect.poll(refusal).toBeInstanceOf(OpenAI.AuthenticationError);
    // Until a call begins, not until it is answered: a busy machine takes its time for that.
    expect(servedAt - revokedAt).toBeLessThan(1000);
    await page.getByLabel("Show the one that is expired or revoked").check();
    await page.getByRole("cell", { name: /^production backend.*revoked/ }).waitFor();
  });

  it("tags a new key, finds it by its tag, and changes its tags, name and expiry", async () => {
    const tag = (name: string) => dialog().getByRole("textbox", { name, exact: true });
    await page.getByRole("button", { name: "Create a key" }).first().click();
    await dialog().getByLabel("Name").fill("tagged");
    await dialog().getByRole("button", { name: "Tags", exact: true }).click();
    await tag("Tag 1").fill("team");
    await dialog().getByRole("button", { name: "Create the key" }).click();
    await dialog().getByText("Tag 1 must have a value of 1 to 200 characters").waitFor();
    await lookAt(page, "keys-create-tags");
    await tag("Value of tag 1").fill("search");
    await dialog().getByRole("button", { name: "Create the key" }).click();
    await dialog().getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("cell", { name: "team=search", exact: true }).waitFor();
    await page.getByLabel("Search keys").fill("M=SEAR");
    await page.getByRole("cell", { name: /^production backend.*revoked/ }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Edit tagged" }).click();
    await dialog().getByRole("button", { name: "Add a tag" }).click();
    await tag("Tag 2").fill("team");
    await tag("Value of tag 2").fill("prod");
    await page.keyboard.press("Enter");
    await dialog().getByText("Tag 2 has the name of another tag").waitFor();
    await lookAt(page, "keys-edit");
    await tag("Tag 2").fill("env");
    await dialog().getByLabel("Name").fill("renamed");
    await dialog().getByLabel("Expires").fill("2020-01-31T10:00");
    await page.keyboard.press("Enter");
    await dialog().getByText("must be in the future: revoke the key to end it immediately", { exact: true }).waitFor();
    await dialog().getByLabel("Expires").fill("2099-01-31T10:00");
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "team=search, env=prod", exact: true }).waitFor();
    await page.getByRole("cell", { name: /^renamed/ }).waitFor();
    await page.getByRole("columnheader", { name: "Expires" }).waitFor();
    await page.getByRole("button", { name: "More actions for renamed" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).waitFor();
    await lookAt(page, "keys-menu");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit renamed" }).click();
    await dialog().getByRole("button", { name: "Never" }).click();
    await dialog().getByRole("button", { name: "Save" }).click();
    await page.getByRole("columnheader", { name: "Expires" }).waitFor({ state: "detached" });
    await lookAt(page, "keys-tagged");
    await page.getByLabel("Search keys").fill("");
    await page.getByRole("cell", { name: /^production backend.*revoked/ }).waitFor();
  });

  it("limits a new key, each end user, and one by name", async () => {
    await page.getByRole("button", { name: "Create a key" }).first().click();
    await dialog().getByLabel("Name").fill("limited");
    await dialog().getByRole("button", { name: "Limits" }).click();
    await dialog().getByLabel("Requests a minute").fill("60");
    await lookAt(page, "keys-create-limits");
    await dialog().getByRole("button", { name: "Create the key" }).click();
    await dialog().getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("cell", { name: "60 requests a minute", exact: true }).waitFor();
    await page.getByRole("button", { name: "More actions for limited" }).click();
    await page.getByRole("menuitem", { name: "Limits" }).click();
    await dialog().getByLabel("Requests a minute").fill("1.5");
    await dialog().getByText("Must be a whole number").waitFor();
    await dialog().getByLabel("Requests a minute").fill("");
    await dialog().getByLabel("USD a day").fill("1.5");
    await dialog().getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "1.5 USD a day", exact: true }).waitFor();
    await page.getByRole("link", { name: "Limits", exact: true }).click();
    await heading("Limits").waitFor();
    await page.getByRole("button", { name: "Edit the limits of Each end user" }).click();
    await dialog().getByLabel("Concurrent calls").fill("1");
    await dialog().getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "1 concurrent call", exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Limit an end user or a tag" }).click();
    await dialog().getByLabel("Id").fill("ada");
    await dialog().getByPlaceholder("1, by default").waitFor();
    await dialog().getByLabel("USD in total").fill("20");
    await lookAt(page, "limits-new");
    await dialog().getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "End user ada", exact: true }).waitFor();
    await page.getByRole("button", { name: "Limit an end user or a tag" }).click();
    await dialog().getByLabel("Id").fill("ada");
    await dialog().getByText("Already has limits").waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
  });

  it("exports and deletes the data of an end user", async () => {
    await page.getByRole("link", { name: "End users" }).click();
    await heading("End users").waitFor();
    await page.getByLabel("End user ID").fill("ada");
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export", exact: true }).click();
    expect(readFileSync(await (await downloading).path(), "utf8")).toContain('{"limits":');
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog()
      .getByText(/with their answers|No stored requests/)
      .waitFor();
    await lookAt(page, "end-users-delete");
    await dialog().getByRole("button", { name: "Delete the data" }).click();
    await page.getByRole("cell", { name: "Done" }).waitFor();
    await lookAt(page, "end-users");
  });

  it("shows who changed what, and exports it", async () => {
    await page.getByRole("link", { name: "Audit log" }).click();
    await heading("Audit log").waitFor();
    await page.getByRole("cell", { name: "API key revoked" }).waitFor();
    await page.getByRole("combobox", { name: "Area" }).click();
    await page.getByRole("option", { name: "Limits" }).click();
    await page.getByRole("cell", { name: "API key revoked" }).waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("cell", { name: "Limits changed" }).count()).toBe(3);
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    const lines = readFileSync(await (await downloading).path(), "utf8").split("\r\n");
    expect(lines.map((line) => line.split(",")[9])).toEqual([
      "action",
      "quotas.set",
      "quotas.set",
      "quotas.set",
      undefined,
    ]);
  });

  it("invites a member by a link", async () => {
    await page.getByRole("link", { name: "Members & projects" }).click();
    await page.getByRole("textbox", { name: "Email address" }).fill("viewer@example.com");
    await page.getByRole("button", { name: "Create a link" }).click();
    const link = page.getByText("/dashboard/invitation#token=");
    invitation = (await link.textContent()) ?? "";
    await page.getByRole("cell", { name: "viewer@example.com", exact: true }).waitFor();
    await lookAt(page, "members");
    const other = await openPage(await browser.newContext());
    await other.goto(invitation);
    await other.getByRole("heading", { name: "Join default" }).waitFor();
    await lookAt(other, "invitation");
    await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await other.getByLabel("Password again").fill(PASSWORD);
    await other.getByRole("button", { name: "Join" }).click();
    await other.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(other.complaints).toEqual([]);
    await other.context().close();
    const stale = await openPage(await browser.newContext());
    await stale.goto(invitation);
    await stale.getByRole("alert").getByText("This invitation is no longer valid").waitFor();
    await stale.context().close();
  });

  it("gives a member who forgot the password a link for a new one", async () => {
    await page.reload();
    await page.getByRole("button", { name: "Reset password of viewer@example.com" }).click();
    await dialog().getByText("Nothing changes until they use it").waitFor();
    await dialog().getByRole("button", { name: "Create a link" }).click();
    const link = (await dialog().getByText("/dashboard/reset#token=").textContent()) ?? "";
    await lookAt(page, "members-reset");
    await dialog().getByRole("button", { name: "I have copied it" }).click();
    const other = await openPage(await browser.newContext());
    await other.goto(link);
    await other.getByText("Choose a new password for viewer@example.com").waitFor();
    expect(other.url()).toBe(`${service.url}/dashboard/reset`);
    await lookAt(other, "reset");
    await other.getByLabel("New password", { exact: true }).fill("some other plain words");
    await other.getByLabel("New password again").fill("some other plain words");
    await other.getByRole("button", { name: "Change the password" }).click();
    await other.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(other.complaints).toEqual([]);
    const stale = await openPage(other.context());
    await stale.goto(link);
    await stale.getByRole("alert").getByText("This link is no longer valid").waitFor();
    expect(stale.complaints).toEqual([]);
    await other.context().close();
  });

  it("makes a second project and switches between them", async () => {
    await page.getByRole("button", { name: "Create a project" }).click();
    await dialog().getByLabel("Name").fill("staging");
    await dialog().getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Members of staging" }).waitFor();
    await page.getByRole("button", { name: "Project: staging" }).click();
    await page.getByRole("menuitem", { name: "default" }).click();
    await page.getByRole("heading", { name: "Members of default" }).waitFor();
  });

  it("tells of a failure whose dialog was closed before it came", async () => {
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/projects.create*", async (route) => {
      asked.resolve();
      await answered.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Create a project" }).click();
    // There is one of this name.
    await dialog().getByLabel("Name").fill("staging");
    await dialog().getByRole("button", { name: "Create" }).click();
    await asked.promise;
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "detached" });
    answered.resolve();
    await page.getByText("That did not work").waitFor();
    await page.unrouteAll({ behavior: "wait" });
  });

  it("deletes the second project, once its name is written, and restores it", async () => {
    await page.getByRole("link", { name: "staging" }).click();
    await page.getByRole("heading", { name: "Members of staging" }).waitFor();
    await page.getByRole("button", { name: "Delete the project" }).click();
    await dialog().getByLabel("Name of the project").fill("staging");
    await dialog().getByRole("button", { name: "Delete", exact: true }).click();
    await heading("Overview").waitFor();
    await page.getByRole("link", { name: "Members & projects" }).click();
    await page.getByRole("heading", { name: "Members of default" }).waitFor();
    const deleted = page.getByRole("table", { name: "Deleted projects" });
    await deleted.getByRole("row", { name: /staging.*Its data is deleted in 23 hours/ }).waitFor();
    await lookAt(page, "deleted-projects");
    await deleted.getByRole("button", { name: "Restore staging" }).click();
    await page.getByRole("table", { name: "Projects", exact: true }).getByText("staging").waitFor();
    await deleted.waitFor({ state: "detached" });
  });

  it("leads from the address of a page without a project to that of the project", async () => {
    await page.goto(`${service.url}/dashboard/workloads?range=7d`);
    await heading("Workloads").waitFor();
    expect(page.url()).toMatch(/\/dashboard\/projects\/[^/]+\/workloads\?range=7d$/);
  });

  it("is reachable with the keyboard, and says where nothing is", async () => {
    await page.goto(`${service.url}/dashboard/nowhere`);
    await heading("Nothing here").waitFor();
    await lookAt(page, "nowhere");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement?.id")).toBe("content");
  });

  it("opens and closes the navigation on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Navigation" }).click();
    await page.getByRole("link", { name: "API keys" }).waitFor();
    await lookAt(page, "navigation");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("link", { name: "API keys" }).click();
    await heading("API keys").waitFor();
  });

  it("signs out everywhere", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("link", { name: `Account of ${EMAIL}` }).click();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await dialog().getByRole("button", { name: "Sign out everywhere" }).click();
    await heading("Sign in").waitFor();
  });

  it("has met no fault on the way", () => {
    expect(page.complaints).toEqual([]);
  });
});

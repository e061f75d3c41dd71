import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { PATIENCE } from "../../support/patience.ts";
import type { Caller } from "../caller.ts";

const CHROMIUM = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

/** Whether there is a browser to walk with. */
export const hasBrowser = CHROMIUM !== undefined;

if (!hasBrowser) {
  process.stderr.write(
    "\n!!! The walk through the dashboard is SKIPPED: no chromium found (apt install chromium, or set CHROMIUM_PATH)\n\n",
  );
}

/** The folder of pictures and tables. */
export const OUTPUT = join(import.meta.dirname, "..", "..", "..", "test-output", "dashboard");

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Sizes of the screens that pages are looked at on. */
const SCREENS = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

/**
 * Resolves in a page once what was resized or recoloured is drawn, and transitions have ended. Those of a part that is
 * closed stand still.
 */
const UNTIL_STILL = `(async () => {
  const isEnding = ({ effect }) =>
    effect?.getComputedTiming().endTime !== Infinity && effect?.target?.checkVisibility() !== false;
  const running = () => document.getAnimations().filter((each) => each.playState === "running" && isEnding(each));
  do {
    await Promise.allSettled(running().map(({ finished }) => finished));
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
  } while (running().length > 0);
})()`;

/** Starts a browser. */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox"] });
}

/** Opens a page of its own, in which nothing may fail: a refused style, a missing file, an exception. */
export async function openPage(context: BrowserContext): Promise<Page & { complaints: string[] }> {
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] });
  page.setDefaultTimeout(PATIENCE.timeout);
  page.on("console", (message) => {
    // A refused request is an answer that the walk asks for; what else is an error is a fault of the page.
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) page.complaints.push(message.text());
  });
  page.on("pageerror", (error) => page.complaints.push(error.message));
  return page;
}

/** Makes the account of the installation's first owner, by the link of a first start. */
export async function makeFirstAccount(page: Page, setupLink: string): Promise<void> {
  await page.goto(setupLink);
  await page.getByLabel("Email address").fill("owner@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a few plain words");
  await page.getByLabel("Password again").fill("a few plain words");
  await page.getByRole("button", { name: "Create the account" }).click();
}

/** Gives a browser the session of somebody who is signed in at an address. */
export async function signInAs(context: BrowserContext, url: string, { cookie = "" }: Pick<Caller, "cookie">) {
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url }]);
}

/**
 * Takes a picture of what is shown, light and dark, on a desktop and on a phone, and has axe look for barriers in each.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  mkdirSync(OUTPUT, { recursive: true });
  for (const [screen, size] of Object.entries(SCREENS)) {
    await page.setViewportSize(size);
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.evaluate(UNTIL_STILL);
      await page.screenshot({ path: join(OUTPUT, `${name}-${screen}-${scheme}.png`), fullPage: screen === "phone" });
      // What a page does once it knows how wide it is, as having a wide table scroll by keys, comes a moment later.
      await expect.poll(() => findBarriers(page), { message: `${name} on a ${screen}, ${scheme}` }).toEqual([]);
    }
  }
  await page.setViewportSize(SCREENS.desktop);
  await page.emulateMedia({ colorScheme: "light" });
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Serious and critical findings of axe-core. */
async function findBarriers(page: Page): Promise<string[]> {
  // It is half a megabyte to read, and stays until the page is left.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const violations = (await page.evaluate(
    "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then(({ violations }) => violations)",
  )) as Violation[];
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`,
    );
}

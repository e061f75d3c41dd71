import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { KINDS } from "./site/.vitepress/pages.ts";
import type { Outcome } from "./step.ts";

const SITE = join(import.meta.dirname, "..", "..", "dist", "site");
const CHROMIUM = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const ORIGIN = "http://attune.example";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Pages that are looked at at the same time. */
const TABS = 2;

const SCREENS = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const RULES = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']";
const FIND = `axe.run({ runOnly: ${RULES}, resultTypes: ['violations'] }).then(({ violations }) => violations.map(
  ({ id, impact, nodes }) => ({ id, impact, html: nodes.map(({ html }) => html.slice(0, 160)) })))`;
const TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly html: readonly string[];
}

interface SiteOptions {
  /** Pages to look at; all if absent. */
  readonly addresses?: readonly string[];
  readonly report?: (line: string) => void;
}

/**
 * Looks at each page of the built site, light and dark, on a desktop and on a phone: what axe finds, what is wider than
 * the screen, what asks another host. Looks for the plain pages and the search too.
 */
export async function checkSite({ addresses = addressesOfSite(), report }: SiteOptions = {}): Promise<Outcome> {
  const plain = findMissingPlainPages();
  if (!existsSync(CHROMIUM)) return { looked: "no page: there is no chromium", findings: plain };
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const findings = [...plain, ...(await trySearch(browser))];
    const queue = [...addresses];
    const look = async (): Promise<void> => {
      const page = await openTab(browser, findings);
      for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
        await page.goto(`${ORIGIN}${address}`);
        await page.evaluate(AXE);
        const found = await lookAt(page, address);
        findings.push(...found);
        const at = `[${addresses.length - queue.length}/${addresses.length}]`;
        report?.(`${at} ${address}: ${found.length === 0 ? "no finding" : `${found.length} findings`}`);
      }
    };
    await Promise.all(Array.from({ length: TABS }, look));
    return { looked: `${addresses.length} pages in 4 modes, search, llms.txt`, findings };
  } finally {
    await browser.close();
  }
}

/** All pages that were built, decisions among them. */
function addressesOfSite(): string[] {
  const files = readdirSync(SITE, { recursive: true, encoding: "utf8" });
  const pages = files.filter((file) => file.endsWith(".html") && file !== "404.html");
  return pages.map((file) => `/${file.replace(/\.html$/, "").replace(/(^|\/)index$/, "$1")}`).sort();
}

/** Names pages that agents cannot read: those without plain Markdown, or without a line in llms.txt. */
function findMissingPlainPages(): string[] {
  const list = readFileSync(join(SITE, "llms.txt"), "utf8");
  return KINDS.flatMap(([, pages]) => pages).flatMap((page) => [
    ...(existsSync(join(SITE, `${page}.md`)) ? [] : [`/${page}.md is missing`]),
    ...(list.includes(`](/${page}.md)`) ? [] : [`llms.txt does not have /${page}.md`]),
  ]);
}

/** Searches as a reader does, with the browser offline but for the site. */
async function trySearch(browser: Browser): Promise<string[]> {
  const findings: string[] = [];
  const page = await openTab(browser, findings);
  await page.goto(`${ORIGIN}/`);
  await page.getByRole("button", { name: "Search" }).first().click();
  await page.locator("input.search-input").fill("backup");
  const result = page.locator("a.result", { hasText: "Backups" }).first();
  await result.waitFor({ timeout: 60_000 }).catch(() => findings.push("search does not find 'backup'"));
  await page.context().close();
  return findings;
}

async function openTab(browser: Browser, findings: string[]): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await serveSite(context, findings);
  const page = await context.newPage();
  page.on("pageerror", (error) => findings.push(`${page.url()}: ${error.message}`));
  return page;
}

/** Answers the browser from the folder, without a server; other hosts are not reached, and are findings. */
async function serveSite(context: BrowserContext, findings: string[]): Promise<void> {
  await context.route("**", async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    if (origin !== ORIGIN) {
      findings.push(`the site asks ${origin}`);
      return await route.abort();
    }
    const path = decodeURIComponent(pathname);
    const file = [path, `${path}.html`, join(path, "index.html")].find(
      (name) => /\.\w+$/.test(name) && existsSync(join(SITE, name)),
    );
    await (file === undefined ? route.fulfill({ status: 404 }) : route.fulfill({ path: join(SITE, file) }));
  });
}

async function lookAt(page: Page, address: string): Promise<string[]> {
  const findings: string[] = [];
  for (const [screen, size] of Object.entries(SCREENS)) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction(
        `document.documentElement.classList.contains('dark') === ${String(colorScheme === "dark")}`,
      );
      const at = `${address}, ${screen}, ${colorScheme}`;
      const violations = (await page.evaluate(FIND)) as Violation[];
      findings.push(...violations.map(({ id, impact, html }) => `${at}: ${id} (${impact}): ${html.join(" | ")}`));
      if ((await page.evaluate(TOO_WIDE)) === true) findings.push(`${at}: the page is wider than the screen`);
    }
  }
  return findings;
}

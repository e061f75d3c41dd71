import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { addressOf, KINDS } from "./site/.vitepress/pages.ts";

const SITE = join(import.meta.dirname, "..", "..", "dist", "site");
const CHROMIUM = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const ORIGIN = "http://attune.example";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const SCREENS = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const RULES = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']";
const FIND = `axe.run({ runOnly: ${RULES}, resultTypes: ['violations'] }).then(({ violations }) => violations.map(
  ({ id, impact, nodes }) => ({ id, impact, html: nodes.map(({ html }) => html.slice(0, 160)) })))`;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly html: readonly string[];
}

const ADDRESSES = ["/", ...KINDS.flatMap(([, pages]) => pages.map(addressOf))];

/** Looks at each page of the built site, light and dark, on a desktop and on a phone, and lists what axe finds. */
export async function checkSite(addresses: readonly string[] = ADDRESSES): Promise<string[]> {
  if (!existsSync(CHROMIUM)) {
    console.log("left out: no chromium to look at the site with");
    return [];
  }
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await serveSite(context);
  const page = await context.newPage();
  const findings: string[] = [];
  page.on("pageerror", (error) => findings.push(`${page.url()}: ${error.message}`));
  for (const address of addresses) {
    await page.goto(`${ORIGIN}${address}`);
    await page.evaluate(AXE);
    findings.push(...(await lookAt(page, address)));
  }
  await browser.close();
  return findings;
}

/** Answers the browser from the folder, without a server. */
async function serveSite(context: BrowserContext): Promise<void> {
  await context.route(`${ORIGIN}/**`, async (route) => {
    const path = decodeURIComponent(new URL(route.request().url()).pathname);
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
      const violations = (await page.evaluate(FIND)) as Violation[];
      findings.push(
        ...violations.map(
          ({ id, impact, html }) => `${address}, ${screen}, ${colorScheme}: ${id} (${impact}): ${html.join(" | ")}`,
        ),
      );
    }
  }
  console.log(`${address}: ${findings.length === 0 ? "axe finds nothing" : `axe has ${findings.length} findings`}`);
  return findings;
}

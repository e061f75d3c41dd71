/**
 * `npm run docs:pictures` takes the pictures of docs/pictures anew, from the running product: scripted models, made-up
 * customers, a browser. It needs chromium, and takes about two minutes. The same questions are asked each time; times
 * and dates differ.
 */
import { type Browser, chromium } from "playwright-core";
import { SeededRandom } from "../../src/learning/bandit/seeded-random.ts";
import { startDashboardService } from "../../test/dashboard/harness.ts";
import { demoConfig } from "../demo/attune-process.ts";
import { startScriptedModels } from "../demo/scripted-models.ts";
import { pictureDashboard } from "./pictures/dashboard.ts";
import { recordDemo } from "./pictures/record-demo.ts";
import { seedCompany } from "./pictures/seed-company.ts";
import { takeTour } from "./pictures/tour.ts";

const CHROMIUM = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
/** The address that the pictures show, whatever port the service has. */
const SHOWN = "localhost:8080";

// The demonstration writes bold text although its output is no terminal.
process.env["FORCE_COLOR"] = "1";
const random = new SeededRandom(1);
const models = await startScriptedModels(random);
const service = await startDashboardService({ withPages: true, configText: demoConfig(models.url) });
const browser = await openBrowser(new URL(service.url).host);
try {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1.25,
    timezoneId: "Europe/Zurich",
    locale: "en-GB",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const link = (await service.setupLink()).replace(service.url, `http://${SHOWN}`);
  const shop = await takeTour(page, { link, address: `http://${SHOWN}`, service });
  await recordDemo({ service, models, random, ...shop });
  const company = await seedCompany(service);
  await pictureDashboard(page, { address: `http://${SHOWN}/dashboard`, shop: shop.projectId, company });
} finally {
  await browser.close();
  await service.close();
  await models.close();
}

async function openBrowser(host: string): Promise<Browser> {
  return await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", `--host-resolver-rules=MAP ${SHOWN} ${host}`],
  });
}

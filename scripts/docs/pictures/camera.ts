import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";

/** The folder of all pictures of the documentation. */
export const PICTURES = join(import.meta.dirname, "..", "..", "..", "docs", "pictures");

const QUALITY = 72;

interface Shot {
  /** The part that is taken; the window if absent. */
  readonly of?: Locator;
  /** Brings the page into the state of the picture, before each colour scheme. */
  readonly prepare?: () => Promise<void>;
}

/** Takes NAME-light.webp and NAME-dark.webp. */
export async function takePictures(page: Page, name: string, { of, prepare }: Shot = {}): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const session = await page.context().newCDPSession(page);
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await prepare?.();
    await settle(page);
    const box = await of?.boundingBox();
    const clip = box === undefined || box === null ? undefined : { ...box, scale: 1 };
    const { data } = await session.send("Page.captureScreenshot", {
      format: "webp",
      quality: QUALITY,
      ...(clip === undefined ? {} : { clip }),
    });
    writeFileSync(join(PICTURES, `${name}-${scheme}.webp`), Buffer.from(data, "base64"));
  }
  await session.detach();
}

/** Gives charts and dialogs the time that they take to appear: some animations never end. */
async function settle(page: Page): Promise<void> {
  await page.evaluate("document.fonts.ready");
  await page.locator(".mantine-Skeleton-root").first().waitFor({ state: "detached" });
  await page.waitForTimeout(700);
}

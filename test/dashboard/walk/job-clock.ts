import type { Locator, Page } from "playwright-core";

/** Seconds that a person takes for a step, by the keystroke-level model of Card, Moran and Newell. */
const THINK_S = 1.35;
const POINT_S = 1.1;
const CLICK_S = 0.2;
const KEY_S = 0.2;

/** What a job took. */
export interface JobResult {
  readonly job: string;
  readonly clicks: number;
  readonly keys: number;
  /** Pages that were opened from the first one on, without it. */
  readonly pages: number;
  /** Seconds that the browser and the service took. */
  readonly waited: number;
  /** These, and what a person who knows the dashboard takes to think, point, click and type. */
  readonly seconds: number;
}

/** Does a job as a person would, and counts clicks, keys, pages and time. */
export class JobClock {
  readonly #page: Page;
  readonly #startedMs = performance.now();
  readonly #start: string;
  readonly #opened = new Set<string>();
  #clicks = 0;
  #keys = 0;

  constructor(page: Page) {
    this.#page = page;
    this.#start = this.#address();
  }

  async click(target: Locator): Promise<void> {
    this.#note();
    await target.click();
    this.#clicks += 1;
  }

  /** Types into a field, which takes a click to reach it unless it has the focus already. */
  async type(target: Locator, text: string): Promise<void> {
    if ((await this.#page.locator("*:focus").and(target).count()) === 0) await this.click(target);
    await target.fill(text);
    this.#keys += text.length;
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key);
    this.#keys += 1;
  }

  /** Waits for something to be seen. */
  async see(target: Locator): Promise<void> {
    await target.first().waitFor();
    this.#note();
  }

  #address(): string {
    return new URL(this.#page.url()).pathname;
  }

  /** Notes the page that is open. */
  #note(): void {
    const address = this.#address();
    if (address !== this.#start) this.#opened.add(address);
  }

  end(job: string): JobResult {
    this.#note();
    const waited = (performance.now() - this.#startedMs) / 1000;
    const byHand = this.#clicks * (THINK_S + POINT_S + CLICK_S) + this.#keys * KEY_S;
    const counts = { clicks: this.#clicks, keys: this.#keys, pages: this.#opened.size };
    return { job, ...counts, waited: rounded(waited), seconds: rounded(waited + byHand) };
  }
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}

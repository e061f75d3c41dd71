import { setImmediate as turn } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { CheckThread } from "../../src/inference/checks/check-thread.ts";

/**
 * One project's patterns that never end kept the thread, so that another project's broken answers went out unchecked.
 */
const thread = new CheckThread(() => {});
afterAll(() => thread.close());

const SENDERS = 20;
const BROKEN = { text: '{"n":"1"}', schemaJson: '{"properties":{"n":{"type":"integer"}}}', root: "any" as const };

/** Each schema is another one, so that none is known to be slow. */
let sent = 0;
async function flood(isOver: () => boolean): Promise<void> {
  const text = JSON.stringify(`${"a".repeat(40)}!`);
  // Those that are turned away at once must leave the event loop to others.
  for (; !isOver(); await turn()) {
    const schemaJson = JSON.stringify({ pattern: "^(a+)+$", title: String(sent++) });
    await thread.judge([{ text, schemaJson, root: "any" }], { projectId: "flooding" });
  }
}

async function judgeBrokenInFlood(): Promise<unknown[]> {
  let isOver = false;
  for (let index = 0; index < SENDERS; index++) void flood(() => isOver);
  const judged: unknown[] = [];
  for (let index = 0; index < 15; index++) judged.push((await thread.judge([BROKEN], { projectId: "other" }))[0]);
  isOver = true;
  return judged;
}

it("leaves another project's broken answers judged", async () => {
  // On a busy machine the time may have been others'; where one project waits for the other, no round ends well.
  const allJudged = Array.from({ length: 15 }, () => "mismatch");
  await expect.poll(judgeBrokenInFlood, { timeout: 60_000 }).toEqual(allJudged);
}, 120_000);

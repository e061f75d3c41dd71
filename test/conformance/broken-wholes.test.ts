/** What becomes of a request for a whole answer whose upstream gives none. Texts are written by hand, as in the topics. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/types/store.ts";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { FAILURE, IDLE_MS } from "./faults.ts";
import { type Harness, startHarness } from "./harness.ts";
import { INBOUND, UPSTREAM_KINDS } from "./topic.ts";
import { text } from "./topics/text.ts";
import { SMALL_LIMITS, WHOLE_FAULTS } from "./whole-faults.ts";

/** Services whose models are served at one place, and at two. */
let alone: Harness;
let backed: Harness;

beforeAll(async () => {
  const members = `, timeouts: { idleMs: ${IDLE_MS} }${SMALL_LIMITS}`;
  [alone, backed] = await Promise.all([startHarness(members), startHarness(members, 2)]);
});

afterAll(() => Promise.all([alone.close(), backed.close()]));

async function newestRow(store: Store) {
  const [row] = await store.query().selectFrom("Inference").selectAll().orderBy("id", "desc").limit(1).execute();
  return row;
}

/** An answer that failed has no id: its record is the next one. */
async function nextRow(store: Store, before: string | undefined) {
  for (let tries = 0; tries < 500; tries++) {
    const row = await newestRow(store);
    if (row !== undefined && row.id !== before) return row;
    await sleep(20);
  }
  throw new Error("nothing was recorded within ten seconds");
}

const cases = WHOLE_FAULTS.flatMap((fault) =>
  INBOUND.flatMap((inbound) => UPSTREAM_KINDS.map((kind) => ({ fault, name: fault.name, inbound, kind }))),
);

describe("an upstream that was asked for a whole answer", () => {
  it.each(cases)("$name: $inbound from $kind", async ({ fault, inbound, kind }) => {
    const before = await newestRow(alone.store);
    const words = fault.words(kind);
    const { status, body } = await alone.ask({ inbound, kind, request: text.requests[inbound] }, fault.answer(kind));
    expect({ status, body }).toEqual({ status: words.status, body: FAILURE[inbound](words) });
    expect(await nextRow(alone.store, before?.id)).toMatchObject({
      status: "failed",
      upstream: kind,
      errorReason: words.reason,
      errorMessage: words.message,
      finishReason: null,
    });
  });

  it.each(cases)("$name, and another one answers: $inbound from $kind", async ({ fault, inbound, kind }) => {
    const route = text.routes[inbound][kind];
    if ("refused" in route) throw new Error("every route serves a text");
    const good = wholeAnswer(text.upstreamAnswers[kind].whole);
    const request = text.requests[inbound];
    const { status, body, optimizations } = await backed.ask({ inbound, kind, request }, fault.answer(kind), good);
    expect({ status, body, optimizations }).toEqual({ status: 200, body: route.answer, optimizations: "failover" });
  });
});

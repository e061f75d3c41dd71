/**
 * What becomes of a request for a whole answer whose upstream gives none. Texts are written by hand, as in the topics.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/types/store.ts";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { waitUntil } from "../support/wait.ts";
import { FAILURE, IDLE_MS, STALLED } from "./faults.ts";
import { type Harness, startHarness } from "./harness.ts";
import { INBOUND, UPSTREAM_KINDS } from "./topic.ts";
import { text } from "./topics/text.ts";
import { SMALL_LIMITS, WHOLE_FAULTS } from "./whole-faults.ts";

/** Services whose models are served at one place, and at two. */
interface Harnesses {
  readonly alone: Harness;
  readonly backed: Harness;
}
let patient: Harnesses;
/** For answers that stall: no others are to be held to a short time. */
let hasty: Harnesses;

beforeAll(async () => {
  const start = async (members: string): Promise<Harnesses> => {
    const [alone, backed] = await Promise.all([startHarness(members), startHarness(members, 2)]);
    return { alone, backed };
  };
  patient = await start(SMALL_LIMITS);
  hasty = await start(`, timeouts: { idleMs: ${IDLE_MS} }${SMALL_LIMITS}`);
});

afterAll(() => Promise.all([patient, hasty].flatMap(({ alone, backed }) => [alone.close(), backed.close()])));

/** Reads all rows, the oldest first, once there are as many as there should be. */
async function readRows(store: Store, count: number) {
  return await waitUntil(async () => {
    const rows = await store.query().selectFrom("Inference").selectAll().orderBy("id").execute();
    return rows.length >= count && rows;
  });
}

const cases = WHOLE_FAULTS.flatMap((fault) =>
  INBOUND.flatMap((inbound) => UPSTREAM_KINDS.map((kind) => ({ fault, name: fault.name, inbound, kind }))),
);

describe("an upstream that was asked for a whole answer", () => {
  /** What each case has to leave behind: an answer that failed has no id, but they come one after another. */
  const recorded: { readonly stalled: object[]; readonly other: object[] } = { stalled: [], other: [] };

  it.each(cases)("$name: $inbound from $kind", async ({ fault, inbound, kind }) => {
    const words = fault.words(kind);
    const facts = { errorReason: words.reason, errorMessage: words.message, finishReason: null };
    recorded[words === STALLED[kind] ? "stalled" : "other"].push({ status: "failed", upstream: kind, ...facts });
    const { alone } = words === STALLED[kind] ? hasty : patient;
    const { status, body } = await alone.ask({ inbound, kind, request: text.requests[inbound] }, fault.answer(kind));
    expect({ status, body }).toEqual({ status: words.status, body: FAILURE[inbound](words) });
  });

  it("is recorded, each time with what failed", async () => {
    const { stalled, other } = recorded;
    expect(stalled.length + other.length).toBe(cases.length);
    expect(await readRows(hasty.alone.store, stalled.length)).toMatchObject(stalled);
    expect(await readRows(patient.alone.store, other.length)).toMatchObject(other);
  });

  it.each(cases)("$name, and another one answers: $inbound from $kind", async ({ fault, inbound, kind }) => {
    const route = text.routes[inbound][kind];
    if ("refused" in route) throw new Error("every route serves a text");
    const { backed } = fault.words(kind) === STALLED[kind] ? hasty : patient;
    const good = wholeAnswer(text.upstreamAnswers[kind].whole);
    const request = text.requests[inbound];
    const { status, body, optimizations } = await backed.ask({ inbound, kind, request }, fault.answer(kind), good);
    expect({ status, body, optimizations }).toEqual({ status: 200, body: route.answer, optimizations: "failover" });
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "../../../src/lib/hash.ts";
import { type Harness, type Outcome, startHarness } from "../harness.ts";
import { unlike } from "../plain-frames.ts";
import { recordOf } from "../record-of.ts";
import { cutAnywhere, cutBetween, type DrawnCase, drawCase, writeNumbers } from "./draw-case.ts";
import { canonical, canonicalFrames, respell } from "./spell-json.ts";

/**
 * Cases of one run, and what they are drawn from. `FUZZ_SEED=7 FUZZ_CASES=100000` draws others, and more; what fails
 * says its number, and `FUZZ_FROM=N FUZZ_CASES=1` runs that one alone.
 */
const { FUZZ_SEED: seed = "1", FUZZ_CASES: cases = "10000", FUZZ_FROM: from = "0" } = process.env;
const LIMIT_MS = 1_800_000;
/** Differences that are shown: one defect makes hundreds. */
const MOST_SHOWN = 8;
/** Characters that are shown before and behind the first one that differs. */
const SHOWN_BEFORE = 80;
const SHOWN_BEHIND = 120;

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});

afterAll(async () => {
  await harness.close();
});

/** The same prompt again may be served otherwise: a long one is marked for the provider's cache the second time. */
const PLAIN_SERVICE = { "attune-optimize": "off" };

type Way = "quick" | "plain";

/**
 * Asks in one of two ways. The quick one is how most clients and upstreams write: no blanks, nothing escaped that need
 * not be, whole events. In the plain one the same is written otherwise, and cut anywhere: no event is like the one
 * before.
 */
async function ask({ inbound, kind, request, streamed, whole }: DrawnCase, way: Way, random: () => number) {
  const isQuick = way === "quick";
  const json = isQuick ? whole : respell(whole, random);
  return await harness.ask(
    {
      inbound,
      kind,
      request,
      headers: PLAIN_SERVICE,
      spell: (text) => (isQuick ? writeNumbers(text) : respell(writeNumbers(text), random)),
    },
    {
      streamed: { steps: isQuick ? cutBetween(streamed, random) : cutAnywhere(unlike(streamed), random) },
      whole: { headers: { "content-type": "application/json" }, steps: isQuick ? [json] : cutAnywhere(json, random) },
    },
  );
}

/** What both ways have to have in common. */
function saidBy({ headers: _ofTheirOwn, id: _own, ...said }: Outcome): object {
  const { upstreamReceives: received } = said;
  const body = said.body.startsWith("{") ? canonical(said.body) : canonicalFrames(said.body);
  return { ...said, body, upstreamReceives: received === undefined ? undefined : canonical(received) };
}

describe("requests and answers that are drawn", () => {
  it(
    "are served and recorded alike, however they are written",
    async () => {
      const differing: object[] = [];
      const count = { answered: 0, refused: 0 };
      const twice: { readonly name: string; readonly ids: readonly [string, string] }[] = [];
      for (let at = Number(from); at < Number(from) + Number(cases); at++) {
        const random = createRandom(`${seed}/${at}`);
        const drawn = drawCase(random);
        const name = `${at}: ${drawn.name}`;
        const quick = await ask(drawn, "quick", random);
        const plain = await ask(drawn, "plain", random);
        count[quick.status === 200 ? "answered" : "refused"] += 1;
        const difference = differenceOf(saidBy(quick), saidBy(plain));
        if (difference !== undefined) differing.push({ name, ...difference });
        const ids = [quick.id, plain.id] as const;
        if (ids[0] !== undefined && ids[1] !== undefined) twice.push({ name, ids: [ids[0], ids[1]] });
      }
      for (const { name, ids } of twice) {
        const [one, other] = await Promise.all(ids.map((id) => recordOf(harness.store, id, canonical)));
        const difference = differenceOf(one, other);
        if (difference !== undefined) differing.push({ name, ...difference });
      }
      expect(differing.slice(0, MOST_SHOWN)).toEqual([]);
      // A run in which everything is refused says nothing.
      expect(count.answered).toBeGreaterThan(Number(cases) / 2);
      expect(twice.length).toBeGreaterThan(Number(cases) / 2);
    },
    LIMIT_MS,
  );
});

/**
 * Returns what is not the same of both, with a little of what stands before and behind; undefined where they are the
 * same.
 */
function differenceOf(quick: unknown, plain: unknown): object | undefined {
  const [one, other] = [JSON.stringify(quick), JSON.stringify(plain)];
  if (one === other) return undefined;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const near = (text: string) => text.slice(Math.max(0, at - SHOWN_BEFORE), at + SHOWN_BEHIND);
  return { quick: near(one), plain: near(other) };
}

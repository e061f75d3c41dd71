import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MODES, MOVING, PLACES, STAYING } from "../support/place-failures.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { nameOf, startThreePlaces, type ThreePlaces } from "../support/three-places.ts";
import { TEXT } from "../support/upstream-frames.ts";

let places: ThreePlaces;
beforeAll(async () => {
  places = await startThreePlaces();
});
afterAll(() => places.close());

/** What the prompt costs of which no upstream has told the tokens, by their estimate. */
const PROMPT_NANOS = 3000;

describe("a place that fails", () => {
  const cases = Object.entries(MOVING).flatMap(([failure, facts]) =>
    [1, 2, 3].flatMap((failing) => MODES.map((mode) => ({ failure, failing, mode, ...facts }))),
  );

  /** What is to be read of each case: at the end, so that no case waits for its own. */
  const recorded: [id: string, row: object, attempts: unknown[][]][] = [];

  it.each(cases)("$failure, at $failing of three, $mode", async ({ failure, failing, mode, reason, told }) => {
    const seen = await places.ask(nameOf(failure, failing, mode), mode);
    const failed = PLACES.slice(0, failing);
    const serving = PLACES[failing];

    expect(seen.asked).toEqual(
      reason === "upstream_unreachable" ? PLACES.slice(failing, failing + 1) : PLACES.slice(0, failing + 1),
    );
    expect(seen.logged).toEqual(failed.map((place, index) => [place, roleOf(index), "failed", reason]));
    expect(seen.counted).toEqual({
      ...Object.fromEntries(failed.map((place) => [`${place} failed`, 1])),
      ...(serving !== undefined && { [`${serving} completed`]: 1 }),
    });
    const attempts: unknown[][] = failed.map((place, index) => [...[place, roleOf(index), "failed", false], reason]);
    if (serving === undefined) {
      expect(seen.answer).toEqual({ status: told[0], code: told[1] });
      recorded.push([seen.id, { status: "failed" }, attempts]);
      return;
    }
    expect(seen.answer).toEqual({ status: 200, text: TEXT, servedBy: serving });
    // 20 uncached at 3,000 nano-USD, 90 read at 300, 10 written at 3,750, 15 answered at 15,000.
    const baseCostNanos = 349_500;
    // A place that was asked and has not answered costs the prompt, at the least.
    const hasNoAnswer = reason === "stream_interrupted" || reason === "upstream_timeout";
    const isCounted = (nanos: number) => nanos >= baseCostNanos + failing * PROMPT_NANOS;
    const costs = { costNanos: hasNoAnswer ? expect.toSatisfy(isCounted) : baseCostNanos, baseCostNanos };
    attempts.push([serving, roleOf(failing), "completed", true, null]);
    recorded.push([seen.id, { status: "completed", upstream: serving, ...costs }, attempts]);
  });

  it("is recorded, with who served and who was asked before", async () => {
    const { store } = places.service;
    expect(recorded).toHaveLength(cases.length);
    for (const [id, row, attempts] of recorded) {
      expect((await readWhenWritten(store, id)).row).toMatchObject(row);
      const rows = store.query().selectFrom("InferenceAttempt").selectAll().where("id", "=", id).orderBy("position");
      expect(
        (await rows.execute()).map((attempt) => [
          ...[attempt.upstream.split("-")[0], attempt.role, attempt.outcome, attempt.isWinner],
          attempt.errorReason,
        ]),
      ).toEqual(attempts);
    }
  });
});

describe("what is wrong wherever it is served", () => {
  it.each(Object.entries(STAYING).flatMap(([failure, facts]) => MODES.map((mode) => ({ failure, mode, ...facts }))))(
    "$failure, $mode: no other place is asked",
    async ({ failure, mode, reason, told }) => {
      const seen = await places.ask(nameOf(failure, 1, mode), mode);
      expect(seen.asked).toEqual(["one"]);
      expect(seen.answer).toEqual({ status: told[0], code: told[1] });
      expect(seen.logged).toEqual([["one", "primary", "failed", reason]]);
      expect(seen.counted).toEqual({ "one failed": 1 });
    },
  );
});

describe("places that differ", () => {
  const prompt = { input: "x" };

  it("skips those whose format cannot carry the request, and asks the one that can", async () => {
    // A tool that the provider runs exists at the second place only, and the caller demands its call.
    const body = { ...prompt, tools: [{ type: "web_search" }], tool_choice: "required" };
    const seen = await places.ask("differing", "whole", "responses", body);
    expect(seen.asked).toEqual(["two"]);
    expect(seen.answer).toMatchObject({ status: 200, servedBy: "two" });
    expect(seen.logged).toEqual([["one", "primary", "refused", "invalid_request"]]);
    expect(seen.counted).toEqual({ "one refused": 1, "two completed": 1 });
  });

  it("asks nobody for what no place can carry", async () => {
    const body = { ...prompt, tools: [{ type: "web_search" }], tool_choice: "required" };
    const seen = await places.ask("differing-little", "whole", "responses", body);
    expect(seen.asked).toEqual([]);
    expect(seen.answer).toMatchObject({ status: 400 });
    expect(seen.counted).toEqual({ "one refused": 1 });
  });

  it("takes strictness by place: the one that loses nothing serves", async () => {
    const body = { ...prompt, truncation: "auto" };
    const seen = await places.ask("differing", "whole", "responses", body, { "attune-strict": "true" });
    expect(seen.answer).toMatchObject({ status: 200, servedBy: "two" });
    expect(seen.logged).toEqual([["one", "primary", "refused", "translation_loss"]]);
  });

  it("does not ask a place for a prompt that is longer than what it takes", async () => {
    const seen = await places.ask("larger", "whole");
    // The second one takes no more than the first.
    expect(seen.asked).toEqual(["one", "three"]);
    expect(seen.answer).toMatchObject({ status: 200, servedBy: "three" });
  });

  it("goes by the price of the place that served, and compares it with that of the first place", async () => {
    const seen = await places.ask("priced", "whole");
    expect(seen.answer).toMatchObject({ servedBy: "two" });
    const { row } = await readWhenWritten(places.service.store, seen.id);
    // 20 tokens of the prompt that no cache had, and 15 of the answer, at 5 US dollars a million; its cache reads and
    // writes are free there.
    expect(row).toMatchObject({ costNanos: 15 * 1_000, baseCostNanos: (20 + 15) * 5_000 });
  });
});

function roleOf(index: number): string {
  return index === 0 ? "primary" : "failover";
}

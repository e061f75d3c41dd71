/** Values that vendors may ship tomorrow, in each enumerated member of a format. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, startHarness } from "../harness.ts";
import { textAnswers } from "../text-upstream.ts";
import { type Inbound, UPSTREAM_KINDS, UPSTREAM_MODEL, type UpstreamKind } from "../topic.ts";

/** One member with a value that Attune does not know. */
export interface FutureValue {
  /** The member, as the format's documentation calls it. */
  readonly member: string;
  /** All that is asked, but the model. */
  readonly request: object;
  /** What an upstream of the same format has to receive behind the model, byte for byte. */
  readonly received: string;
  /** What is lost elsewhere. */
  readonly losses: readonly string[];
  /** The same at a kind of upstream where it is something else. */
  readonly lossesAt?: Readonly<Partial<Record<UpstreamKind, readonly string[]>>>;
}

const OWN: Readonly<Record<Inbound, UpstreamKind>> = {
  chat: "openai-chat",
  responses: "openai-responses",
  messages: "anthropic-messages",
};

/** Tests that each value is carried as it is to an upstream of the same format, and is a named loss elsewhere. */
export function testFutureValues(inbound: Inbound, values: readonly FutureValue[]): void {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  const answers = textAnswers();
  const own = OWN[inbound];
  const ask = (kind: UpstreamKind, request: object, headers = {}) =>
    harness.ask(
      { inbound, kind, request, headers },
      { status: 200, headers: { "content-type": "application/json" }, steps: [answers[kind].whole] },
    );

  describe(`values of the future: ${inbound}`, () => {
    it.each(values)("carries $member as it is to an upstream of the same format", async ({ request, received }) => {
      const outcome = await ask(own, request, { "attune-strict": "true" });
      expect(outcome).toMatchObject({
        status: 200,
        losses: [],
        upstreamReceives: `{"model":"${UPSTREAM_MODEL[own]}",${received}}`,
      });
    });

    const foreign = UPSTREAM_KINDS.filter((kind) => kind !== own);
    const cells = values.flatMap((value) => foreign.map((kind) => ({ ...value, kind })));
    it.each(cells)("names $member as a loss at $kind", async ({ kind, request, losses, lossesAt }) => {
      const expected = lossesAt?.[kind] ?? losses;
      expect(await ask(kind, request)).toMatchObject({ status: 200, losses: expected });
      if (expected.length === 0) return;
      const strict = await ask(kind, request, { "attune-strict": "true" });
      expect(strict).toMatchObject({ status: 400, upstreamReceives: undefined });
      for (const loss of expected) expect(strict.body).toContain(loss);
    });
  });
}

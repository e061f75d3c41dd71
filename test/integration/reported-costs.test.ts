import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeAnswer } from "../support/scripted-upstream.ts";
import { callSdk, FORMATS, type Format } from "../support/sdk-calls.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, UPSTREAM_HEADERS } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";

/** Every upstream is one of OpenRouter; the model of the Responses kind has no price. */
let fixture: SdkFixture;
let calls = 0;

beforeAll(async () => {
  const profiled = (yaml: string) =>
    yaml
      .replaceAll(/(kind: [\w-]+),/g, "$1, profile: openrouter,")
      .replace(/(name: responder[\s\S]*?) +price: .*\n/, "$1");
  fixture = await startSdkFixture({ change: profiled });
});

afterAll(() => fixture.close());

/** The upstream reports a cost in the usage of the coming answers. */
function report(kind: Format, usd: number): void {
  const withCost = (text: string): string => text.replaceAll('"usage":{', `"usage":{"cost":${usd},`);
  fixture.upstream.answer({
    streamed: answerOf(FRAMES[kind].text.map(withCost)),
    whole: wholeAnswer(withCost(WHOLES[kind].text), UPSTREAM_HEADERS),
  });
}

async function record(caller: Format, kind: Format, stream: boolean) {
  calls += 1;
  const session = `${caller}-${kind}-${calls}`;
  const client = { headers: { "attune-session": session } };
  await callSdk(fixture, { format: caller, model: MODEL[kind], stream, client });
  const answer = await fetch(`${fixture.service.url}/v1/inferences?session=${session}`, {
    headers: { authorization: `Bearer ${fixture.service.key}` },
  });
  const { data } = (await answer.json()) as { data: { cost_usd: unknown; usage: { billing: unknown } }[] };
  return { cost: data[0]?.cost_usd, billing: data[0]?.usage.billing };
}

describe("a cost that an upstream reports", () => {
  const pairs = FORMATS.flatMap((caller) =>
    FORMATS.flatMap((kind) => [false, true].map((stream) => [caller, kind, stream] as const)),
  );

  it.each(pairs)("is that of a call of %s at %s, streamed: %s", async (caller, kind, stream) => {
    report(kind, 0.5);
    const { cost, billing } = await record(caller, kind, stream);
    expect(cost).toBe(0.5);
    expect(billing).toMatchObject({ reported_cost_usd: 0.5 });
  });

  it("is missing where the upstream reports none, and then the price counts", async () => {
    fixture.script("chat", "text");
    const { cost, billing } = await record("chat", "chat", false);
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThan(0.1);
    expect(billing).toBeUndefined();
  });
});

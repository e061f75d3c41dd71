import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { DEFAULT_OPTIMIZATIONS } from "../../../src/catalog/model.ts";
import { buildPrice } from "../../../src/catalog/written-price.ts";
import { openaiChatProtocol } from "../../../src/formats/chat/protocol.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { askInBackground } from "../../../src/inference/run/ask-in-background.ts";
import { FlexTier } from "../../../src/inference/run/flex-tier.ts";
import { createHttpUpstream } from "../../../src/upstream/http-upstream.ts";
import {
  type Answer,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../../support/scripted-upstream.ts";
import { stubModel, stubPlace } from "../../support/stub-upstream.ts";
import { testSigner } from "../../support/test-signer.ts";

const FULL_PRICE = { input: 10, output: 50 };
const PRICE = buildPrice({ ...FULL_PRICE, tiers: { flex: { multiple: 0.5 } } });
const input = createHubInput({
  model: "attune/m",
  messages: [{ role: Role.USER, content: [{ kind: { case: "text", value: { text: "?" } } }] }],
});
const timeouts = { connectMs: 40_000, firstByteMs: 40_000, idleMs: 40_000, totalMs: 40_000 };
const limits = { eventBytes: 1 << 20, eventValues: 10_000, answerBytes: 1 << 22 };

/** An answer of 100 tokens to 1,000, in the tier that it names. */
function answerIn(tier?: string): Answer {
  const message = { role: "assistant", content: "Hello" };
  const body = {
    id: "c",
    object: "chat.completion",
    model: "m",
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
    ...(tier !== undefined && { service_tier: tier }),
  };
  return wholeAnswer(JSON.stringify(body));
}

function refusal(status: number, message: string, type: string): Answer {
  return { ...wholeAnswer(JSON.stringify({ error: { message, type, code: null, param: null } })), status };
}

const FULL = refusal(429, "Resource unavailable", "resource_unavailable");
/** 1,000 tokens at 10 USD per million and 100 at 50 cost .015 USD. */
const ORDINARY_NANOS = 15_000_000;

let scripted: ScriptedUpstream;
beforeEach(async () => {
  scripted = await startScriptedUpstream();
});
afterEach(() => scripted.close());

function createAsk({ price = PRICE, flexTier = true, isAllowed = true } = {}) {
  const options = { name: "openai", baseUrl: scripted.url, timeouts, limits, profile: { flexTier } };
  const model = { ...stubModel, maxOutputTokens: 4096, price };

  const planned = { ...stubPlace(createHttpUpstream(openaiChatProtocol, options)), model };
  const forbidden = { ...planned, model: { ...model, optimizations: { ...DEFAULT_OPTIMIZATIONS, flexTier: false } } };
  let nowMs = 0;
  const tier = new FlexTier(() => nowMs);
  const prompt = { input, historyLength: 0, previousId: undefined, signer: testSigner };
  return {
    pass: (ms: number) => {
      nowMs += ms;
    },
    ask: async () => {
      const place = isAllowed ? planned : forbidden;
      const answer = await tier.ask(place, (serviceTier) =>
        askInBackground(
          prompt,
          { planned: place, streamed: false, projectId: "p", serviceTier },
          AbortSignal.timeout(9000),
        ),
      );
      return answer.costNanos;
    },
  };
}

const tiers = () => scripted.received.map(({ body }) => (JSON.parse(body) as { service_tier?: string }).service_tier);

describe("FlexTier", () => {
  it("asks in the flex tier, and takes the price of the tier that served", async () => {
    const { ask } = createAsk();
    scripted.answer(answerIn("flex"));
    expect(await ask()).toBe(ORDINARY_NANOS / 2);
    scripted.answer(answerIn("default"));
    expect(await ask()).toBe(ORDINARY_NANOS);
    expect(tiers()).toEqual(["flex", "flex"]);
  });

  it("asks in the ordinary tier for a minute where the flex tier has no room", async () => {
    const { ask, pass } = createAsk();
    scripted.answer(FULL, answerIn("default"));
    expect(await ask()).toBe(ORDINARY_NANOS);
    pass(59_000);
    await ask();
    pass(1000);
    await ask();
    expect(tiers()).toEqual(["flex", undefined, undefined, "flex"]);
  });

  it("asks in the ordinary tier alone where the model does not have the flex tier", async () => {
    const { ask, pass } = createAsk();
    scripted.answer(refusal(400, "Flex is not available for this model", "invalid_request_error"), answerIn());
    expect(await ask()).toBe(ORDINARY_NANOS);
    pass(1e9);
    await ask();
    expect(tiers()).toEqual(["flex", undefined, undefined]);
  });

  it("says what the ordinary tier says where both refuse, and asks for other failures once", async () => {
    const { ask } = createAsk();
    scripted.answer(FULL, refusal(400, "Too long", "invalid_request_error"));
    await expect(ask()).rejects.toMatchObject({ reason: ErrorReason.INVALID_REQUEST });
    scripted.answer(refusal(500, "Broken", "server_error"));
    await expect(ask()).rejects.toMatchObject({ reason: ErrorReason.UPSTREAM_ERROR });
    expect(tiers()).toEqual(["flex", undefined, "flex"]);
  });

  it.each([
    ["the price has no such tier", { price: buildPrice(FULL_PRICE) }],
    ["it is not cheaper", { price: buildPrice({ ...FULL_PRICE, tiers: { flex: { multiple: 1 } } }) }],
    ["the upstream is not known to take it", { flexTier: false }],
    ["the model's optimizations forbid it", { isAllowed: false }],
  ])("asks in the ordinary tier where %s", async (_, options) => {
    scripted.answer(answerIn());
    expect(await createAsk(options).ask()).toBe(ORDINARY_NANOS);
    expect(tiers()).toEqual([undefined]);
  });
});

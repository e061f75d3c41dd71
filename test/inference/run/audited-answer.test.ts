import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { createHubInput, type HubInit, type HubInput } from "../../../src/hub/input.ts";
import type { Upstream } from "../../../src/hub/upstream.ts";
import type { AuditedAnswer, Plan, PlannedAttempt } from "../../../src/inference/ports.ts";
import { InFlight } from "../../../src/inference/run/in-flight.ts";
import { createInferenceService } from "../../../src/inference/run/service.ts";
import { noConversations } from "../../support/stub-conversations.ts";
import {
  NO_BACKGROUND,
  stubArchive,
  stubModel,
  stubPlace,
  stubRecorder,
  stubRouter,
  stubUpstream,
  textEvents,
} from "../../support/stub-upstream.ts";
import { TEST_KEY } from "../../support/test-signer.ts";

const caller = { principal: { keyId: "k", projectId: "p" }, signal: new AbortController().signal };
const signal = new AbortController().signal;

const saying = (name: string, text: string, losses: string[] = []): Upstream =>
  stubUpstream(name, [() => [textEvents(text)]], losses);

interface Given {
  readonly served?: Upstream;
  readonly plain?: Upstream;
  readonly init?: HubInit;
  readonly plan?: Partial<Plan>;
  readonly place?: (planned: PlannedAttempt) => PlannedAttempt;
}

/** Has a request answered, and returns what is offered to the audit. */
async function offered({ served, plain, init = {}, plan = {}, place = (at) => at }: Given = {}) {
  const answered = stubPlace(served ?? saying("second", "Hello"));
  const recorder = stubRecorder();
  const offers: (() => AuditedAnswer | undefined)[] = [];
  const service = createInferenceService({
    conversations: noConversations,
    estimateTokens: async () => 1,
    signingKey: TEST_KEY,
    router: stubRouter({
      model: stubModel,
      strategy: { kind: "sequence", attempts: [place(answered)] },
      optimizations: ["deployment-choice"],
      plain: stubPlace(plain ?? saying("first", "Hallo")),
      ...plan,
    }),
    recorder,
    inFlight: new InFlight(),
    archive: stubArchive(),
    background: NO_BACKGROUND,
    validate: () => {},
    audit: { isSampled: () => true, offer: (make) => void offers.push(make) },
  });
  await service.generate(createHubInput({ model: "attune/m", ...init }), caller);
  return { answers: offers.map((make) => make()), recorder };
}

describe("auditedAnswer()", () => {
  it("is offered of no call whose texts are not kept", async () => {
    expect((await offered({ init: { noTexts: true } })).answers).toEqual([]);
  });

  it("offers an answer of another deployment, and asks the first one the same without recording it", async () => {
    const { answers, recorder } = await offered();
    const [answer] = answers;
    expect(answer).toMatchObject({
      model: "m",
      place: { upstream: "second", model: "real-m" },
      plainPlace: { upstream: "first", model: "real-m" },
      isDeterministic: false,
      response: { content: [{ kind: { value: { text: "Hello" } } }] },
    });
    const plain = await answer?.askPlain(signal);
    expect(plain?.response).toMatchObject({ content: [{ kind: { value: { text: "Hallo" } } }] });
    // 5 tokens of a prompt at 1 USD a million and one of an answer at 10.
    expect(plain?.costNanos).toBe(15_000);
    expect(recorder.records).toHaveLength(1);
  });

  it("knows requests that leave nothing to chance, and the same prompt again", async () => {
    const [greedy] = (await offered({ init: { temperature: 0 } })).answers;
    const [seeded] = (await offered({ init: { extension: { json: '{"seed":7}' } } })).answers;
    const [again] = (await offered({ init: { temperature: 0 } })).answers;
    expect([greedy?.isDeterministic, seeded?.isDeterministic]).toEqual([true, true]);
    expect(greedy?.promptKey).toBe(again?.promptKey);
    expect(greedy?.promptKey).not.toBe(seeded?.promptKey);
  });

  it.each<readonly [string, Given]>([
    ["of the plain call", { served: saying("first", "Hallo"), plan: { optimizations: [] } }],
    ["of a model that the policy chose", { place: (at) => ({ ...at, model: { ...stubModel, name: "other" } }) }],
    ["to a request that has the provider act", { init: { extension: { json: '{"mcp_servers":[{}]}' } } }],
    ["to a request with a hosted tool", { init: { tools: [{ kind: { case: "opaque", value: { json: "{}" } } }] } }],
    [
      "to a prompt of more than 100,000 tokens",
      { init: { system: [{ kind: { case: "text", value: { text: "x ".repeat(100_004) } } }] } },
    ],
    ["that is compared with nothing", { plan: { plain: undefined } }],
  ])("offers no answer %s", async (_, given) => {
    expect((await offered(given)).answers).toEqual([undefined]);
  });

  it("offers an answer of the first deployment whose request was not the plain one", async () => {
    const [answer] = (await offered({ served: saying("first", "Hallo") })).answers;
    expect(answer).toMatchObject({ place: { upstream: "first" }, plainPlace: { upstream: "first" } });
  });

  it("does not ask a place that would lose other parts of the request", async () => {
    const [answer] = (await offered({ plain: saying("first", "Hallo", ["top_k"]) })).answers;
    await expect(answer?.askPlain(signal)).rejects.toMatchObject({
      message: expect.stringContaining("lose other parts"),
    });
  });

  it("has the provider keep no second copy, and marks nothing for a cache", async () => {
    const seen: HubInput[] = [];
    const plain = saying("first", "Hallo");
    const watched: Upstream = {
      ...plain,
      prepare(input, target) {
        seen.push(input);
        expect(target.cachedParts).toBeUndefined();
        return plain.prepare(input, target);
      },
    };
    const init = { dialect: Dialect.RESPONSES, system: [{ kind: { case: "text" as const, value: { text: "Hi" } } }] };
    const cachedParts = { prefix: true, conversation: true };
    const [answer] = (await offered({ plain: watched, init, plan: { cachedParts } })).answers;
    await answer?.askPlain(signal);
    expect(seen).toMatchObject([{ store: false, system: [{ kind: { value: { text: "Hi" } } }] }]);
  });

  it("tells an answer that breaks off from one that ends", async () => {
    const plain = stubUpstream("first", [() => [textEvents("Hal").slice(0, 3)]]);
    const [answer] = (await offered({ plain })).answers;
    await expect(answer?.askPlain(signal)).rejects.toMatchObject({
      message: expect.stringContaining("without an end event"),
    });
    // What was sent and said costs all the same; what was not sent costs nothing.
    const thrown = await answer?.askPlain(signal).catch((error: unknown) => error);
    expect(answer?.failedNanos(thrown)).toBeGreaterThanOrEqual(15_000);
    expect(answer?.failedNanos(new Error("not sent"))).toBeUndefined();
  });
});

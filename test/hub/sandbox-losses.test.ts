import { toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, ThinkingMode } from "../../gen/attune/content/v1/content_pb.ts";
import { GenerateEventSchema, InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../src/hub/error.ts";
import { LOSS, NO_EFFECT, OWN } from "../../src/hub/field-row.ts";
import { FIELDS } from "../../src/hub/fields.ts";
import { createHubInput, type HubInit, type HubInput } from "../../src/hub/input.ts";
import { createSandboxUpstream } from "../../src/upstream/sandbox/upstream.ts";
import { TARGET, tool, user } from "../upstream/sandbox/harness.ts";
import { LOOK_UP, SCENES } from "./scenes.ts";
import { type FieldCase, setFields } from "./set-fields.ts";

const target = {
  ...TARGET,
  model: { ...TARGET.model, minCacheableTokens: 1, contextWindow: 100_000, maxOutputTokens: 4000 },
};

interface Asked {
  readonly answer: string;
  readonly losses: readonly string[];
}

const asked = new Map<HubInput, Promise<Asked>>();

/** Asks a sandbox that nobody has asked before. Ids and signatures differ with every request, and say nothing. */
function ask(input: HubInput): Promise<Asked> {
  const known = asked.get(input) ?? askAnew(input);
  asked.set(input, known);
  return known;
}

async function askAnew(input: HubInput): Promise<Asked> {
  const { losses, send } = createSandboxUpstream("s").prepare(input, target);
  const events: unknown[] = [];
  const take = (batch: readonly Parameters<typeof toJson<typeof GenerateEventSchema>>[1][]) => {
    events.push(...batch.map((event) => toJson(GenerateEventSchema, event)));
  };
  try {
    await send(async (batch) => take(batch), new AbortController().signal);
  } catch (thrown) {
    if (!(thrown instanceof InferenceError)) throw thrown;
    events.push(thrown.message);
  }
  const answer = JSON.stringify(events).replace(/call_[0-9a-f]{22}\d\d|"opaque":"[^"]+"/g, "");
  return { answer, losses };
}

function fateOf(field: string) {
  const [type = "", name = ""] = field.split(".").slice(-2);
  return FIELDS[type]?.[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())]?.sandbox;
}

/** Requests in which values matter that no other kind of upstream has to understand. */
const OWN_SCENES: Readonly<Record<string, HubInit>> = {
  "a long answer": { messages: [user("Look.")], metadata: { sandbox: "long=2000" } },
  "an answer with a stop sequence": { messages: [user("Say zq_stop_sequences.")], tools: [] },
  "a form with a property": {
    messages: [user("Look.")],
    tools: [],
    outputFormat: {
      kind: { case: "jsonSchema", value: { name: "answer", schemaJson: '{"type":"object","required":["a"]}' } },
    },
  },
  "two calls": { messages: [user("Use both.")], tools: [tool("look_up"), tool("write_down")] },
  "sealed thinking that nobody here can read": {
    messages: [user("Look."), { content: [{ kind: { case: "redactedThinking", value: { data: "" } } }] }],
  },
  "thinking that is not shown": {
    messages: [user("Look.")],
    reasoning: { mode: ThinkingMode.ENABLED, display: "omitted" },
  },
};

const cases = Object.values({ ...SCENES, ...OWN_SCENES }).flatMap((init) =>
  [Dialect.CHAT, Dialect.MESSAGES].flatMap((dialect) =>
    setFields(InferenceInputSchema, createHubInput({ tools: [LOOK_UP], ...init }), dialect),
  ),
);

type Case = FieldCase<HubInput>;

/** Returns the fields of which no case has what is wanted. */
async function fieldsWithout(among: readonly Case[], isFine: (one: Case) => Promise<boolean>): Promise<string[]> {
  const fine = new Map<string, boolean>();
  for (const one of among) {
    if (fine.get(one.field)) continue;
    fine.set(one.field, await isFine(one));
  }
  return [...fine].flatMap(([field, is]) => (is ? [] : [field]));
}

const matters = async ({ root, before }: Case) => {
  return JSON.stringify(await ask(root)) !== JSON.stringify(await ask(before));
};
/** What stands in something that is lost as a whole is named with it. */
const isNamed = async ({ root, before, place }: Case) => {
  const known = new Set((await ask(before)).losses);
  return (await ask(root)).losses.some((loss) => !known.has(loss) || place.startsWith(`${loss}.`));
};

describe("a field of the hub's request, at the sandbox", () => {
  it("is read or named where its row says that the sandbox reads it", async () => {
    const read = cases.filter(({ field }) => ![LOSS, NO_EFFECT, OWN].some((fate) => fate === fateOf(field)));
    const silent = await fieldsWithout(read, async (one) => (await matters(one)) || (await isNamed(one)));
    expect(silent).toEqual([]);
  });

  it("is named, whatever its value, where its row says that it is lost", async () => {
    const lost = cases.filter(({ field }) => fateOf(field) === LOSS);
    expect(lost.length).toBeGreaterThan(0);
    const silent: string[] = [];
    for (const one of lost) if (!(await isNamed(one))) silent.push(`${one.place} = ${one.value}`);
    expect(silent).toEqual([]);
  });

  it("changes nothing, and is not named, where its row says that it has no effect", async () => {
    const idle = cases.filter(({ field }) => fateOf(field) === NO_EFFECT);
    const wrong: string[] = [];
    for (const one of idle) if (await matters(one)) wrong.push(one.place);
    expect(wrong).toEqual([]);
  });
});

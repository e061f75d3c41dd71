import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ContentBlockSchema,
  Dialect,
  MessageSchema,
  Role,
  ToolSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput, type HubInput } from "../../../src/hub/input.ts";
import { coalescingKey } from "../../../src/routing/steps/find-coalescing.ts";
import { threadMs } from "../../support/thread-ms.ts";

const context = { projectId: "p", streamed: true };
const json = (dialect: Dialect, value: object) => ({ dialect, json: JSON.stringify(value) });
const textBlock = (text: string) => ({ kind: { case: "text" as const, value: { text } } });

/** A request that says something of everything. */
const full = createHubInput({
  model: "attune/m",
  dialect: Dialect.CHAT,
  system: [textBlock("Be brief.")],
  messages: [
    { role: Role.USER, content: [textBlock("What is the weather?")], name: "ann", id: "msg_1" },
    {
      role: Role.ASSISTANT,
      content: [
        {
          kind: { case: "toolUse", value: { id: "call_1", name: "weather", arguments: '{"b":1,"a":2}' } },
          cacheMark: { ttl: 1 },
        },
      ],
    },
    { role: Role.TOOL, content: [{ kind: { case: "toolResult", value: { toolUseId: "call_1", isError: true } } }] },
  ],
  tools: [
    {
      kind: {
        case: "function",
        value: { name: "weather", description: "Tells it", parametersJson: "{}", strict: true },
      },
    },
  ],
  toolChoice: { mode: 1, allowedNames: ["weather"] },
  parallelToolCalls: false,
  maxOutputTokens: 64,
  temperature: 0,
  topP: 0.5,
  topK: 3,
  stopSequences: ["END"],
  reasoning: { effort: 3 },
  outputFormat: {
    kind: { case: "jsonSchema", value: { name: "city", schemaJson: '{"type":"object"}', strict: true } },
  },
  verbosity: "low",
  endUserId: "user-1",
  metadata: { a: "1", b: "2" },
  promptCacheKey: "k",
  automaticCacheMark: { ttl: 1 },
  extension: json(Dialect.CHAT, { logprobs: true, seed: 7 }),
  strict: true,
  workload: "w",
  betas: ["beta"],
});
const key = (input: HubInput, facts = context) => coalescingKey(input, facts);

/** Paths of all values that are not objects: `messages.0.content.0.kind.value.text`. */
function leaves(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [[...path]];
  return Object.entries(value).flatMap(([name, member]) =>
    name.startsWith("$") ? [] : leaves(member, [...path, name]),
  );
}

type Holder = Record<string, unknown>;

/** The value at a path, and what holds it. */
function at(input: HubInput, path: readonly string[]): { holder: Holder; name: string } {
  let holder = input as unknown as Holder;
  for (const name of path.slice(0, -1)) holder = holder[name] as Holder;
  return { holder, name: path.at(-1) ?? "" };
}

const OWN = new Set(["dialect", "echo", "background", "previousId", "store", "plain"]);
const paths = leaves(full).filter(([first, ...rest]) => !OWN.has(first ?? "") && rest.at(-1) !== "case");

describe("coalescingKey()", () => {
  it("is the same for the same request, and a SHA-256", () => {
    expect(key(structuredClone(full))).toBe(key(full));
    expect(Buffer.from(key(full) ?? "", "base64")).toHaveLength(32);
  });

  it("is another one with any value that is changed", () => {
    const changed = fc.record({ path: fc.constantFrom(...paths), salt: fc.string({ minLength: 1, maxLength: 8 }) });
    const seen = new Map([[key(full), "as it is"]]);
    for (const path of paths) {
      const input = structuredClone(full);
      change(input, path, "x");
      const other = key(input);
      if (path.join() === "temperature") continue;
      expect(seen.get(other), path.join(".")).toBeUndefined();
      seen.set(other, path.join("."));
    }
    fc.assert(
      fc.property(changed, ({ path, salt }) => {
        const input = structuredClone(full);
        change(input, path, salt);
        expect(key(input)).not.toBe(key(full));
      }),
      { numRuns: 300 },
    );
  });

  it("is another one where anything is left out, or stands elsewhere", () => {
    const without: ((input: HubInput) => void)[] = [
      (input) => input.messages.pop(),
      (input) => input.messages.reverse(),
      (input) => input.messages[1]?.content.pop(),
      (input) => input.system.pop(),
      (input) => input.tools.push(...input.tools),
      (input) => {
        input.maxOutputTokens = undefined;
      },
      (input) => {
        input.parallelToolCalls = undefined;
      },
      // What stood in the system prompt stands in front of the messages.
      (input) =>
        input.messages.unshift(
          ...createHubInput({ messages: [{ role: 1, content: input.system.splice(0) }] }).messages,
        ),
      // The order of members matters to a model that reads its own calls again.
      (input) => {
        const block = input.messages[1]?.content[0];
        if (block?.kind.case === "toolUse") block.kind.value.arguments = '{"a":2,"b":1}';
      },
    ];
    const keys = without.map((change) => {
      const input = structuredClone(full);
      change(input);
      return key(input);
    });
    expect(new Set([...keys, key(full)]).size).toBe(without.length + 1);
  });

  it("is another one for texts that only look alike", () => {
    const asking = (text: string) =>
      key(createHubInput({ temperature: 0, dialect: Dialect.CHAT, system: [textBlock(text)] }));
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, two) => {
        fc.pre(one !== two && asking(one) !== undefined);
        expect(asking(one)).not.toBe(asking(two));
      }),
    );
    // Halves of surrogate pairs have no encoding: what holds one is not compared, but what holds the sign for one is.
    expect([asking("\ud83d"), asking("\ufffd")]).toEqual([undefined, expect.any(String)]);
  });

  it("does not know the caller's format, the order of labels, nor the wish not to store", () => {
    for (const dialect of [Dialect.CHAT, Dialect.RESPONSES, Dialect.MESSAGES, Dialect.UNSPECIFIED]) {
      expect(key({ ...full, dialect, store: false, metadata: { b: "2", a: "1" } })).toBe(key(full));
    }
  });

  it("is the same for a request that came over the wire", () => {
    const input = fromBinary(InferenceInputSchema, toBinary(InferenceInputSchema, full));
    expect(key(createHubInput({ ...input, dialect: Dialect.CHAT }))).toBe(key(full));
  });

  it("keeps projects apart, and streams from whole answers", () => {
    const all = [context, { ...context, projectId: "q" }, { ...context, streamed: false }].map((facts) =>
      key(full, facts),
    );
    expect(new Set(all).size).toBe(3);
  });

  it.each<[string, Partial<HubInput>]>([
    ["neither temperature 0 nor a seed", { temperature: 0.5, extension: undefined }],
    ["no word on its temperature", { temperature: undefined, extension: undefined }],
    ["a seed that is null", { temperature: 1, extension: json(Dialect.CHAT, { seed: null }) as never }],
    ["another member that says 'seed'", { temperature: 1, extension: json(Dialect.CHAT, { user: '"seed"' }) as never }],
    ["an answer that is kept", { store: true }],
    ["an answer that is kept by its format", { dialect: Dialect.RESPONSES }],
    ["an answer that is kept at the provider", { extension: json(Dialect.CHAT, { store: true }) as never }],
    ["a conversation that is continued", { previousId: "00000000-0000-7000-8000-000000000000" }],
    ["tools that the provider runs", { extension: json(Dialect.MESSAGES, { mcp_servers: [{}] }) as never }],
  ])("is none for %s", (_what, members) => {
    expect(key({ ...full, ...members })).toBeUndefined();
  });

  it("is none for tools that are the provider's own", () => {
    const value = json(Dialect.RESPONSES, { type: "web_search" });
    const tools = [create(ToolSchema, { kind: { case: "opaque", value } })];
    expect(key({ ...full, tools })).toBeUndefined();
  });

  it("is none for a request of many megabytes, and takes no time to say so", () => {
    const before = threadMs();
    expect(key({ ...full, system: [create(ContentBlockSchema, textBlock("x".repeat(2 ** 25)))] })).toBeUndefined();
    const messages = Array.from({ length: 100_000 }, () => create(MessageSchema, { content: [textBlock("x")] }));
    const made = threadMs() - before;
    expect(key({ ...full, messages })).toBeUndefined();
    // Reading all of the request would take many times as long as making it; collecting garbage may take as long.
    expect(threadMs() - before - made).toBeLessThan(3 * made + 300);
  });

  it("is there for a seed without a temperature", () => {
    expect(key({ ...full, temperature: undefined })).toBeDefined();
  });
});

/** Changes one value into another of its type. */
function change(input: HubInput, path: readonly string[], salt: string): void {
  const { holder, name } = at(input, path);
  const value = holder[name];
  if (typeof value === "boolean") holder[name] = !value;
  else if (typeof value === "number") holder[name] = value + 1 + salt.length;
  else if (path.at(-1) === "json") holder[name] = JSON.stringify({ ...JSON.parse(String(value)), user: salt });
  else holder[name] = `${String(value)}${salt}`;
}

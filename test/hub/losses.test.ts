import { describe, expect, it } from "vitest";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { UpstreamConfig } from "../../src/config/config.ts";
import { readRequestHeaders } from "../../src/facade/request-headers.ts";
import { chatCodec } from "../../src/formats/chat/codec.ts";
import { openaiChatProtocol } from "../../src/formats/chat/protocol.ts";
import { messagesCodec } from "../../src/formats/messages/codec.ts";
import { createConverseProtocol } from "../../src/formats/messages/converse/protocol.ts";
import { anthropicMessagesProtocol } from "../../src/formats/messages/protocol.ts";
import { responsesCodec } from "../../src/formats/responses/codec.ts";
import { openaiResponsesProtocol } from "../../src/formats/responses/protocol.ts";
import type { DialectCodec } from "../../src/formats/shared/codec.ts";
import { isJsonObject, parseJsonObject } from "../../src/formats/shared/json.ts";
import type { UpstreamProtocol } from "../../src/formats/shared/protocol.ts";
import { WireError } from "../../src/formats/shared/read.ts";
import { InferenceError } from "../../src/hub/error.ts";
import { type Format, LOSS } from "../../src/hub/field-row.ts";
import { FIELDS } from "../../src/hub/fields.ts";
import { createHubInput, type HubInput } from "../../src/hub/input.ts";
import { asSent } from "../formats/shared/as-sent.ts";
import { stubModel } from "../support/stub-upstream.ts";
import { isNoLoss } from "./no-losses.ts";
import { LOOK_UP, SCENES } from "./scenes.ts";
import { type FieldCase, hostsOf, setFields, typesInside } from "./set-fields.ts";

/** A further kind of upstream does not compile until it is tried here too. */
const KINDS: Record<Exclude<UpstreamConfig["kind"], "sandbox">, UpstreamProtocol> = {
  "openai-chat": openaiChatProtocol,
  "openai-responses": openaiResponsesProtocol,
  "anthropic-messages": anthropicMessagesProtocol,
  "bedrock-converse": createConverseProtocol(),
};

/** Protocols that depend on what the models behind them take, for those that take everything. */
const OF_ALL_ABILITIES: Partial<typeof KINDS> = {
  "bedrock-converse": createConverseProtocol({
    structuredOutput: true,
    effort: true,
    citations: true,
    cachePoints: "all",
  }),
};

/** The column of FIELDS that each kind goes by. */
const FORMAT_OF: Record<keyof typeof KINDS, Format> = {
  "openai-chat": "chat",
  "openai-responses": "responses",
  "anthropic-messages": "messages",
  "bedrock-converse": "messages",
};

/** Who asks in a format: its codec, and the upstream that is asked in it, which writes the requests. */
interface Caller {
  readonly codec: DialectCodec;
  readonly protocol: UpstreamProtocol;
}

const CALLERS = {
  chat: { codec: chatCodec, protocol: openaiChatProtocol },
  responses: { codec: responsesCodec, protocol: openaiResponsesProtocol },
  messages: { codec: messagesCodec, protocol: anthropicMessagesProtocol },
} satisfies Record<string, Caller>;

/** A request as it is sent. */
interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly losses: readonly string[];
}

/** What upstreams and their models can do: much, or little. */
const ABLE = { cacheBreakpoints: true, thinking: "adaptive" } as const;
const UNABLE = { cacheBreakpoints: false, thinking: "none" } as const;

const NO_THINKING: ReadonlySet<string> = new Set(["REASONING_EFFORT_NONE", "THINKING_MODE_DISABLED"]);

/** Sends a request whose reasoning the upstream made itself; undefined if it is refused by name. */
function send(
  protocol: UpstreamProtocol,
  input: HubInput,
  { cacheBreakpoints, thinking }: typeof ABLE | typeof UNABLE = ABLE,
): Sent | undefined {
  const blocks = input.messages.flatMap(({ content }) => content);
  const target = {
    model: { ...stubModel, maxOutputTokens: 64_000, thinking },
    deployment: { upstream: "u", model: "m" },
    streamed: false,
    inferenceId: "0190-id",
    projectId: "p",
    profile: { cacheBreakpoints },
    ownReasoning: new Set(blocks.filter(({ kind }) => /thinking/i.test(kind.case ?? ""))),
  };
  try {
    const { headers = {}, ...sent } = asSent(protocol.encodeRequest(input, target));
    return { ...sent, headers };
  } catch (thrown) {
    if (thrown instanceof InferenceError) return undefined;
    throw thrown;
  }
}

const withHeaders = ({ body, headers }: Sent): unknown => ({ ...parseJsonObject(body), ...headers });

/** Lists the places at which two JSON values differ. */
function differences(before: unknown, after: unknown, path = ""): string[] {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((item, index) => differences(before[index], item, `${path}[${index}]`));
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => differences(before[name], after[name], path === "" ? name : `${path}.${name}`));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
}

/** Tells whether one place is the other, or stands in it. */
function isSamePlace(one: string, other: string): boolean {
  // Chat callers are told the list of what stands in it.
  const bare = (place: string) => place.replace(/(reasoning_details)\[\d+\]/, "$1");
  const holds = (outer: string, inner: string) =>
    inner.startsWith(outer) && /^(?:$|[.[])/.test(inner.slice(outer.length));
  return holds(bare(one), bare(other)) || holds(bare(other), bare(one));
}

/** Tells whether what a field was set to is in what is sent; without a marker, what was sent before tells. */
function isCarried({ marker }: FieldCase<HubInput>, sent: Sent, sendBefore: () => Sent | undefined): boolean {
  const text = JSON.stringify(withHeaders(sent));
  if (marker !== undefined) return text.includes(marker) || text.includes(Buffer.from(marker).toString("base64"));
  const before = sendBefore();
  return before === undefined || text !== JSON.stringify(withHeaders(before));
}

/** Names of oneofs' cases, which the places of losses leave out. */
const CASES =
  /\.(?:text|image|audio|document|tool_use|tool_result|thinking|redacted_thinking|refusal|function|custom|inline|json_schema|url_citation)(?=\.)/g;

const cases = Object.entries(SCENES).flatMap(([scene, init]) =>
  [Dialect.CHAT, Dialect.RESPONSES, Dialect.MESSAGES].flatMap((dialect) =>
    setFields(InferenceInputSchema, createHubInput({ tools: [LOOK_UP], ...init }), dialect).map((one) => ({
      ...one,
      scene,
      dialect,
    })),
  ),
);

/** Sends the request of a case, and when asked the one before it. */
function sendBoth(
  { root, before }: FieldCase<HubInput>,
  protocol: UpstreamProtocol,
  can?: typeof ABLE | typeof UNABLE,
) {
  const overRpc = { dialect: Dialect.UNSPECIFIED, background: false };
  return {
    sent: send(protocol, { ...root, ...overRpc }, can),
    sendBefore: () => send(protocol, { ...before, ...overRpc }, can),
  };
}

/** Returns what the caller of a format asks for in this way; undefined if the format refuses it. */
function decode(codec: DialectCodec, { body, headers }: Sent): HubInput | undefined {
  try {
    const { input } = codec.decodeRequest({ max_tokens: 5, ...parseJsonObject(body) }, headers);
    return Object.assign(input, readRequestHeaders(headers));
  } catch (thrown) {
    if (thrown instanceof WireError) return undefined;
    throw thrown;
  }
}

/** Asks in a format for what a case has more than it had before; undefined if the format cannot say it. */
function ask(one: FieldCase<HubInput>, { codec, protocol }: Caller) {
  const { sent, sendBefore } = sendBoth(one, protocol);
  const before = sendBefore();
  if (sent === undefined || before === undefined || !isCarried(one, sent, () => before)) return undefined;
  const [input, inputBefore] = [decode(codec, sent), decode(codec, before)];
  if (input === undefined || inputBefore === undefined) return undefined;
  return { input, inputBefore, places: differences(withHeaders(before), withHeaders(sent)) };
}

/** Tells whether the row of a field says that a format has no place for it. */
function hasNoPlace(field: string, format: Format): boolean {
  const [type = "", name = ""] = field.split(".").slice(-2);
  const localName = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return FIELDS[type]?.[localName]?.[format] === LOSS;
}

/** One line for each field and value that is silently lost. */
function tell(silent: readonly (typeof cases)[number][]): string[] {
  const lines = silent.map((one): [string, string] => [
    one.field + one.value,
    `${one.place} = ${one.value}, of ${one.scene}`,
  ]);
  return [...new Map(lines).values()];
}

describe("a field of the hub's request", () => {
  it("is tried in every type of message", () => {
    const hosts = Object.values(SCENES).flatMap((init) => hostsOf(InferenceInputSchema, createHubInput(init)));
    const tried = new Set(hosts.map(({ schema }) => schema.typeName));
    expect([...typesInside(InferenceInputSchema).keys()].filter((name) => !tried.has(name))).toEqual([]);
  });

  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  const upstreams = kinds.flatMap((kind) =>
    [ABLE, UNABLE].map((can) => {
      const protocol = (can === ABLE ? OF_ALL_ABILITIES[kind] : undefined) ?? KINDS[kind];
      return { kind, protocol, can, of: can === ABLE ? "all" : "no" };
    }),
  );

  it.each(upstreams)(
    "is carried by $kind of $of abilities, or named, of a caller over RPC",
    ({ kind, protocol, can }) => {
      const silent = cases.filter((one) => {
        if (isNoLoss(one, kind)) return false;
        const { sent, sendBefore } = sendBoth(one, protocol, can);
        if (sent === undefined || isCarried(one, sent, sendBefore)) return false;
        // A model that cannot think is not told that it must not.
        if (can === UNABLE && NO_THINKING.has(one.value)) return false;
        return !sent.losses.some((loss) => isSamePlace(loss, one.place.replace(CASES, "")));
      });
      expect(tell(silent)).toEqual([]);
    },
  );

  it.each(upstreams)("is not sent to $kind of $of abilities where its row says that it is lost", (upstream) => {
    const lost = cases.filter(({ field }) => hasNoPlace(field, FORMAT_OF[upstream.kind]));
    const carried = lost.filter((one) => {
      const { sent, sendBefore } = sendBoth(one, upstream.protocol, upstream.can);
      const before = sendBefore();
      return sent !== undefined && before !== undefined && isCarried(one, sent, () => before);
    });
    expect(lost.length).toBeGreaterThan(0);
    expect(tell(carried)).toEqual([]);
  });

  const routes = Object.entries(CALLERS).flatMap(([name, caller]) =>
    [...Object.entries(KINDS), ...Object.entries(OF_ALL_ABILITIES)].map(([kind, protocol]) => ({
      name,
      caller,
      kind,
      protocol,
    })),
  );

  const questions = Object.fromEntries(
    Object.entries(CALLERS).map(([name, caller]) => {
      const own = cases.filter((one) => one.dialect === caller.codec.dialect);
      return [name, new Map(own.map((one) => [one, ask(one, caller)]))];
    }),
  );

  it.each(routes)(
    "is carried by an upstream of $kind, or named, of a $name caller",
    ({ name, caller, kind, protocol }) => {
      let asked = 0;
      const silent = cases.filter((one) => {
        if (isNoLoss(one, kind)) return false;
        const question = questions[name]?.get(one);
        if (question === undefined) return false;
        asked += 1;
        const { input, inputBefore, places } = question;
        const sent = send(protocol, input);
        if (sent === undefined || isCarried(one, sent, () => send(protocol, inputBefore))) return false;
        const losses = sent.losses.map((loss) => caller.codec.formatFieldPath(loss, input));
        return !losses.some((loss) => places.some((place) => isSamePlace(loss, place)));
      });
      expect(tell(silent)).toEqual([]);
      expect(asked).toBeGreaterThan(100);
    },
  );
});

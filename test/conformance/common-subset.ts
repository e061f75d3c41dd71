/** What all three formats can say: a generator, and how each of them says it. */
import fc from "fast-check";
import type { JsonObject } from "../../src/formats/shared/json.ts";
import type { Inbound } from "./topic.ts";

type Part = { readonly text: string } | { readonly image: string };
interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly result: string;
}
interface Turn {
  readonly user: readonly Part[];
  readonly said: string | undefined;
  readonly calls: readonly Call[];
}

/** A request that every format can say. */
export interface CommonRequest {
  readonly system: string | undefined;
  readonly turns: readonly Turn[];
  readonly last: readonly Part[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly strict: boolean }[];
  readonly choice: "auto" | "required" | "none" | "named" | undefined;
  readonly parallel: boolean | undefined;
  readonly maxTokens: number;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  /** Texts that end the answer; Responses cannot say them. */
  readonly stops: readonly string[];
  readonly isStructured: boolean;
  readonly effort: string | undefined;
  readonly endUser: string | undefined;
}

/** Not blank: Messages upstreams get no texts of white space alone, and refuse a message of nothing else. */
const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== "");
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const ratio = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ text: words }) },
  fc.record({ image: fc.constantFrom("https://example.com/a.png", "data:image/png;base64,aGk=") }),
);
const parts = fc.array(part, { minLength: 1, maxLength: 3 });
const value = fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.array(words, { maxLength: 2 }));
const call = fc.record({
  name: fc.constantFrom("look", "go"),
  arguments: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), value, { maxKeys: 3 }),
  result: words,
});
const turn = fc.record({ user: parts, said: maybe(words), calls: fc.array(call, { maxLength: 2 }) });

/** Calls have ids of their own; a turn in which the model is silent has a call. */
const turns = fc.array(turn, { maxLength: 3 }).map((all) =>
  all.map(({ user, said, calls }, index): Turn => {
    const named = calls.map((one, position) => ({ ...one, id: `call_${index}_${position}` }));
    return { user, said: named.length === 0 ? (said ?? "Yes.") : said, calls: named };
  }),
);

/** Requests that every format can say; `withStops`: that Chat and Messages can. */
export const commonRequest = (withStops: boolean): fc.Arbitrary<CommonRequest> =>
  fc
    .record({
      system: maybe(words),
      turns,
      last: parts,
      choice: fc.constantFrom(undefined, "auto", "required", "none", "named" as const),
      parallel: fc.constantFrom(undefined, false),
      hasTools: fc.boolean(),
      maxTokens: fc.integer({ min: 16, max: 4096 }),
      temperature: maybe(ratio),
      topP: maybe(ratio),
      stops: withStops ? fc.array(fc.constantFrom("END", "\n\n#", "stop"), { maxLength: 2 }) : fc.constant([]),
      isStructured: fc.boolean(),
      effort: fc.option(fc.constantFrom("low", "medium", "high", "xhigh", "max"), { freq: 1, nil: undefined }),
      endUser: maybe(fc.stringMatching(/^[a-z0-9]{1,64}$/)),
    })
    .map(({ hasTools, choice: wanted, parallel, ...drawn }) => {
      // Beside thinking, which effort asks for, Messages takes no sampling and no call that must be made.
      const thinks = drawn.effort !== undefined;
      const rest = thinks ? { ...drawn, temperature: undefined, topP: undefined } : drawn;
      const choice = thinks && (wanted === "required" || wanted === "named") ? "auto" : wanted;
      const needsTools = hasTools || rest.turns.some(({ calls }) => calls.length > 0);
      const tools = needsTools
        ? ["look", "go"].map((name, index) => ({ name, description: `Does ${name}.`, strict: index === 0 }))
        : [];
      // Messages says how many at a time beside a choice only, and that no tool is called leaves nothing to say of it.
      const atATime = choice === "none" || choice === undefined ? undefined : parallel;
      return needsTools
        ? { ...rest, tools, choice, parallel: atATime }
        : { ...rest, tools, choice: undefined, parallel: undefined };
    });

const PARAMETERS = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
/** Messages has no name beside a schema; the one that the others give it here is that of a schema without a name. */
const SCHEMA = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};
const given = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
const optionalList = <Value>(list: readonly Value[]) => (list.length === 0 ? undefined : list);

/** Says a request in a format. */
export const SAY: Readonly<Record<Inbound, (request: CommonRequest) => JsonObject>> = {
  chat: sayInChat,
  responses: sayInResponses,
  messages: sayInMessages,
};

function sayInChat(request: CommonRequest): JsonObject {
  const { system, turns, last, tools, choice, stops, effort, isStructured } = request;
  const content = (all: readonly Part[]) =>
    plain(all) ??
    all.map((one) =>
      "text" in one ? { type: "text", text: one.text } : { type: "image_url", image_url: { url: one.image } },
    );
  const turnOf = ({ user, said, calls }: Turn) => [
    { role: "user", content: content(user) },
    given({
      role: "assistant",
      content: said ?? null,
      tool_calls: optionalList(
        calls.map(({ id, name, arguments: input }) => ({
          id,
          type: "function",
          function: { name, arguments: JSON.stringify(input) },
        })),
      ),
    }),
    ...calls.map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: result })),
  ];
  const named = { type: "function", function: { name: "look" } };
  return given({
    model: "attune/m",
    messages: [
      ...(system === undefined ? [] : [{ role: "system", content: system }]),
      ...turns.flatMap(turnOf),
      { role: "user", content: content(last) },
    ],
    tools: optionalList(
      tools.map(({ name, description, strict }) => ({
        type: "function",
        function: { name, description, parameters: PARAMETERS, strict },
      })),
    ),
    tool_choice: choice === "named" ? named : choice,
    parallel_tool_calls: request.parallel,
    max_completion_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    stop: optionalList(stops),
    reasoning_effort: effort,
    response_format: isStructured
      ? { type: "json_schema", json_schema: { name: "response", schema: SCHEMA, strict: true } }
      : undefined,
    safety_identifier: request.endUser,
  });
}

function sayInResponses(request: CommonRequest): JsonObject {
  const { system, turns, last, tools, choice, effort, isStructured } = request;
  const content = (all: readonly Part[]) =>
    plain(all) ??
    all.map((one) =>
      "text" in one
        ? { type: "input_text", text: one.text }
        : { type: "input_image", detail: "auto", image_url: one.image },
    );
  const turnOf = ({ user, said, calls }: Turn) => [
    { type: "message", role: "user", content: content(user) },
    ...(said === undefined
      ? []
      : [{ type: "message", role: "assistant", content: [{ type: "output_text", text: said, annotations: [] }] }]),
    ...calls.map(({ id, name, arguments: input }) => ({
      type: "function_call",
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
    ...calls.map(({ id, result }) => ({ type: "function_call_output", call_id: id, output: result })),
  ];
  return given({
    model: "attune/m",
    instructions: system,
    input: [...turns.flatMap(turnOf), { type: "message", role: "user", content: content(last) }],
    tools: optionalList(
      tools.map(({ name, description, strict }) => ({
        type: "function",
        name,
        description,
        parameters: PARAMETERS,
        strict,
      })),
    ),
    tool_choice: choice === "named" ? { type: "function", name: "look" } : choice,
    parallel_tool_calls: request.parallel,
    max_output_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    reasoning: effort === undefined ? undefined : { effort },
    text: isStructured
      ? { format: { type: "json_schema", name: "response", schema: SCHEMA, strict: true } }
      : undefined,
    safety_identifier: request.endUser,
    store: false,
  });
}

/** Results of a turn and what the user says next are one turn of the user. */
function sayInMessages(request: CommonRequest): JsonObject {
  const { system, turns, last, tools, choice, stops, effort, isStructured, parallel } = request;
  const blocks = (all: readonly Part[]) =>
    all.map((one) =>
      "text" in one ? { type: "text", text: one.text } : { type: "image", source: sourceOf(one.image) },
    );
  const messages: JsonObject[] = [];
  let results: JsonObject[] = [];
  const user = (all: readonly Part[]) => {
    const only = results.length === 0 ? plain(all) : undefined;
    messages.push({ role: "user", content: only ?? [...results, ...blocks(all)] });
  };
  for (const { user: said, said: answer, calls } of turns) {
    user(said);
    const uses = calls.map(({ id, name, arguments: input }) => ({ type: "tool_use", id, name, input }));
    const text = answer === undefined ? [] : [{ type: "text", text: answer }];
    messages.push({ role: "assistant", content: uses.length === 0 ? answer : [...text, ...uses] });
    results = calls.map(({ id, result }) => ({ type: "tool_result", tool_use_id: id, content: result }));
  }
  user(last);
  const type = choice === "required" ? "any" : choice === "named" ? "tool" : choice;
  const mode = type === undefined ? undefined : { type, ...(choice === "named" ? { name: "look" } : {}) };
  const alone = parallel === undefined ? mode : { ...(mode ?? { type: "auto" }), disable_parallel_tool_use: !parallel };
  const config = given({
    effort,
    format: isStructured ? { type: "json_schema", schema: SCHEMA } : undefined,
  });
  return given({
    model: "attune/m",
    max_tokens: request.maxTokens,
    system,
    messages,
    tools: optionalList(
      tools.map(({ name, description, strict }) => ({ name, description, input_schema: PARAMETERS, strict })),
    ),
    tool_choice: alone,
    temperature: request.temperature,
    top_p: request.topP,
    stop_sequences: optionalList(stops),
    output_config: Object.keys(config).length === 0 ? undefined : config,
    metadata: request.endUser === undefined ? undefined : { user_id: request.endUser },
  });
}

function plain(all: readonly Part[]): string | undefined {
  const [first, ...others] = all;
  return first !== undefined && others.length === 0 && "text" in first ? first.text : undefined;
}

function sourceOf(url: string): JsonObject {
  const inline = /^data:(.*);base64,(.*)$/.exec(url);
  if (inline === null) return { type: "url", url };
  return { type: "base64", media_type: inline[1], data: inline[2] };
}

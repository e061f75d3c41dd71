import { textRoutes } from "../text-routes.ts";
import { textAnswers } from "../text-upstream.ts";
import { requestMembers, userSays } from "../tool-request.ts";
import {
  byKey,
  INBOUND,
  type Inbound,
  type Route,
  type Topic,
  UPSTREAM_KINDS,
  type UpstreamAnswer,
  type UpstreamKind,
} from "../topic.ts";

/** A topic says JSON where the plain ones say "Hel" and "lo". */
function inJson(topic: Topic): Topic {
  const say = (text: string): string =>
    text
      .replaceAll('"Hello"', '"{\\"name\\":\\"Bern\\"}"')
      .replaceAll('"Hel"', '"{\\"name\\":"')
      .replaceAll('"lo"', '"\\"Bern\\"}"');
  const answer = ({ streamed, whole }: UpstreamAnswer): UpstreamAnswer => ({
    streamed: say(streamed),
    whole: say(whole),
  });
  const route = (one: Route): Route =>
    "refused" in one ? one : { ...one, answer: say(one.answer), stream: say(one.stream) };
  return {
    ...topic,
    upstreamAnswers: byKey(UPSTREAM_KINDS, (kind) => answer(topic.upstreamAnswers[kind])),
    routes: byKey(INBOUND, (inbound) => byKey(UPSTREAM_KINDS, (kind) => route(topic.routes[inbound][kind]))),
  };
}

const question = "Which city, in JSON?";
const messages = [{ role: "user", content: question }];
const ask = (inbound: Inbound, kind: UpstreamKind, option: string): string =>
  requestMembers(inbound, kind, { conversation: userSays(kind, question), options: [option] });

/** What a request asks for, and what is lost of it. */
interface Asked {
  readonly name: string;
  readonly schema: object;
  readonly strict: boolean;
  /** What a Messages caller cannot have of an OpenAI upstream. */
  readonly lostForOpenAi: readonly string[];
  /** What goes to upstreams of another format than the caller's, where they do not take the whole schema. */
  readonly reduced?: Reduced;
}

interface Reduced {
  readonly schema: object;
  /** The same with its title and description, which stand before what is added. */
  readonly titled: object;
  /** Place below the schema of what is lost. */
  readonly lost: string;
}

function structured({ name, schema, strict, lostForOpenAi, reduced }: Asked): Topic {
  const json = JSON.stringify(schema);
  const reducedJson = JSON.stringify(reduced?.schema ?? schema);
  const lost = (place: string): readonly string[] => (reduced === undefined ? [] : [`${place}.${reduced.lost}`]);
  const lostOf: Readonly<Record<Inbound, readonly string[]>> = {
    chat: lost("response_format.json_schema.schema"),
    responses: lost("text.format.schema"),
    messages: [...lost("output_config.format.schema"), ...lostForOpenAi],
  };
  const format = { name: "city", description: "A city", schema, strict };
  const namedWith = (sent: string): string =>
    `"name":"city","description":"A city","schema":${sent},"strict":${strict}`;
  const named = namedWith(json);
  const namedReduced = namedWith(reducedJson);
  const ofChat = (members: string): string => `"response_format":{"type":"json_schema","json_schema":{${members}}}`;
  const ofResponses = (members: string): string => `"text":{"format":{"type":"json_schema",${members}}}`;
  const ofMessages = (members: string): string =>
    `"output_config":{"format":{"type":"json_schema","schema":${members}}}`;
  // The name and the description stand in the schema itself.
  const titled =
    reduced === undefined
      ? `${json.slice(0, -1)},"title":"city","description":"A city"}`
      : JSON.stringify(reduced.titled);
  // Both OpenAI formats want a name. Messages always holds to a schema, which there is being strict.
  const unnamed = `"name":"response","schema":${reducedJson}${lostForOpenAi.length === 0 ? ',"strict":true' : ""}`;
  const echo = { text: `{"format":{"type":"json_schema",${named}}}` };
  return inJson({
    name,
    requests: {
      chat: { messages, response_format: { type: "json_schema", json_schema: format } },
      responses: { input: question, text: { format: { type: "json_schema", ...format } } },
      messages: { max_tokens: 64, messages, output_config: { format: { type: "json_schema", schema } } },
    },
    upstreamAnswers: textAnswers(),
    routes: textRoutes({
      chat: {
        "openai-chat": { members: ask("chat", "openai-chat", ofChat(named)) },
        "openai-responses": {
          members: ask("chat", "openai-responses", ofResponses(namedReduced)),
          losses: lostOf.chat,
        },
        "anthropic-messages": { members: ask("chat", "anthropic-messages", ofMessages(titled)), losses: lostOf.chat },
      },
      responses: {
        "openai-chat": {
          members: ask("responses", "openai-chat", ofChat(namedReduced)),
          losses: lostOf.responses,
          echo,
        },
        "openai-responses": { members: ask("responses", "openai-responses", ofResponses(named)), echo },
        "anthropic-messages": {
          members: ask("responses", "anthropic-messages", ofMessages(titled)),
          losses: lostOf.responses,
          echo,
        },
      },
      messages: {
        "openai-chat": { members: ask("messages", "openai-chat", ofChat(unnamed)), losses: lostOf.messages },
        "openai-responses": {
          members: ask("messages", "openai-responses", ofResponses(unnamed)),
          losses: lostOf.messages,
        },
        "anthropic-messages": { members: ask("messages", "anthropic-messages", ofMessages(json)) },
      },
    }),
  });
}

/** An answer in JSON that obeys a schema. */
export const structuredOutput = structured({
  name: "structured output",
  schema: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
    additionalProperties: false,
  },
  strict: true,
  lostForOpenAi: [],
});

/**
 * A schema that OpenAI's strict form does not take, since it does not require every property. Messages holds to it all
 * the same, and a caller who is not strict allows that; the OpenAI formats only try, which is less than a Messages
 * caller has.
 */
export const looseStructuredOutput = structured({
  name: "structured output with optional properties",
  schema: { type: "object", properties: { name: { type: "string" } }, additionalProperties: false },
  strict: false,
  lostForOpenAi: ["output_config.format.strict"],
});

const TEXT = { type: "string", description: '{"minLength":2}' };

/** A schema that no vendor takes as it is: the object is not closed, and a text has a least length. */
export const reducedStructuredOutput = structured({
  name: "structured output beyond what targets take",
  schema: { type: "object", properties: { name: { type: "string", minLength: 2 } }, required: ["name"] },
  strict: true,
  lostForOpenAi: [],
  reduced: {
    schema: { type: "object", properties: { name: TEXT }, required: ["name"], additionalProperties: false },
    titled: {
      type: "object",
      properties: { name: TEXT },
      required: ["name"],
      title: "city",
      description: "A city",
      additionalProperties: false,
    },
    lost: "properties.name.minLength",
  },
});

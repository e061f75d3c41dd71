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
}

function structured({ name, schema, strict, lostForOpenAi }: Asked): Topic {
  const json = JSON.stringify(schema);
  const format = { name: "city", description: "A city", schema, strict };
  const named = `"name":"city","description":"A city","schema":${json},"strict":${strict}`;
  const ofChat = (members: string): string => `"response_format":{"type":"json_schema","json_schema":{${members}}}`;
  const ofResponses = (members: string): string => `"text":{"format":{"type":"json_schema",${members}}}`;
  const ofMessages = (members: string): string =>
    `"output_config":{"format":{"type":"json_schema","schema":${members}}}`;
  // The name and the description stand in the schema itself.
  const titled = `${json.slice(0, -1)},"title":"city","description":"A city"}`;
  // Both OpenAI formats want a name. Messages always holds to a schema, which there is being strict.
  const unnamed = `"name":"response","schema":${json}${lostForOpenAi.length === 0 ? ',"strict":true' : ""}`;
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
        "openai-responses": { members: ask("chat", "openai-responses", ofResponses(named)) },
        "anthropic-messages": { members: ask("chat", "anthropic-messages", ofMessages(titled)) },
      },
      responses: {
        "openai-chat": { members: ask("responses", "openai-chat", ofChat(named)), echo },
        "openai-responses": { members: ask("responses", "openai-responses", ofResponses(named)), echo },
        "anthropic-messages": { members: ask("responses", "anthropic-messages", ofMessages(titled)), echo },
      },
      messages: {
        "openai-chat": { members: ask("messages", "openai-chat", ofChat(unnamed)), losses: lostForOpenAi },
        "openai-responses": {
          members: ask("messages", "openai-responses", ofResponses(unnamed)),
          losses: lostForOpenAi,
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

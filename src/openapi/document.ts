import { CACHE_CONTROL } from "../formats/messages/request/decode-cache-control.ts";
import { defineSchemas } from "../formats/shared/member.ts";
import { BREAKPOINT } from "../formats/shared/openai-cache-mark.ts";
import { METADATA } from "../formats/shared/openai-metadata.ts";
import { COMMON, type Schema } from "../formats/shared/schema.ts";
import { readVersion } from "../lib/version.ts";
import { ADMINISTRATION } from "./administration.ts";
import { CHAT } from "./chat/operations.ts";
import { CONVERSATIONS } from "./conversations.ts";
import { EMBEDDINGS } from "./embeddings.ts";
import { ERRORS } from "./errors.ts";
import { FEEDBACK } from "./feedback.ts";
import { ANSWER_HEADERS, FAILURE_HEADERS, REQUEST_HEADERS } from "./headers.ts";
import { INFERENCES } from "./inferences.ts";
import { MESSAGES } from "./messages/operations.ts";
import { MODELS } from "./models.ts";
import type { ApiPart, Operation } from "./operation.ts";
import { RESPONSES } from "./responses/operations.ts";
import { SERVICE } from "./service.ts";
import { USAGE } from "./usage.ts";

/** The parts of the API, in the order of the document. Whoever adds routes declares them in a part of their own. */
export const API_PARTS: readonly ApiPart[] = [
  CHAT,
  RESPONSES,
  MESSAGES,
  CONVERSATIONS,
  EMBEDDINGS,
  MODELS,
  FEEDBACK,
  INFERENCES,
  USAGE,
  ADMINISTRATION,
  SERVICE,
];

/** Members that the formats share. */
const SHARED = [BREAKPOINT, CACHE_CONTROL, METADATA];

const DESCRIPTION =
  "Members of a request that are `null` count as absent. Members that aren't listed here are passed on unchanged to an " +
  "upstream of the same format, and are a named loss for others. Attune checks requests against the types and bounds in " +
  "this document. `x-event-schema` of a stream is the schema of an event's data.";

/** Returns the OpenAPI document of the HTTP API. */
export function createDocument(parts: readonly ApiPart[] = API_PARTS): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of parts.flatMap(({ operations }) => operations)) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, { [operation.method]: describeOperation(operation) });
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Attune",
      version: readVersion(),
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: ".", description: "The service that serves this document" }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: parts.map(({ tag }) => tag),
    paths,
    components: {
      schemas: Object.assign({}, COMMON, ERRORS, defineSchemas(SHARED), ...parts.map(({ schemas }) => schemas)),
      parameters: Object.fromEntries(
        Object.entries(REQUEST_HEADERS).map(([name, it]) => [name, { name, in: "header", ...it }]),
      ),
      headers: Object.fromEntries(Object.entries(ANSWER_HEADERS).map(([name, it]) => [componentName(name), it])),
      responses: {
        OpenAiError: failure(["OpenAiError"]),
        MessagesError: failure(["MessagesError"]),
        AnyError: failure(["OpenAiError", "MessagesError"]),
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key: `authorization: Bearer KEY`" },
        apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "The same API key" },
      },
    },
  };
}

function describeOperation(operation: Operation): Schema {
  const { id, tag, summary, description, body, answer, envelopes, key } = operation;
  const failed = envelopes.length > 1 ? "AnyError" : envelopes[0];
  const failures = failed === undefined ? {} : { default: { $ref: `#/components/responses/${failed}` } };
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(key === "none" && { security: [] }),
    parameters: describeParameters(operation),
    ...(body !== undefined && {
      requestBody: {
        required: body.isOptional !== true,
        content: { "application/json": { schema: body.schema, examples: bodyExamples(operation) } },
      },
    }),
    responses: { 200: describeAnswer(answer), ...failures },
  };
}

function bodyExamples({ examples }: Operation): Schema {
  const bodies = Object.entries(examples).filter(([, { body }]) => body !== undefined);
  return Object.fromEntries(bodies.map(([name, { body }]) => [name, { value: body }]));
}

function describeParameters({
  parameters: { path = {}, query = {} } = {},
  headers = [],
  examples,
}: Operation): Schema[] {
  const [first] = Object.values(examples);
  const example = (name: string): Schema => {
    const value = first?.parameters?.[name];
    return value === undefined ? {} : { example: value };
  };
  return [
    ...Object.entries(path).map(([name, it]) => ({ name, in: "path", required: true, ...it, ...example(name) })),
    ...Object.entries(query).map(([name, it]) => ({ name, in: "query", ...it, ...example(name) })),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function describeAnswer({ description, headers = [], content, links = {} }: Operation["answer"]): Schema {
  const media = Object.entries(content).map(([type, { schema, example, event }]) => [
    type,
    { schema, example, ...(event !== undefined && { "x-event-schema": event }) },
  ]);
  const linkObjects = Object.entries(links).map(([name, { operation, parameters }]) => [
    name,
    { operationId: operation, parameters },
  ]);
  return {
    description,
    ...(headers.length > 0 && { headers: headerReferences(headers) }),
    content: Object.fromEntries(media),
    ...(linkObjects.length > 0 && { links: Object.fromEntries(linkObjects) }),
  };
}

function headerReferences(names: readonly string[]): Schema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${componentName(name)}` }]));
}

/** Names of components have no asterisk. */
function componentName(header: string): string {
  return header.replace("*", "any");
}

function failure(envelopes: readonly string[]): Schema {
  const refs = envelopes.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return {
    description: "A failure; the reference of errors lists the statuses",
    headers: headerReferences(FAILURE_HEADERS),
    content: { "application/json": { schema: refs.length === 1 ? refs[0] : { oneOf: refs } } },
  };
}

import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { BUILT_IN_MODELS } from "../../src/catalog/built-in.ts";
import { createHubInput } from "../../src/hub/input.ts";
import { encodeRequest } from "../../src/hub/request-bytes.ts";
import { PAIR } from "../../src/openapi/administration.ts";
import { API_PARTS } from "../../src/openapi/document.ts";
import type { Example, Operation } from "../../src/openapi/operation.ts";
import { openApiText } from "../../src/openapi/text.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { newAccount } from "../../src/store/dashboard/accounts.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createShadowStore } from "../../src/store/learning/shadow-store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { ADMIN_SCOPES } from "../../src/vocabulary/administrator.ts";
import { useDatabases } from "../support/database.ts";
import { createFinder } from "../support/openapi-validator.ts";
import { inferenceRow } from "../support/rows.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { shadowRecord } from "../support/shadow-record.ts";

// What a rebuild reads at one moment is in a file.
const databases = useDatabases("sqlite");

const operations = API_PARTS.flatMap((part) => part.operations);
const findProblems = createFinder();

/** Examples of operations that others go on with, where the first one is not of use to them. */
const BEFORE: Readonly<Record<string, string>> = { cancelResponse: "background" };

/** The built-in models and one that makes embeddings, all of the sandbox. */
const yaml = JSON.stringify({
  models: [
    ...BUILT_IN_MODELS.map(({ name, family, contextWindow, maxOutputTokens }) => ({
      name,
      family,
      contextWindow,
      maxOutputTokens,
    })),
    ...[{ name: "text-embedding-3-small", family: "chat", embeddings: true, contextWindow: 8192, maxOutputTokens: 1 }],
  ].map((model) => ({ ...model, deployments: [{ upstream: "sandbox", model: "sandbox" }] })),
});

let service: TestService;
let adminKey: string;

beforeAll(async () => {
  service = await startTestService({ yaml, databaseUrl: databases.url });
  const settings = { name: "test", scopes: ADMIN_SCOPES, projectId: undefined, expiresAt: null };
  adminKey = (await createAdminKey(service.store, settings)).key;
  // The member of the examples.
  const account = newAccount("ada@example.com", "hash");
  await service.store.query().insertInto("UserAccount").values(account).execute();
  const membership = { user: account.id, project: DEFAULT_PROJECT.id, role: "developer", createdAt: new Date() };
  await service.store.query().insertInto("Membership").values(membership).execute();
  await writePair();
  await callInSession();
});

afterAll(() => service.close());

/** Makes a call of the session that the example of feedback names. */
async function callInSession(): Promise<void> {
  const body = JSON.stringify({ model: "attune/gpt-6-astra", messages: [{ role: "user", content: "Hello" }] });
  const headers = { ...service.headers, "content-type": "application/json", "attune-session": "run-7" };
  const answer = await fetch(`${service.url}/v1/chat/completions`, { method: "POST", headers, body });
  expect(answer.status, await answer.text()).toBe(200);
  await service.flush();
}

/** Writes an answer and its shadow trial: the pair of the examples. */
async function writePair(): Promise<void> {
  const text = (said: string) => ({ kind: { case: "text", value: { text: said } } }) as const;
  const answer = create(GenerateResponseSchema, { content: [text("42")] });
  const messages = [{ role: Role.USER, content: [text("6 x 7?")] }];
  const bodies = {
    request: encodeRequest(createHubInput({ messages })),
    response: toBinary(GenerateResponseSchema, answer),
  };
  const row = inferenceRow({ projectId: DEFAULT_PROJECT.id, model: "gpt-6-astra" });
  await writeBatch(service.store, { inferences: [{ row, attempts: [], ...bodies }], feedback: [] });
  const trial = shadowRecord({ id: PAIR, inferenceId: row.id, model: "gpt-6-astra" });
  await createShadowStore(service.store).write(trial, { day: 0, budget: "", nanos: 0 }, answer);
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly type: string;
  readonly text: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Returns the key that an operation needs; empty if it needs none. */
function keyOf({ key }: Operation): string {
  if (key === "none") return "";
  return key === "admin" ? adminKey : service.key;
}

/** Sends the example of an operation; its parameters come from the operation before that has a link to it. */
async function send(operation: Operation, { parameters = {}, body }: Example, key = keyOf(operation)): Promise<Answer> {
  const filled = { ...(await followLink(operation)), ...parameters };
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => filled[name] ?? "");
  const query = Object.entries(filled).filter(([name]) => name in (operation.parameters?.query ?? {}));
  const answer = await fetch(`${service.url}${path}?${new URLSearchParams(query)}`, {
    method: operation.method.toUpperCase(),
    headers: {
      ...(key !== "" && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const media = answer.headers.get("content-type")?.split(";")[0] ?? "";
  return { status: answer.status, headers: answer.headers, type: media, text: await answer.text(), parameters: filled };
}

async function followLink({ id }: Operation): Promise<Record<string, string>> {
  for (const before of operations) {
    const link = Object.values(before.answer.links ?? {}).find(({ operation }) => operation === id);
    const example = before.examples[BEFORE[id] ?? ""] ?? Object.values(before.examples)[0];
    if (link === undefined || example === undefined) continue;
    const answer = await send(before, example);
    return Object.fromEntries(Object.entries(link.parameters).map(([name, from]) => [name, evaluate(from, answer)]));
  }
  return {};
}

/** Evaluates an expression of a link: `$response.body#/id`. */
function evaluate(expression: string, { text, parameters }: Answer): string {
  const pathName = /^\$request\.path\.(\w+)$/.exec(expression)?.[1];
  if (pathName !== undefined) return parameters[pathName] ?? "";
  const names = expression.replace("$response.body#/", "").split("/");
  return String(names.reduce((value, name) => (value as Record<string, unknown>)[name], JSON.parse(text) as unknown));
}

/** Reads what an answer says: its JSON, its text, or the events of its stream. */
function readAnswer({ type, text }: Pick<Answer, "type" | "text">): readonly unknown[] {
  if (type === "application/json") return [JSON.parse(text)];
  if (type !== "text/event-stream") return [text];
  const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => json);
  return data.filter((json) => json !== "[DONE]").map((json) => JSON.parse(json));
}

describe.each(operations)("$method $path", (operation) => {
  const { answer: documented, examples, body: request } = operation;

  it.each(Object.entries(examples))("answers the example %s as documented", async (name, example) => {
    if (request !== undefined) expect(findProblems(request.schema, example.body)).toEqual([]);
    const answer = await send(operation, example);
    expect(answer, answer.text).toMatchObject({ status: 200 });
    const content = documented.content[answer.type];
    expect(content, `${name} is answered as ${answer.type}`).toBeDefined();
    const said = readAnswer(answer);
    expect(said).not.toEqual([]);
    for (const each of said) expect(findProblems(content?.event ?? content?.schema ?? {}, each)).toEqual([]);
    const own = [...answer.headers.keys()].filter((header) => /^attune-|request-id$/.test(header));
    expect(own.filter((header) => !documented.headers?.some((known) => known === header))).toEqual([]);
  });

  it("has examples of its answers that are as documented", () => {
    for (const [type, { schema, event, example }] of Object.entries(documented.content)) {
      const text = typeof example === "string" ? example : JSON.stringify(example);
      for (const each of readAnswer({ type, text })) expect(findProblems(event ?? schema, each)).toEqual([]);
    }
  });

  const parameters = Object.entries(operation.parameters?.query ?? {});
  const checked = parameters.filter(
    ([, { schema }]) => schema["type"] !== "string" || "enum" in schema || "format" in schema,
  );

  it.each(checked)("refuses a wrong value of the parameter %s, and names it", async (name) => {
    const answer = await send(operation, { parameters: { ...Object.values(examples)[0]?.parameters, [name]: "no" } });
    expect(answer).toMatchObject({ status: 400 });
    // A list, or the item of it that is wrong.
    expect([name, `${name}[0]`]).toContain(JSON.parse(answer.text).error.param);
  });

  it.skipIf(operation.key === "none")("refuses whoever has no key, in its envelope", async () => {
    const ids = Object.keys(operation.parameters?.path ?? {}).map((name) => [name, "x"]);
    const answer = await send(operation, { parameters: Object.fromEntries(ids) }, "");
    expect(answer.status).toBe(401);
    const schemas = operation.envelopes.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    expect(findProblems({ anyOf: schemas }, JSON.parse(answer.text))).toEqual([]);
  });
});

describe("GET /openapi.json", () => {
  it("serves the document", async () => {
    const answer = await fetch(`${service.url}/openapi.json`);
    expect(await answer.text()).toBe(openApiText());
  });
});

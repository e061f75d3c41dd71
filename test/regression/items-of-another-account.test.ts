import type { ResponseInput } from "openai/resources/responses/responses";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { clientsOf, MODEL } from "../support/sdk-fixture.ts";
import { startTestService, type TestService, yamlFor } from "../support/service.ts";

// One upstream has several keys, and each may be another account's; or the account behind its only key has changed.
const REASONING = {
  type: "reasoning",
  id: "rs_68f0000000000000000000000001",
  summary: [],
  encrypted_content: "sealed",
};
const CALL = {
  type: "function_call",
  id: "fc_68f0000000000000000000000001",
  call_id: "call_1",
  name: "look",
  arguments: "{}",
  status: "completed",
};
const ANSWER = { id: "resp_1", object: "response", created_at: 1, status: "completed", model: "m" };
const tools = [{ type: "function" as const, name: "look", parameters: { type: "object" }, strict: false }];
const RESULT = { type: "function_call_output" as const, call_id: "call_1", output: "3" };
const refusal = (status: number, message: string, code: string | null = null) => ({
  ...wholeAnswer(JSON.stringify({ error: { message, type: "invalid_request_error", param: "input", code } })),
  status,
});

const NOT_FOUND = "Item with id 'rs_68f0000000000000000000000001' not found.";
const NOT_VERIFIED = "The encrypted content sealed could not be verified.";

describe("a conversation whose items another account of the upstream made", () => {
  let upstream: ScriptedUpstream;
  let service: TestService;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    service = await startTestService({ yaml: yamlFor(upstream.url) });
  });

  afterAll(async () => {
    await service.close();
    await upstream.close();
  });

  const begin = async () => {
    const { responses } = clientsOf(service).openai();
    upstream.answer(wholeAnswer(JSON.stringify({ ...ANSWER, output: [REASONING, CALL] })));
    const include = ["reasoning.encrypted_content" as const];
    return responses.create({ model: MODEL.responses, input: "Weather?", tools, include });
  };

  it.each(["references", "items", "previous_response_id"] as const)("goes on with %s", async (way) => {
    const { responses } = clientsOf(service).openai();
    const first = await begin();
    upstream.answer(
      way === "references" ? refusal(404, NOT_FOUND) : refusal(400, NOT_VERIFIED, "invalid_encrypted_content"),
      wholeAnswer(JSON.stringify({ ...ANSWER, output: [] })),
    );
    const references = first.output.map(({ id }) => ({ type: "item_reference" as const, id: id ?? "" }));
    const said = way === "references" ? references : first.output;
    const asked: { previous_response_id?: string; input: ResponseInput } =
      way === "previous_response_id"
        ? { previous_response_id: first.id, input: [RESULT] }
        : { input: [{ role: "user" as const, content: "Weather?" }, ...(said as ResponseInput), RESULT] };
    const { response } = await responses.create({ model: MODEL.responses, tools, ...asked }).withResponse();
    expect(response.headers.get("attune-translation-loss")).toMatch(/input\[1\]/);
    const { input } = JSON.parse(upstream.received.at(-1)?.body ?? "") as { readonly input: readonly object[] };
    expect(input).toMatchObject([{ role: "user" }, { type: "function_call", call_id: "call_1" }, RESULT]);
  });

  it("is refused where nothing that it holds was made there", async () => {
    const { responses } = clientsOf(service).openai();
    upstream.answer(refusal(404, NOT_FOUND));
    const count = upstream.received.length;
    const id = "rs_68f0000000000000000000000009";
    const asked = responses.create({ model: MODEL.responses, input: [{ type: "item_reference", id }] });
    await expect(asked).rejects.toMatchObject({ status: 404 });
    expect(upstream.received.length).toBe(count + 1);
  });
});

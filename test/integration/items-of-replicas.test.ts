import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { clientsOf, MODEL } from "../support/sdk-fixture.ts";
import { startTestService, type TestService, yamlFor } from "../support/service.ts";
import { waitUntil } from "../support/wait.ts";

const REASONING = {
  type: "reasoning",
  id: "rs_68f0000000000000000000000000",
  summary: [{ type: "summary_text", text: "Hm." }],
};
const MESSAGE = {
  type: "message",
  id: "msg_68f0000000000000000000000000",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Sunny.", annotations: [] }],
};
const ANSWER = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "m",
  output: [REASONING, MESSAGE],
};
const CHAT = {
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Cold." } }],
};

/** A conversation as the AI SDK replays it. */
const input = [
  { role: "user" as const, content: "Weather?" },
  ...[REASONING, MESSAGE].map(({ id }) => ({ type: "item_reference" as const, id })),
  { role: "user" as const, content: "And tomorrow?" },
];

describe.each(ENGINES)("items of an upstream on two replicas on %s", (engine) => {
  const databases = useDatabases(engine);
  const folder = mkdtempSync(join(tmpdir(), "attune-test-"));
  let upstream: ScriptedUpstream;
  let replicas: readonly [TestService, TestService];
  const lastBody = (): unknown => JSON.parse(upstream.received.at(-1)?.body ?? "");
  const clientOf = (service: TestService): OpenAI => clientsOf({ ...service, key: replicas[0].key }).openai();

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    // Processes on one file share a spool, and know of each other by it.
    const shared = engine === "sqlite" ? { spoolFolder: join(folder, "spool") } : {};
    const start = () => startTestService({ yaml: yamlFor(upstream.url), databaseUrl: databases.url, ...shared });
    replicas = [await start(), await start()];
    // The first record waits for threads and connections.
    upstream.answer(wholeAnswer(JSON.stringify(CHAT)));
    await clientOf(replicas[0]).responses.create({ model: MODEL.chat, input: "Hello" });
    await waitUntil(() => replicas[0].store.query().selectFrom("Inference").select("id").executeTakeFirst());
  });

  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    await upstream.close();
    rmSync(folder, { recursive: true });
  });

  it.each([true, false])("are put in the place of their references by the other one (store: %s)", async (store) => {
    const [first, second] = replicas;
    upstream.answer(wholeAnswer(JSON.stringify(ANSWER)), wholeAnswer(JSON.stringify(CHAT)));
    await clientOf(first).responses.create({ model: MODEL.responses, input: "Weather?", store });
    await clientOf(second).responses.create({ model: MODEL.chat, input, store });
    expect(lastBody()).toMatchObject({
      messages: [
        { role: "user", content: "Weather?" },
        { role: "assistant", content: "Sunny." },
        { role: "user", content: "And tomorrow?" },
      ],
    });
  });

  it("stay references for the upstream that has stored them", async () => {
    upstream.answer(wholeAnswer(JSON.stringify(ANSWER)), wholeAnswer(JSON.stringify(ANSWER)));
    await clientOf(replicas[0]).responses.create({ model: MODEL.responses, input: "Weather?" });
    await clientOf(replicas[1]).responses.create({ model: MODEL.responses, input });
    const sent = lastBody() as { readonly input: readonly object[] };
    expect(sent.input[2]).toEqual({ type: "item_reference", id: MESSAGE.id });
  });
});

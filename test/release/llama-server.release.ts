import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openReadOnly } from "../../src/store/database/open-store.ts";
import type { Store } from "../../src/store/types/store.ts";
import { untilServing } from "../support/banner.ts";
import { freePort } from "../support/free-port.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { type CliFolder, createCliFolder, type RunningCli } from "../support/run-cli.ts";
import { waitUntil } from "../support/wait.ts";
import { buildRelease } from "./built-release.ts";
import { LLAMA_URL, reasonAgainstLlama, runLlamaServer } from "./llama-server.ts";
import { KEY } from "./serve-release.ts";
import { ANSWER_TEXT, writeModel } from "./write-model.ts";

/** The name under which the server has the model. */
const MODEL = "lamp";
const PROMPT = [{ role: "user", content: "What burns?" }];

const reason = await reasonAgainstLlama();
if (reason !== undefined) console.log(`a real llama.cpp server: skipped, ${reason}`);

/** A chunk of a stream of Chat Completions. */
interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
  readonly usage?: Usage;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

describe.skipIf(reason !== undefined)("a real llama.cpp server (needs llama-server)", () => {
  let folder: string;
  let llama: Awaited<ReturnType<typeof runLlamaServer>>;
  let cli: CliFolder;
  let serving: RunningCli;
  let store: Store;
  let url: string;
  let printed: string;
  /** The tokens that the server counts where it is asked by itself. */
  let usage: Usage;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "attune-llama-"));
    const model = join(folder, "model.gguf");
    writeModel(model);
    llama = await runLlamaServer(model, MODEL);
    const direct = await post(`${LLAMA_URL}/v1/chat/completions`, { model: MODEL, messages: PROMPT });
    const { prompt_tokens, completion_tokens } = ((await direct.json()) as { usage: Usage }).usage;
    usage = { prompt_tokens, completion_tokens };
    cli = createCliFolder(join(buildRelease().folder, "bin", "attune.mjs"));
    const database = `sqlite:${join(folder, "attune.db")}`;
    serving = cli.start(["serve", "--discover"], {
      ATTUNE_PORT: String(await freePort()),
      ATTUNE_BOOTSTRAP_KEY: KEY,
      ATTUNE_DATABASE_URL: database,
    });
    ({ url } = await untilServing(serving));
    printed = serving.printed() + serving.complained();
    store = await openReadOnly(database, 200);
  });
  afterAll(async () => {
    await store?.close();
    await cli?.remove();
    await llama?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function post(address: string, body: object): Promise<Response> {
    const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
    return fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  }

  /** Expects that the call of an answer is recorded as the server counted it. */
  async function expectRecord(answer: string, streamed: boolean): Promise<void> {
    const [id = ""] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(answer) ?? [];
    const { row, content } = await readWhenWritten(store, id);
    expect(row).toMatchObject({
      upstream: "llama-cpp",
      upstreamModel: MODEL,
      status: "completed",
      streamed,
      inputTokens: expect.any(Number),
      outputTokens: usage.completion_tokens,
    });
    // What the server has of a prompt already is read from its cache.
    expect((row.inputTokens ?? 0) + (row.cacheReadTokens ?? 0)).toBe(usage.prompt_tokens);
    const kind = { case: "text", value: { text: ANSWER_TEXT } };
    expect(content?.output.content).toMatchObject([{ kind }]);
  }

  it("is found, and its model is served with the window that the server has", async () => {
    expect(printed).toContain(`Found llama.cpp at 127.0.0.1:8080: ${MODEL}`);
    const yaml = readFileSync(join(cli.path, "attune.yaml"), "utf8");
    expect(yaml).toContain("contextWindow: 512");
    const listed = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${KEY}` } });
    expect(await listed.json()).toMatchObject({ data: [{ id: `attune/${MODEL}` }] });
  });

  it("answers a call of Chat Completions", async () => {
    const answer = await post(`${url}/v1/chat/completions`, { model: `attune/${MODEL}`, messages: PROMPT });
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([
      200,
      { choices: [{ message: { content: ANSWER_TEXT }, finish_reason: "stop" }], usage },
    ]);
    await expectRecord(text, false);
  });

  it("streams Chat Completions", async () => {
    const stream = { stream: true, stream_options: { include_usage: true } };
    const answer = await post(`${url}/v1/chat/completions`, {
      model: `attune/${MODEL}`,
      messages: PROMPT,
      ...stream,
    });
    const text = await answer.text();
    const data = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json = ""]) => JSON.parse(json) as Chunk);
    const words = data.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? ""));
    expect(words.filter(Boolean).length).toBeGreaterThan(1);
    expect(words.join("")).toBe(ANSWER_TEXT);
    expect(data.at(-1)).toMatchObject({ usage });
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    await expectRecord(text, true);
  });

  it("answers a call of Messages, once the model is declared for that format", async () => {
    const file = join(cli.path, "attune.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("family: chat", "family: messages"));
    serving.process.kill("SIGHUP");
    const text = await waitUntil(async () => {
      const body = { model: `attune/${MODEL}`, messages: PROMPT, max_tokens: 100 };
      const answer = await post(`${url}/v1/messages`, body);
      return answer.ok && answer.text();
    });
    expect(JSON.parse(String(text))).toMatchObject({
      content: [{ type: "text", text: ANSWER_TEXT }],
      stop_reason: "end_turn",
      usage: { output_tokens: usage.completion_tokens },
    });
    await expectRecord(String(text), false);
  });

  it("ends an answer at the most tokens that the caller wants", async () => {
    const body = { model: `attune/${MODEL}`, messages: PROMPT, max_tokens: 2 };
    const answer = await post(`${url}/v1/chat/completions`, body);
    expect(await answer.json()).toMatchObject({
      choices: [{ message: { content: "A lamp" }, finish_reason: "length" }],
      usage: { completion_tokens: 2 },
    });
  });
});

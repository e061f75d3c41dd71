import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { describeServer, findLocalServers, importLocal } from "../../src/imports/local/import-local.ts";
import { SERVER_KINDS } from "../../src/imports/local/servers.ts";
import { load, useFolder } from "../config/harness.ts";

useFolder();

type Answers = Readonly<Record<string, unknown>>;

const running: Server[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Starts a server with these answers by path; a POST asks for its path and the model. Returns its port. */
async function start(answers: Answers): Promise<number> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const key = body === "" ? request.url : `${request.url} ${JSON.parse(body).model}`;
      const answer = answers[key ?? ""];
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(typeof answer === "string" ? answer : JSON.stringify(answer ?? {}));
    });
  });
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Starts servers by the names of their kinds, in their order. */
async function find(answers: Readonly<Record<string, Answers>>) {
  const places = [];
  for (const kind of SERVER_KINDS) {
    const own = answers[kind.name];
    // Nothing listens on port 1.
    places.push({ kind, port: own === undefined ? 1 : await start(own) });
  }
  return await findLocalServers(places);
}

/** Answers from the servers' documentation, shortened. */
const OLLAMA = {
  "/api/tags": { models: [{ name: "llama3.2:3b" }, { name: "nomic-embed-text:latest" }] },
  "/api/show llama3.2:3b": {
    capabilities: ["completion", "tools"],
    model_info: { "general.architecture": "llama", "llama.context_length": 131_072 },
  },
  "/api/show nomic-embed-text:latest": { capabilities: ["embedding"], model_info: {} },
};
const LM_STUDIO = {
  "/api/v0/models": {
    object: "list",
    data: [
      { id: "qwen2-vl-7b-instruct", type: "vlm", state: "not-loaded", max_context_length: 32_768 },
      { id: "llama", type: "llm", state: "loaded", max_context_length: 131_072, loaded_context_length: 8192 },
      { id: "text-embedding-nomic", type: "embeddings", max_context_length: 2048 },
    ],
  },
};
const LLAMA_CPP = {
  "/props": { default_generation_settings: { n_ctx: 4096 } },
  "/v1/models": { object: "list", data: [{ id: "llama", owned_by: "llamacpp" }] },
};
const VLLM = { "/v1/models": { data: [{ id: "Qwen/Qwen3-8B", owned_by: "vllm", max_model_len: 40_960 }] } };

it("finds the servers of this host, and serves what makes text", async () => {
  const servers = await find({ Ollama: OLLAMA, "LM Studio": LM_STUDIO, "llama.cpp": LLAMA_CPP, vLLM: VLLM });
  const { yaml, notes } = importLocal(servers);
  expect(notes).toEqual([]);
  const { models, upstreams } = load(yaml);
  expect(models.map(({ name, contextWindow, deployments }) => [name, contextWindow, deployments[0]])).toEqual([
    ["llama3.2:3b", 131_072, { upstream: "ollama", model: "llama3.2:3b" }],
    ["qwen2-vl-7b-instruct", 32_768, { upstream: "lm-studio", model: "qwen2-vl-7b-instruct" }],
    ["llama", 8192, { upstream: "lm-studio", model: "llama" }],
    ["llama-cpp/llama", 4096, { upstream: "llama-cpp", model: "llama" }],
    ["Qwen/Qwen3-8B", 40_960, { upstream: "vllm", model: "Qwen/Qwen3-8B" }],
  ]);
  expect(upstreams["vllm"]).toMatchObject({ kind: "openai-chat", baseUrl: `${servers[3]?.url}/v1` });
  expect(servers.map((server) => describeServer(server).replace(/:\d+:/, ":PORT:"))).toEqual([
    "Ollama at 127.0.0.1:PORT: llama3.2:3b",
    "LM Studio at 127.0.0.1:PORT: qwen2-vl-7b-instruct, llama",
    "llama.cpp at 127.0.0.1:PORT: llama",
    "vLLM at 127.0.0.1:PORT: Qwen/Qwen3-8B",
  ]);
});

it("writes what the servers tell of themselves: profile, served window, thinking", async () => {
  const info = { "general.architecture": "qwen3", "qwen3.context_length": 40_960 };
  const shown = { capabilities: ["completion", "thinking"], model_info: info, parameters: "num_ctx      64\nstop  x" };
  const ollama = { "/api/tags": { models: [{ name: "short" }] }, "/api/show short": shown };
  const { yaml } = importLocal(await find({ Ollama: ollama, "llama.cpp": LLAMA_CPP, vLLM: VLLM }));
  const { models, upstreams } = load(yaml);
  expect(models.map(({ contextWindow, thinking }) => [contextWindow, thinking])).toEqual([
    [64, "adaptive"],
    [4096, undefined],
    [40_960, undefined],
  ]);
  const profiles = Object.values(upstreams).flatMap((upstream) => ("profile" in upstream ? [upstream.profile] : []));
  expect(profiles).toMatchObject(["ollama", "llama.cpp", "vllm"].map((name) => ({ name, isGuessed: false })));
  const plain = importLocal(await find({ Ollama: OLLAMA }));
  expect(load(plain.yaml).models[0]?.thinking).toBe("none");
});

it("reads the window that a server serves, and not the one of training", async () => {
  const info = { "general.architecture": "qwen3", "qwen3.context_length": 40_960 };
  const ollama = {
    "/api/tags": { models: [{ name: "loaded:latest" }] },
    "/api/ps": { models: [{ name: "loaded:latest", context_length: 4096 }] },
    "/api/show loaded:latest": { capabilities: ["completion"], model_info: info },
  };
  const cards = [
    { id: "tiny", owned_by: "vllm", max_model_len: 512 },
    { id: "adapter", owned_by: "vllm", parent: "tiny" },
  ];
  const own = { owned_by: "llamacpp" };
  const llama = {
    "/v1/models": {
      data: [
        { ...own, id: "small", meta: { n_ctx: 2048, n_ctx_train: 32_768 } },
        { ...own, id: "unloaded" },
        { ...own, id: "embedder", capabilities: ["embedding"] },
      ],
    },
  };
  const tgi = { "/info": { model_id: "HuggingFaceH4/zephyr-7b-beta", max_total_tokens: 2048, max_input_tokens: 2047 } };
  const servers = await find({
    Ollama: ollama,
    "llama.cpp": llama,
    vLLM: { "/v1/models": { data: cards } },
    "Text Generation Inference": tgi,
  });
  expect(servers.map(({ kind, models }) => [kind.profile, models.map((model) => model.contextWindow)])).toEqual([
    ["ollama", [4096]],
    ["llama.cpp", [2048, undefined]],
    ["vllm", [512, 512]],
    ["tgi", [2048]],
  ]);
  load(importLocal(servers).yaml);
});

it("names upstreams of one kind by their ports", async () => {
  const kind = SERVER_KINDS.find(({ name }) => name === "vLLM");
  if (kind === undefined) throw new Error("vLLM is not known");
  const ports = [await start(VLLM), await start(VLLM)];
  const { yaml } = importLocal(await findLocalServers(ports.map((port) => ({ kind, port }))));
  expect(load(yaml).models.map(({ name, deployments }) => [name, deployments[0]?.upstream])).toEqual([
    ["Qwen/Qwen3-8B", "vllm"],
    [`vllm-${ports[1]}/Qwen/Qwen3-8B`, `vllm-${ports[1]}`],
  ]);
});

it("takes nothing else for one", async () => {
  const page = "<html></html>";
  const other = { "/v1/models": { data: [{ id: "m", owned_by: "somebody" }] } };
  const pages = { "/api/tags": page, "/api/v0/models": page, "/props": page };
  expect(await find({ Ollama: pages, "LM Studio": pages, "llama.cpp": pages, vLLM: other, SGLang: other })).toEqual([]);
});

it("names a model of llama.cpp after its file where the server tells a path", async () => {
  const ids = ["/models/qwen2.5-7b.gguf", "../weights/qwen2.5-7b.gguf", "C:\\models\\phi-4.gguf"];
  const cards = { "/v1/models": { data: ids.map((id) => ({ id, owned_by: "llamacpp" })) } };
  const servers = await find({ "llama.cpp": { ...LLAMA_CPP, ...cards } });
  const { yaml, notes } = importLocal(servers);
  expect(notes).toEqual([]);
  expect(load(yaml).models.map(({ name, deployments }) => [name, deployments[0]?.model])).toEqual([
    ["qwen2.5-7b.gguf", ids[0]],
    ["llama-cpp/qwen2.5-7b.gguf", ids[1]],
    ["phi-4.gguf", ids[2]],
  ]);
});

it("leaves out a name that is none", async () => {
  const servers = await find({ vLLM: { "/v1/models": { data: [{ id: "a b", owned_by: "vllm" }] } } });
  expect(importLocal(servers).notes).toEqual([
    { path: "vLLM", text: "the model 'a b' is left out: a name has letters, digits and ._:/@+-" },
  ]);
});

it("leaves its port to a server that has it", () => {
  const [kind] = SERVER_KINDS.filter(({ name }) => name === "llama.cpp");
  if (kind === undefined) throw new Error("llama.cpp is not looked for");
  const models = [{ name: "llama", contextWindow: 4096 }];
  const { yaml, notes } = importLocal([{ kind, url: `http://127.0.0.1:${kind.ports[0]}`, models }]);
  expect(load(yaml).server.port).toBe(8081);
  expect(notes).toEqual([{ path: "server.port", text: "is 8081, since llama.cpp has 8080" }]);
});

it("writes a file that is served where a server does not tell the window", async () => {
  const servers = await find({
    "LM Studio": { "/api/v0/models": { data: [{ id: "openai/gpt-oss-20b" }, { id: "mine" }] } },
  });
  const { models } = load(importLocal(servers).yaml);
  expect(models.map(({ name, contextWindow, price }) => [name, contextWindow, price])).toEqual([
    ["openai/gpt-oss-20b", 131_072, undefined],
    ["mine", 1_000_000_000, undefined],
  ]);
});

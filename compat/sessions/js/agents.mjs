// The agents: each writes its configuration into a home of its own, and says how it is started.
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

export const url = process.env.ATTUNE_URL;
const key = process.env.ATTUNE_KEY;
const WINDOW = 200_000;
const PLAIN = { chat: "attune/chat-model", responses: "attune/responses-model", messages: "attune/messages-model" };
const models = Object.values(PLAIN);
const probe = { command: process.execPath, args: [resolve("probe-server.mjs")] };

function write(file, content) {
  mkdirSync(resolve(file, ".."), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

const MOST = ["edits", "killed", "compaction", "mcp", "subagent", "picture"];
const EVERY = [...MOST, "search"];

function codex(names, scenes) {
  return {
    names,
    scenes,
    prepare(home) {
      const provider = `name = "Attune"\nbase_url = "${url}/v1"\nenv_key = "ATTUNE_KEY"\nwire_api = "responses"\n`;
      const server = `command = "${probe.command}"\nargs = ["${probe.args[0]}"]\n`;
      const window = `model_context_window = ${WINDOW}\nmodel_auto_compact_token_limit = ${WINDOW / 2}\n`;
      const head = `model_provider = "attune"\nweb_search = "live"\n${window}`;
      write(`${home}/.codex/config.toml`, `${head}[model_providers.attune]\n${provider}[mcp_servers.probe]\n${server}`);
    },
    start({ model, prompt, isResumed, picture }) {
      const options = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-m", model];
      const first = isResumed ? ["exec", "resume", "--last"] : ["exec"];
      const attached = picture === undefined ? [] : ["-i", picture];
      return { args: ["codex", ...first, ...options, prompt, ...attached], env: { ATTUNE_KEY: key } };
    },
  };
}

function opencode(npm) {
  return {
    names: PLAIN,
    scenes: MOST,
    prepare(home) {
      const limit = { context: WINDOW, output: 32_000 };
      const one = { tool_call: true, reasoning: true, attachment: true, limit };
      const modalities = { input: ["text", "image"], output: ["text"] };
      const all = Object.fromEntries(models.map((model) => [model, { name: model, modalities, ...one }]));
      const provider = { attune: { npm, name: "Attune", options: { baseURL: `${url}/v1`, apiKey: key }, models: all } };
      const mcp = { probe: { type: "local", command: [probe.command, ...probe.args] } };
      write(`${home}/opencode.json`, { provider, mcp, permission: "allow", autoupdate: false });
    },
    start({ model, prompt, isResumed, picture }) {
      const options = ["--model", `attune/${model}`, "--format", "json", ...(isResumed ? ["--continue"] : [])];
      const attached = picture === undefined ? [] : ["-f", picture];
      return { args: ["opencode", "run", prompt, ...options, ...attached] };
    },
  };
}

function pi(api) {
  return {
    names: PLAIN,
    scenes: ["edits", "killed", "compaction", "mcp", "picture"],
    prepare(home) {
      const one = { reasoning: true, input: ["text", "image"], contextWindow: WINDOW, maxTokens: 32_000 };
      const baseUrl = api === "anthropic-messages" ? url : `${url}/v1`;
      const attune = { baseUrl, api, apiKey: key, models: models.map((id) => ({ id, ...one })) };
      write(`${home}/.pi/agent/models.json`, { providers: { attune } });
      // So that it finds something to compact in a few words.
      write(`${home}/.pi/agent/settings.json`, { compaction: { keepRecentTokens: 10 } });
      write(`${home}/.pi/agent/mcp.json`, { mcpServers: { probe: { ...probe, exposure: "direct" } } });
    },
    start({ model, prompt, isResumed, picture }) {
      const options = ["--print", "--provider", "attune", "--model", model, ...(isResumed ? ["--continue"] : [])];
      const attached = picture === undefined ? [] : [`@${picture}`];
      return { args: ["pi", ...options, ...attached, prompt], env: { PI_OFFLINE: "1", PI_TELEMETRY: "0" } };
    },
  };
}

function qwen(auth) {
  return {
    names: PLAIN,
    scenes: ["edits", "killed", "compaction", "mcp", "subagent"],
    prepare(home) {
      const generationConfig = { contextWindowSize: WINDOW, modalities: { image: true } };
      write(`${home}/.qwen/settings.json`, {
        mcpServers: { probe: { ...probe, trust: true } },
        model: { generationConfig },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      });
    },
    start({ model, prompt, isResumed }) {
      const env =
        auth === "anthropic"
          ? { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url, ANTHROPIC_MODEL: model }
          : { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: model };
      const options = ["--auth-type", auth, "--model", model, "--yolo", ...(isResumed ? ["--continue"] : [])];
      return { args: ["qwen", ...options, "-p", prompt], env };
    },
  };
}

function claudeEnvironment(model) {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: model,
    CLAUDE_CODE_SUBAGENT_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // It takes a model that it does not know for one of a million tokens.
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(WINDOW),
    DISABLE_AUTOUPDATER: "1",
    // Its permissions may be skipped by root in a sandbox alone.
    IS_SANDBOX: "1",
  };
}

function goose(provider) {
  return {
    names: PLAIN,
    scenes: ["edits", "killed", "compaction", "mcp", "subagent"],
    prepare() {},
    start({ model, prompt, isResumed }) {
      const options = ["--with-builtin", "developer", "--with-extension", [probe.command, ...probe.args].join(" ")];
      const session = ["--name", "play", ...(isResumed ? ["--resume"] : [])];
      const hosts = { OPENAI_HOST: url, OPENAI_API_KEY: key, ANTHROPIC_HOST: url, ANTHROPIC_API_KEY: key };
      const quiet = { GOOSE_DISABLE_KEYRING: "1", GOOSE_MODE: "auto", GOOSE_TELEMETRY_ENABLED: "false" };
      const set = { GOOSE_PROVIDER: provider, GOOSE_MODEL: model, GOOSE_CONTEXT_LIMIT: String(WINDOW) };
      return { args: ["goose", "run", ...session, ...options, "-t", prompt], env: { ...hosts, ...quiet, ...set } };
    },
  };
}

export const AGENTS = {
  "claude-code": {
    names: PLAIN,
    scenes: EVERY,
    // It has no way to attach a picture: its model reads the file.
    reads: true,
    prepare(home) {
      write(`${home}/mcp.json`, { mcpServers: { probe } });
    },
    start({ home, model, prompt, isResumed }) {
      const options = ["--model", model, "--dangerously-skip-permissions", "--mcp-config", `${home}/mcp.json`];
      return {
        args: ["claude", "-p", prompt, ...options, ...(isResumed ? ["--continue"] : [])],
        env: claudeEnvironment(model),
      };
    },
  },
  "claude-agent-sdk": {
    names: PLAIN,
    scenes: EVERY,
    prepare() {},
    start({ model, ...asked }) {
      const args = [process.execPath, resolve("agent-sdk.mjs"), JSON.stringify({ model, ...asked })];
      return { args, env: claudeEnvironment(model) };
    },
  },
  codex: codex(PLAIN, EVERY),
  // It offers these models no search where another than OpenAI serves them.
  "codex, names that it knows": codex(
    { chat: "attune/gpt-6-astra", responses: "attune/gpt-5.6-sol", messages: "attune/gpt-6.2-sol" },
    MOST,
  ),
  "opencode, chat": opencode("@ai-sdk/openai-compatible"),
  "opencode, responses": opencode("@ai-sdk/openai"),
  "opencode, messages": opencode("@ai-sdk/anthropic"),
  "pi, chat": pi("openai-completions"),
  "pi, responses": pi("openai-responses"),
  "pi, messages": pi("anthropic-messages"),
  "qwen-code, chat": qwen("openai"),
  "qwen-code, responses": qwen("openai-responses"),
  "qwen-code, messages": qwen("anthropic"),
  "goose, chat": goose("openai"),
  "goose, messages": goose("anthropic"),
};

// `node calls.mjs CLIENT`: has a client make one call for each column, and prints of each, as a line of JSON, how it ended.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const { SERVER, COLUMNS } = process.env;
/** A call that is still waiting by then is ended. */
const LIMIT_MS = 80_000;
const MODEL = "attune/gpt-6-astra";
const CLAUDE = "attune/claude-sonnet-5-5";
const prompt = "Good day?";
const messages = [{ role: "user", content: prompt }];
const apiKey = "key";

const gathered = async (stream, read) => {
  let text = "";
  for await (const event of stream) text += read(event) ?? "";
  return text;
};

/** SDKs: each gets a base URL without /v1, and returns the text of a stream. */
const sdks = {
  async "openai chat"(url) {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ apiKey, baseURL: `${url}/v1` });
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
    return gathered(stream, (chunk) => chunk.choices?.[0]?.delta?.content);
  },
  async "openai responses"(url) {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ apiKey, baseURL: `${url}/v1` });
    const stream = await client.responses.create({ model: MODEL, input: prompt, stream: true });
    return gathered(stream, (event) => (event.type === "response.output_text.delta" ? event.delta : ""));
  },
  async anthropic(url) {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    const client = new Anthropic({ apiKey, baseURL: url });
    const stream = await client.messages.create({ model: CLAUDE, messages, max_tokens: 100, stream: true });
    return gathered(stream, (event) => event.delta?.text);
  },
  async "ai-sdk responses"(url) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return aiSdk(createOpenAI({ apiKey, baseURL: `${url}/v1` })(MODEL));
  },
  async "ai-sdk messages"(url) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return aiSdk(createAnthropic({ apiKey, baseURL: `${url}/v1` })(CLAUDE));
  },
  async "langchain chat"(url) {
    const { ChatOpenAI } = await import("@langchain/openai");
    const model = new ChatOpenAI({ model: MODEL, apiKey, configuration: { baseURL: `${url}/v1` } });
    return gathered(await model.stream(prompt), (chunk) => chunk.text);
  },
  async "langchain messages"(url) {
    const { ChatAnthropic } = await import("@langchain/anthropic");
    const model = new ChatAnthropic({ model: CLAUDE, apiKey, anthropicApiUrl: url });
    return gathered(await model.stream(prompt), (chunk) => chunk.text);
  },
};

async function aiSdk(model) {
  const { streamText } = await import("ai");
  let failure;
  const { textStream } = streamText({ model, prompt, onError: ({ error }) => (failure = error) });
  const text = await gathered(textStream, (part) => part);
  if (failure !== undefined) throw failure;
  return text;
}

/** Programs: each gets a base URL and a home of its own, and returns its command line. */
const programs = {
  codex(url, home) {
    mkdirSync(`${home}/.codex`, { recursive: true });
    const provider = `name = "X"\nbase_url = "${url}/v1"\nenv_key = "KEY"\nwire_api = "responses"\n`;
    writeFileSync(`${home}/.codex/config.toml`, `model_provider = "x"\n[model_providers.x]\n${provider}`);
    return { args: ["codex", "exec", "--skip-git-repo-check", "-m", MODEL, prompt] };
  },
  "claude-code"(url) {
    const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" };
    return {
      args: ["claude", "-p", prompt, "--model", CLAUDE],
      env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: apiKey, ...quiet },
    };
  },
  opencode(url, home) {
    const options = { baseURL: `${url}/v1`, apiKey };
    const models = { [MODEL]: { name: "x", tool_call: true } };
    const provider = { x: { npm: "@ai-sdk/openai-compatible", name: "X", options, models } };
    writeFileSync(`${home}/opencode.json`, JSON.stringify({ provider }));
    return { args: ["opencode", "run", "--model", `x/${MODEL}`, prompt] };
  },
  "qwen-code"(url) {
    const env = { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: MODEL };
    return { args: ["qwen", "--auth-type", "openai", "-p", prompt], env };
  },
  cline(url, home) {
    const provider = [
      "--provider",
      "openai-compatible",
      "--apikey",
      apiKey,
      "--modelid",
      MODEL,
      "--baseurl",
      `${url}/v1`,
    ];
    const env = { PATH: process.env.PATH, HOME: home };
    spawnSync(resolve("node_modules/.bin/cline"), ["auth", ...provider], { cwd: home, env, stdio: "ignore" });
    return { args: ["cline", "--json", "-P", "openai-compatible", "-m", MODEL, prompt] };
  },
};

function runProgram(name, url, index) {
  const home = resolve(`home-${index}`);
  mkdirSync(home, { recursive: true });
  const { args, env = {} } = programs[name](url, home);
  const [command, ...rest] = args;
  const child = spawn(resolve("node_modules/.bin", command), rest, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, KEY: apiKey, CI: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), LIMIT_MS);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((done) =>
    child.on("close", (code) => {
      clearTimeout(timer);
      done({ isText: output.includes("Good day.") && code === 0, note: output.slice(-300) });
    }),
  );
}

async function runSdk(name, url) {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("still waiting")), LIMIT_MS).unref());
  try {
    const text = await Promise.race([sdks[name](url), late]);
    return { isText: text.includes("Good day."), note: text };
  } catch (thrown) {
    return { isText: false, note: `${thrown?.constructor?.name}: ${thrown?.message}` };
  }
}

const [name] = process.argv.slice(2);
const columns = JSON.parse(COLUMNS);
const isProgram = Object.hasOwn(programs, name);
// SDKs wait most of the time; programs start with seconds of work.
const atOnce = isProgram ? 3 : columns.length;
const waiting = columns.map((column, index) => ({ column, index }));
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { column, index } = next;
      const url = `${SERVER}/${index}`;
      const { isText, note } = await (isProgram ? runProgram(name, url, index) : runSdk(name, url));
      console.log(JSON.stringify({ column, isText, note: `${note}`.replaceAll("\n", " ").slice(-300) }));
    }
  }),
);
process.exit(0);

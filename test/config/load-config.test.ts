import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Environment } from "../../src/config/interpolate.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { ConfigError } from "../../src/config/mistake.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-config-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(yaml: string, environment: Environment = {}) {
  writeFileSync(join(folder, "attune.yaml"), yaml);
  return loadConfig(environment, folder);
}

function messageOf(yaml: string, environment: Environment = {}): string {
  try {
    load(yaml, environment);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message;
    throw thrown;
  }
  throw new Error("the configuration was accepted");
}

const MODEL = `
models:
  - name: m
    family: chat
    contextWindow: 1000
    maxOutputTokens: 100
    deployments: [ { upstream: sandbox, model: x } ]
`;

const SANDBOX_DEPLOYMENTS = [{ upstream: "sandbox", model: "sandbox" }];

describe("loadConfig() without a file", () => {
  it("has defaults, and serves the four models by the sandbox", () => {
    const { models, ...config } = loadConfig({}, folder);
    expect(config).toEqual({
      file: undefined,
      prefix: "attune",
      server: { host: "127.0.0.1", port: 8080, bodyLimitBytes: 33_554_432 },
      database: { url: "sqlite:./data/attune.db" },
      bootstrapKey: undefined,
      upstreams: { sandbox: { kind: "sandbox" } },
    });
    expect(models.map(({ name, deployments }) => ({ name, deployments }))).toEqual([
      { name: "gpt-6-astra", deployments: SANDBOX_DEPLOYMENTS },
      { name: "claude-fable-5-2", deployments: SANDBOX_DEPLOYMENTS },
      { name: "claude-sonnet-5-5", deployments: SANDBOX_DEPLOYMENTS },
      { name: "claude-haiku-5-5", deployments: SANDBOX_DEPLOYMENTS },
    ]);
  });

  it("serves the models whose provider has a key", () => {
    const { models, upstreams } = loadConfig({ ANTHROPIC_API_KEY: "sk-ant-1", OPENAI_API_KEY: "" }, folder);
    expect(upstreams).toEqual({
      sandbox: { kind: "sandbox" },
      anthropic: {
        kind: "anthropic-messages",
        baseUrl: "https://api.anthropic.com",
        apiKey: "sk-ant-1",
        timeouts: { connectMs: 10_000, firstByteMs: 300_000, idleMs: 120_000, totalMs: 3_600_000 },
        headers: {},
      },
    });
    expect(models.map((model) => model.deployments)).toEqual([
      SANDBOX_DEPLOYMENTS,
      [{ upstream: "anthropic", model: "claude-fable-5-2" }],
      [{ upstream: "anthropic", model: "claude-sonnet-5-5" }],
      [{ upstream: "anthropic", model: "claude-haiku-5-5" }],
    ]);
  });

  it("honours the base URLs of the environment", () => {
    const environment = {
      OPENAI_API_KEY: "a",
      OPENAI_BASE_URL: "http://proxy:1/v1",
      ANTHROPIC_API_KEY: "b",
      ANTHROPIC_BASE_URL: "http://proxy:2",
    };
    const { upstreams, models } = loadConfig(environment, folder);
    expect(upstreams["openai"]).toMatchObject({ kind: "openai-responses", baseUrl: "http://proxy:1/v1", apiKey: "a" });
    expect(upstreams["anthropic"]).toMatchObject({ baseUrl: "http://proxy:2", apiKey: "b" });
    expect(models[0]?.deployments).toEqual([{ upstream: "openai", model: "gpt-6-astra" }]);
  });

  it("takes the environment's overrides", () => {
    const config = loadConfig(
      {
        ATTUNE_HOST: "0.0.0.0",
        ATTUNE_PORT: "0",
        ATTUNE_DATABASE_URL: "postgresql://u:p@h/d",
        ATTUNE_BOOTSTRAP_KEY: "k",
      },
      folder,
    );
    expect(config).toMatchObject({
      server: { host: "0.0.0.0", port: 0, bodyLimitBytes: 33_554_432 },
      database: { url: "postgresql://u:p@h/d" },
      bootstrapKey: "k",
    });
  });

  it.each([
    [{ ATTUNE_PORT: "http" }, "ATTUNE_PORT must be a whole number from 0 to 65535"],
    [{ ATTUNE_PORT: "65536" }, "ATTUNE_PORT must be a whole number from 0 to 65535"],
    [{ ATTUNE_DATABASE_URL: "mysql://u:secret@h/d" }, "ATTUNE_DATABASE_URL must begin with sqlite: or postgresql://"],
    [
      { OPENAI_API_KEY: "a", OPENAI_BASE_URL: "ftp://x" },
      "OPENAI_BASE_URL must be an http or https address without credentials, query and fragment",
    ],
    [{ OPENAI_API_KEY: "secret\n" }, "OPENAI_API_KEY must be one line of printable characters without spaces"],
  ])("names the variable of %j", (environment, message) => {
    expect(() => loadConfig(environment, folder)).toThrow(new RegExp(`^${message}$`));
  });

  it("says which file cannot be read", () => {
    expect(() => loadConfig({ ATTUNE_CONFIG: "missing.yaml" }, folder)).toThrow(
      "missing.yaml cannot be read (ENOENT): change ATTUNE_CONFIG, or unset it to use ./attune.yaml",
    );
  });
});

describe("loadConfig() with a file", () => {
  it("reads every key", () => {
    const config = load(`
prefix: acme
server: { host: "::1", port: 9000, bodyLimitBytes: 4096 }
database: { url: "sqlite::memory:" }
bootstrapKey: boot
upstreams:
  vllm:
    kind: openai-chat
    baseUrl: http://127.0.0.1:8000/v1
    apiKey: key
    timeouts: { connectMs: 1, firstByteMs: 2, idleMs: 3, totalMs: 4 }
    headers: { x-team: blue }
models:
  - name: org/m:8b
    displayName: M
    family: messages
    purpose: Testing
    contextWindow: 1000
    maxOutputTokens: 100
    minCacheableTokens: 10
    price: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite5m: 1.5625, cacheWrite1h: 2.5 }
    createdAt: 2026-01-02
    deployments: [ { upstream: vllm, model: m }, { upstream: sandbox, model: s } ]
`);
    expect(config).toEqual({
      file: "attune.yaml",
      prefix: "acme",
      server: { host: "::1", port: 9000, bodyLimitBytes: 4096 },
      database: { url: "sqlite::memory:" },
      bootstrapKey: "boot",
      upstreams: {
        sandbox: { kind: "sandbox" },
        vllm: {
          kind: "openai-chat",
          baseUrl: "http://127.0.0.1:8000/v1",
          apiKey: "key",
          timeouts: { connectMs: 1, firstByteMs: 2, idleMs: 3, totalMs: 4 },
          headers: { "x-team": "blue" },
        },
      },
      models: [
        {
          name: "org/m:8b",
          displayName: "M",
          family: "messages",
          purpose: "Testing",
          contextWindow: 1000,
          maxOutputTokens: 100,
          minCacheableTokens: 10,
          price: {
            input: 1_250_000,
            output: 10_000_000,
            cacheRead: 125_000,
            cacheWrite5m: 1_562_500,
            cacheWrite1h: 2_500_000,
          },
          createdAt: new Date("2026-01-02T00:00:00Z"),
          deployments: [
            { upstream: "vllm", model: "m" },
            { upstream: "sandbox", model: "s" },
          ],
        },
      ],
    });
  });

  it("fills in what a model leaves out", () => {
    expect(load(MODEL).models).toEqual([
      {
        name: "m",
        displayName: "m",
        family: "chat",
        purpose: "",
        contextWindow: 1000,
        maxOutputTokens: 100,
        minCacheableTokens: 0,
        price: undefined,
        createdAt: new Date(0),
        deployments: [{ upstream: "sandbox", model: "x" }],
      },
    ]);
  });

  it("prices caching like the prompt where no price is given, also for long prompts", () => {
    const price =
      "    price: { input: 2, output: 3, longPrompt: { aboveTokens: 9, input: 4, output: 6, cacheWrite5m: 5 } }\n";
    expect(load(MODEL + price).models[0]?.price).toEqual({
      input: 2_000_000,
      output: 3_000_000,
      cacheRead: 2_000_000,
      cacheWrite5m: 2_000_000,
      cacheWrite1h: 2_000_000,
      longPrompt: {
        aboveTokens: 9,
        input: 4_000_000,
        output: 6_000_000,
        cacheRead: 4_000_000,
        cacheWrite5m: 5_000_000,
        cacheWrite1h: 5_000_000,
      },
    });
  });

  it("puts the four models on the upstreams by their kind, the rest on the operator's own sandbox", () => {
    const { models } = load(`
upstreams:
  first: { kind: anthropic-messages, baseUrl: "http://a" }
  second: { kind: anthropic-messages, baseUrl: "http://b" }
  vllm: { kind: openai-chat, baseUrl: "http://c" }
  play: { kind: sandbox }
`);
    expect(models.map((model) => model.deployments)).toEqual([
      [{ upstream: "play", model: "sandbox" }],
      ...["claude-fable-5-2", "claude-sonnet-5-5", "claude-haiku-5-5"].map((model) => [
        { upstream: "first", model },
        { upstream: "second", model },
      ]),
    ]);
  });

  it("has the environment's upstreams where the file names none", () => {
    const { upstreams, server } = load("server: { port: 1 }", { OPENAI_API_KEY: "a" });
    expect(Object.keys(upstreams)).toEqual(["sandbox", "openai"]);
    expect(server.port).toBe(1);
  });

  it("has only the file's upstreams where it names some", () => {
    const { upstreams } = load("upstreams: { a: { kind: sandbox } }", { OPENAI_API_KEY: "a" });
    expect(Object.keys(upstreams)).toEqual(["sandbox", "a"]);
  });

  it("puts the environment before the file", () => {
    expect(load("server: { port: 1, host: h }", { ATTUNE_PORT: "2" }).server).toMatchObject({ port: 2, host: "h" });
  });

  it("reads the file that ATTUNE_CONFIG names", () => {
    writeFileSync(join(folder, "other.yaml"), "prefix: other");
    expect(load("prefix: default", { ATTUNE_CONFIG: "other.yaml" })).toMatchObject({
      file: "other.yaml",
      prefix: "other",
    });
  });

  it.each(["", "# nothing\n", "---\n"])("takes an empty file for defaults: %j", (yaml) => {
    expect(load(yaml)).toEqual({ ...loadConfig({}, tmpdir()), file: "attune.yaml" });
  });

  it("is frozen to its depths", () => {
    const config = load(MODEL);
    expect(() => Object.assign(config.server, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.models[0]?.deployments[0] ?? {}, { model: "y" })).toThrow(TypeError);
  });

  it("accepts the example", () => {
    const example = readFileSync(new URL("../../attune.example.yaml", import.meta.url), "utf8");
    expect(example.split("\n")[0]).toBe("# yaml-language-server: $schema=./docs/attune.schema.json");
    const config = load(example);
    expect(config.models.map((model) => model.name)).toEqual([
      "gpt-6-astra",
      "claude-sonnet-5-5",
      "llama-local",
      "rehearsal",
    ]);
    expect(config.bootstrapKey).toBeUndefined();
    expect(config.upstreams["local-vllm"]).toMatchObject({ baseUrl: "http://127.0.0.1:8000/v1", apiKey: undefined });
  });
});

describe("loadConfig() and the environment's values in the file", () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the references are what is tested.
  it("replaces references in texts and numbers", () => {
    const yaml = "server: { host: '${HOST:-h}.local', port: '${PORT}' }\nprefix: ${A}-${B:-b}";
    const config = load(yaml, { PORT: "81", A: "a", B: "" });
    expect(config).toMatchObject({ server: { host: "h.local", port: 81 }, prefix: "a-b" });
  });

  it("does not let a value become YAML", () => {
    const yaml = "upstreams:\n  a: { kind: openai-chat, baseUrl: 'http://a', headers: { x: '${X}' } }";
    const config = load(yaml, { X: "a, y: b }" });
    expect(config.upstreams["a"]).toMatchObject({ headers: { x: "a, y: b }" } });
  });

  it("keeps a doubled dollar sign as text", () => {
    const yaml = "upstreams:\n  a: { kind: openai-chat, baseUrl: 'http://a', headers: { x: '$${X} $5 $' } }";
    expect(load(yaml).upstreams["a"]).toMatchObject({ headers: { x: "${X} $5 $" } });
  });

  it("leaves out optional keys whose variable is not set or empty", () => {
    const yaml = "bootstrapKey: ${A}\nupstreams:\n  a: { kind: openai-chat, baseUrl: 'http://a', apiKey: '${B}' }";
    for (const environment of [{}, { A: "", B: "" }]) {
      const config = load(yaml, environment);
      expect(config.bootstrapKey).toBeUndefined();
      expect(config.upstreams["a"]).toMatchObject({ apiKey: undefined });
    }
  });

  it("does not replace references in keys", () => {
    expect(messageOf("${A}: 1", { A: "prefix" })).toMatch(/^attune\.yaml:1:1 \$\{A\} is not known here/);
  });
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.
});

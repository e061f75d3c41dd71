import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_RULES } from "../../src/alerts/rules.ts";
import { findServerFacts } from "../../src/catalog/server-facts.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { folder, useFolder } from "./harness.ts";

useFolder();

const SANDBOX_DEPLOYMENTS = [{ upstream: "sandbox", model: "sandbox" }];

const LIMITS = {
  bodyBytes: 33_554_432,
  receivingBytes: 268_435_456,
  background: 1000,
  feedbackEvents: 100_000,
  tokenValues: 50,
  tokenRequests: 30,
  answerRequests: 60,
  addressRequests: 300,
  projectShare: 0.75,
  jsonDepth: 256,
  jsonValues: 100_000,
  jsonMembers: 10_000,
  messages: 100_000,
  tools: 4096,
};

describe("loadConfig() without a file", () => {
  it("has defaults, and serves the four models by the sandbox", () => {
    const { models, ...config } = loadConfig({}, folder);
    expect(config).toEqual({
      file: undefined,
      secretFiles: [],
      prefix: "attune",
      server: {
        host: "127.0.0.1",
        port: 8080,
        limits: LIMITS,
        publicUrl: undefined,
        adminPort: undefined,
        adminHost: "127.0.0.1",
        metricsToken: undefined,
        grpcHealth: true,
        reflection: true,
        proxies: 0,
        clientIdleMs: 120_000,
        reusePort: false,
        sessionHeaders: [],
        browserOrigins: [],
        watchConfig: false,
        drainMs: 0,
        shutdownMs: 30_000,
      },
      dashboard: { enabled: true, signIn: { providers: {}, refreshMs: 300_000, required: false } },
      database: { url: "sqlite:./data/attune.db" },
      spool: { folder: "data/spool", maxBytes: 1_073_741_824, whenFull: "shed" },
      telemetry: { serviceName: "attune", resourceAttributes: {}, traces: undefined, metrics: undefined },
      retention: {
        inferencesDays: undefined,
        bodiesDays: undefined,
        feedbackDays: undefined,
        hoursDays: 100,
        figuresDays: undefined,
        auditDays: undefined,
        confirmAbovePercent: 25,
      },
      quotas: {
        keysPerProject: 200,
        membersPerProject: 500,
        projectsPerPerson: 50,
        accounts: 10_000,
        installation: {},
        eachProject: {},
        eachKey: {},
        eachEndUser: {},
        reserve: "usual",
        whenDatabaseAway: "serve",
        warnAt: 0.8,
        hideModels: false,
      },
      alerts: {
        enabled: true,
        rules: DEFAULT_RULES,
        destinations: [],
        smtp: undefined,
        allowPrivateAddresses: false,
        dashboardUrl: undefined,
      },
      figures: { namesPerProject: 200 },
      routing: { failoverShare: 0.1, hedgingShare: 0.02, retryShare: 0.1 },
      audit: { share: 0, nullShare: 0.5, callsPerHour: 120, concurrency: 2, timeoutMs: 300_000 },
      log: { requests: { level: "info", sample: 1 } },
      learning: {
        mode: "on",
        priors: {},
        rewardPerPrice: 0.005,
        usdPerReward: 0,
        unit: "session",
        models: "upstream",
        shadow: { share: 0, usdPerDay: 5, concurrency: 4, timeoutMs: 300_000 },
      },
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

  it("serves the models whose provider has a key, and no others", () => {
    const { models, upstreams, unserved } = loadConfig({ ANTHROPIC_API_KEY: "sk-ant-1", OPENAI_API_KEY: "" }, folder);
    expect(upstreams).toEqual({
      sandbox: { kind: "sandbox" },
      anthropic: {
        kind: "anthropic-messages",
        baseUrl: "https://api.anthropic.com",
        apiKey: "sk-ant-1",
        timeouts: { connectMs: 10_000, firstByteMs: 300_000, idleMs: 120_000, totalMs: 3_600_000 },
        ask: "as-called",
        limits: { eventBytes: 16_777_216, eventValues: 250_000, answerBytes: 67_108_864 },
        headers: {},
        profile: { ...findServerFacts("anthropic", "messages"), name: "anthropic", isGuessed: true },
      },
    });
    const named = models.filter(({ listed }) => listed !== true);
    expect(named.map((model) => model.deployments)).toEqual([
      [{ upstream: "anthropic", model: "claude-fable-5-2" }],
      [{ upstream: "anthropic", model: "claude-sonnet-5-5" }],
      [{ upstream: "anthropic", model: "claude-haiku-5-5" }],
    ]);
    expect(unserved).toEqual([
      {
        name: "gpt-6-astra",
        reason:
          "no upstream of the kind openai-responses is configured: add one under 'upstreams' (OPENAI_API_KEY is " +
          "enough where the file has no 'upstreams'), or name the model under 'models'",
      },
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
        ATTUNE_ADMIN_PORT: "9464",
        ATTUNE_DATABASE_URL: "postgresql://u:p@h/d",
        ATTUNE_BOOTSTRAP_KEY: "a-bootstrap-key-of-tests",
      },
      folder,
    );
    expect(config).toMatchObject({
      server: {
        host: "0.0.0.0",
        port: 0,
        limits: LIMITS,
        adminPort: 9464,
        grpcHealth: true,
        reflection: true,
      },
      database: { url: "postgresql://u:p@h/d" },
      bootstrapKey: "a-bootstrap-key-of-tests",
    });
  });

  it.each([
    ["sqlite:/var/lib/attune/attune.db", "/var/lib/attune/spool"],
    ["sqlite:///var/lib/attune.db", "/var/lib/spool"],
    ["sqlite::memory:", "data/spool"],
    ["postgresql://u:p@h/d", "data/spool"],
  ])("has the records of %s wait in %s", (url, spool) => {
    expect(loadConfig({ ATTUNE_DATABASE_URL: url }, folder).spool.folder).toBe(spool);
  });

  it("has the records of a file wait in one place, by whichever links it is named", () => {
    const own = realpathSync(folder);
    mkdirSync(join(own, "data"));
    symlinkSync(join("data", "attune.db"), join(own, "link.db"));
    const spoolOf = (file: string) => loadConfig({ ATTUNE_DATABASE_URL: `sqlite:${file}` }, own).spool.folder;
    expect(spoolOf(join(own, "link.db"))).toBe(join(own, "data", "spool"));
    writeFileSync(join(own, "data", "attune.db"), "");
    symlinkSync(join(own, "link.db"), join(own, "other.db"));
    expect(spoolOf(join(own, "other.db"))).toBe(join(own, "data", "spool"));
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
      "missing.yaml cannot be read (ENOENT): name another file (ATTUNE_CONFIG), or none to use ./attune.yaml",
    );
  });
});

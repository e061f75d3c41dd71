import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_RULES } from "../../src/alerts/rules.ts";
import { SANDBOX_PRICE } from "../../src/catalog/built-in.ts";
import { findServerFacts } from "../../src/catalog/server-facts.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { folder, load, useFolder } from "./harness.ts";

useFolder();

const MODEL = `
models:
  - name: m
    family: chat
    contextWindow: 1000
    maxOutputTokens: 100
    deployments: [ { upstream: sandbox, model: x } ]
`;

describe("loadConfig() with a file", () => {
  it("reads every key", () => {
    const config = load(`
prefix: acme
server: { host: "::1", port: 9000, limits: { bodyBytes: 4096, receivingBytes: 2097152, background: 8, feedbackEvents: 20000, tokenValues: 5, tokenRequests: 6, answerRequests: 7, addressRequests: 8, projectShare: 0.5, jsonDepth: 32, jsonValues: 5000, jsonMembers: 500, messages: 10, tools: 20 }, publicUrl: "https://attune.example.com/", adminPort: 9464, adminHost: 0.0.0.0, metricsToken: a-token-of-metrics, grpcHealth: false, reflection: false, proxies: 2, reusePort: true, sessionHeaders: [X-Team-Session], browserOrigins: ["https://App.example.com/"], watchConfig: true, drainMs: 4, shutdownMs: 5 }
dashboard:
  enabled: false
  signIn:
    required: true
    refreshMs: 60000
    providers:
      company:
        label: Example Inc.
        issuer: https://login.example.com
        clientId: attune
        clientSecret: a-secret
        scopes: [openid, email, offline_access]
        prompt: consent
        groupsClaim: roles
        groups: [{ group: platform, project: default, role: admin }]
        emailVerified: always
        linkAccounts: true
database: { url: "sqlite::memory:" }
spool: { folder: /var/spool/attune, maxBytes: 1048576, whenFull: refuse }
log: { requests: { level: debug, sample: "0.25" } }
retention: { inferencesDays: 365, bodiesDays: 30, feedbackDays: 90, hoursDays: 50, figuresDays: 800, auditDays: 2000, confirmAbovePercent: 40 }
telemetry:
  { enabled: true, endpoint: "http://c:4318", protocol: http/json, headers: { a: b }, timeoutMs: 100, compression: gzip, serviceName: acme, resourceAttributes: { r: s },
    traces: { enabled: true, endpoint: "http://t:4317", protocol: grpc, headers: { c: d }, sampleRatio: "0.5", propagate: true, content: true }, metrics: { enabled: true, endpoint: "http://m/in", protocol: http/protobuf, headers: {}, intervalMs: 1000 } }
figures: { namesPerProject: 5 }
alerts: { enabled: false, allowPrivateAddresses: true, destinations: { ops: { kind: slack, url: "https://hooks.example.com/x" } }, smtp: { host: mail, port: "25", tls: none, user: u, password: p, from: a@example.com } }
quotas:
  { keysPerProject: 1, membersPerProject: 2, projectsPerPerson: 3, accounts: 4, reserve: bound, whenDatabaseAway: refuse, warnAt: 0.5, hideModels: true,
    installation: { usdPerDay: 0.000000001, usdPerMonth: 1000, usdTotal: "2.5" }, eachProject: { requestsPerMinute: 600, inputTokensPerMinute: 1000000, outputTokensPerMinute: 0 },
    eachKey: { concurrentCalls: 10, models: [acme/org/m:8b] }, eachEndUser: { models: ["org/m:8b"] } }
routing: { failoverShare: 0.2, hedgingShare: 0, retryShare: 0.5 }
audit: { share: 0.02, nullShare: 1, callsPerHour: 60, usdPerDay: 2.5, concurrency: 1, timeoutMs: 60000 }
learning: { mode: on, priors: { "org/m:8b": "-0.25" }, models: ["org/m:8b"], shadow: { share: "0.1", judge: "org/m:8b", rubric: Short. } }
bootstrapKey: a-bootstrap-key-of-tests
upstreams:
  vllm:
    kind: openai-chat
    baseUrl: http://127.0.0.1:8000/v1
    apiKey: key
    timeouts: { connectMs: 1, firstByteMs: 2, idleMs: 3, totalMs: 4 }
    headers: { x-team: blue }
    profile: { base: vllm, cacheBreakpoints: true, n: "4" }
models:
  - name: org/m:8b
    displayName: M
    family: messages
    purpose: Testing
    contextWindow: 1000
    maxOutputTokens: 100
    minCacheableTokens: 10
    thinking: budget
    budgetEfforts: { medium: 0, xhigh: "30000" }
    price: { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite5m: 1.5625, cacheWrite1h: 2.5 }
    createdAt: 2026-01-02
    deployments: [ { upstream: vllm, model: m }, { upstream: sandbox, model: s } ]
    optimizations: { choice: false, hedging: false, cacheMarks: false, checkedRetry: unary }
    checks: [ { workload: years, pattern: '^\\d{4}$' }, { schema: { type: object, $defs: { a: { minimum: 1 } } } }, { webhook: { url: "http://h:1/a?b=c", deadlineMs: 500, concurrency: 3, secret: sixteen-characters, headers: { x-key: k }, sendPrompt: true } }, { webhook: { url: http://h } } ]
`);
    expect(config).toEqual({
      file: "attune.yaml",
      secretFiles: [],
      prefix: "acme",
      server: {
        host: "::1",
        port: 9000,
        limits: {
          bodyBytes: 4096,
          receivingBytes: 2_097_152,
          background: 8,
          feedbackEvents: 20_000,
          tokenValues: 5,
          tokenRequests: 6,
          answerRequests: 7,
          addressRequests: 8,
          projectShare: 0.5,
          jsonDepth: 32,
          jsonValues: 5000,
          jsonMembers: 500,
          messages: 10,
          tools: 20,
        },
        publicUrl: "https://attune.example.com",
        adminPort: 9464,
        adminHost: "0.0.0.0",
        metricsToken: "a-token-of-metrics",
        grpcHealth: false,
        reflection: false,
        proxies: 2,
        clientIdleMs: 120_000,
        reusePort: true,
        sessionHeaders: ["x-team-session"],
        browserOrigins: ["https://app.example.com"],
        watchConfig: true,
        drainMs: 4,
        shutdownMs: 5,
      },
      dashboard: {
        enabled: false,
        signIn: {
          required: true,
          refreshMs: 60_000,
          providers: {
            company: {
              label: "Example Inc.",
              issuer: "https://login.example.com",
              clientId: "attune",
              clientSecret: "a-secret",
              scopes: ["openid", "email", "offline_access"],
              prompt: "consent",
              groupsClaim: "roles",
              groups: [{ group: "platform", project: "default", role: "admin" }],
              emailVerified: "always",
              linkAccounts: true,
            },
          },
        },
      },
      database: { url: "sqlite::memory:" },
      spool: { folder: "/var/spool/attune", maxBytes: 1_048_576, whenFull: "refuse" },
      telemetry: {
        serviceName: "acme",
        resourceAttributes: { r: "s" },
        traces: {
          url: "http://t:4317",
          protocol: "grpc",
          headers: { c: "d" },
          timeoutMs: 100,
          compression: "gzip",
          sampleRatio: 0.5,
          propagate: true,
          content: true,
        },
        metrics: {
          url: "http://m/in",
          protocol: "http/protobuf",
          headers: {},
          timeoutMs: 100,
          compression: "gzip",
          intervalMs: 1000,
        },
      },
      retention: {
        inferencesDays: 365,
        bodiesDays: 30,
        feedbackDays: 90,
        hoursDays: 50,
        figuresDays: 800,
        auditDays: 2000,
        confirmAbovePercent: 40,
      },
      quotas: {
        keysPerProject: 1,
        membersPerProject: 2,
        projectsPerPerson: 3,
        accounts: 4,
        reserve: "bound",
        whenDatabaseAway: "refuse",
        warnAt: 0.5,
        hideModels: true,
        installation: { costNanosPerDay: 1, costNanosPerMonth: 1e12, costNanosTotal: 2.5e9 },
        eachProject: { requestsPerMinute: 600, inputTokensPerMinute: 1_000_000, outputTokensPerMinute: 0 },
        eachKey: { concurrentCalls: 10, models: ["org/m:8b"] },
        eachEndUser: { models: ["org/m:8b"] },
      },
      alerts: {
        enabled: false,
        rules: DEFAULT_RULES,
        allowPrivateAddresses: true,
        dashboardUrl: undefined,
        destinations: [
          {
            name: "ops",
            kind: "slack",
            target: "https://hooks.example.com/x",
            secret: undefined,
            sends: ["alerts"],
            rules: undefined,
          },
        ],
        smtp: { host: "mail", port: 25, tls: "none", user: "u", password: "p", from: "a@example.com" },
      },
      figures: { namesPerProject: 5 },
      routing: { failoverShare: 0.2, hedgingShare: 0, retryShare: 0.5 },
      audit: { share: 0.02, nullShare: 1, callsPerHour: 60, usdPerDay: 2.5, concurrency: 1, timeoutMs: 60_000 },
      log: { requests: { level: "debug", sample: 0.25 } },
      learning: {
        mode: "on",
        priors: { "org/m:8b": -0.25 },
        rewardPerPrice: 0.005,
        usdPerReward: 0,
        unit: "session",
        models: ["org/m:8b"],
        shadow: {
          share: 0.1,
          judge: "org/m:8b",
          rubric: "Short.",
          usdPerDay: 5,
          concurrency: 4,
          timeoutMs: 300_000,
        },
      },
      bootstrapKey: "a-bootstrap-key-of-tests",
      upstreams: {
        sandbox: { kind: "sandbox" },
        vllm: {
          kind: "openai-chat",
          baseUrl: "http://127.0.0.1:8000/v1",
          apiKey: "key",
          timeouts: { connectMs: 1, firstByteMs: 2, idleMs: 3, totalMs: 4 },
          ask: "as-called",
          limits: { eventBytes: 16_777_216, eventValues: 250_000, answerBytes: 67_108_864 },
          headers: { "x-team": "blue" },
          profile: { ...findServerFacts("vllm", "chat"), name: "vllm", isGuessed: false, n: 4, cacheBreakpoints: true },
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
          thinking: "budget",
          budgetEfforts: { medium: 0, xhigh: 30_000 },
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
          optimizations: {
            choice: false,
            failover: true,
            hedging: false,
            coalescing: true,
            cacheMarks: false,
            cacheKeys: true,
            flexTier: true,
            checkedRetry: "unary",
          },
          checks: [
            { workload: "years", pattern: "^\\d{4}$" },
            { schemaJson: '{"type":"object","$defs":{"a":{"minimum":1}}}' },
            {
              webhook: {
                url: "http://h:1/a?b=c",
                deadlineMs: 500,
                concurrency: 3,
                secret: "sixteen-characters",
                headers: { "x-key": "k" },
                sendPrompt: true,
              },
            },
            {
              webhook: { url: "http://h", deadlineMs: 2000, concurrency: 32, headers: {}, sendPrompt: false },
            },
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
        price: SANDBOX_PRICE,
        createdAt: new Date(0),
        deployments: [{ upstream: "sandbox", model: "x" }],
        optimizations: {
          choice: true,
          failover: true,
          hedging: true,
          coalescing: true,
          cacheMarks: true,
          cacheKeys: true,
          flexTier: true,
          checkedRetry: "off",
        },
      },
    ]);
  });

  it("gives a price to a model that only sandboxes serve, unless it has one", () => {
    const priced = (text: string) => load(text).models[0]?.price;
    expect(priced(MODEL)).toMatchObject({ input: 2_000_000, output: 10_000_000 });
    expect(priced(`${MODEL}    price: { input: 0, output: 0 }\n`)).toMatchObject({ input: 0, output: 0 });
    const own = `upstreams: { play: { kind: sandbox } }${MODEL}`.replace("upstream: sandbox", "upstream: play");
    expect(priced(own)).toEqual(SANDBOX_PRICE);
    const real = `upstreams: { a: { kind: openai-chat, baseUrl: "http://127.0.0.1:1" } }${MODEL}`;
    expect(priced(real.replace("[ {", "[ { upstream: a, model: m }, {"))).toBeUndefined();
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
      longPrompt: [
        {
          aboveTokens: 9,
          input: 4_000_000,
          output: 6_000_000,
          cacheRead: 4_000_000,
          cacheWrite5m: 5_000_000,
          cacheWrite1h: 5_000_000,
        },
      ],
    });
  });

  it("prices tiers, hours, regions and tools, by a multiple or each by its own price", () => {
    const price = `    price:
      { input: 2, output: 4, reasoning: 6, tiers: { priority: { multiple: 2 }, flex: { input: 1, output: 2 } },
        hours: [{ from: "16:30", to: "00:30", multiple: 0.5 }], regions: { us: 1.1 }, toolCalls: { web_search: 0.01 } }
`;
    const of = (input: number, output: number) => ({
      input,
      output,
      cacheRead: input,
      cacheWrite5m: input,
      cacheWrite1h: input,
    });
    expect(load(MODEL + price).models[0]?.price).toEqual({
      ...of(2_000_000, 4_000_000),
      reasoning: 6_000_000,
      tiers: { priority: { ...of(4_000_000, 8_000_000), reasoning: 12_000_000 }, flex: of(1_000_000, 2_000_000) },
      hours: [{ ...of(1_000_000, 2_000_000), reasoning: 3_000_000, fromMinute: 990, toMinute: 30 }],
      regions: { us: 1.1 },
      toolCallNanos: { web_search: 10_000_000 },
    });
  });

  it.each([
    ["tiers: { flex: { input: 1 } }", "models[0].price.tiers.flex", "must have either multiple, or input and output"],
    ["tiers: { flex: { multiple: 1, input: 1 } }", "models[0].price.tiers.flex", "must have either multiple, or"],
    ["hours: [{ from: 9, to: '10:00', multiple: 1 }]", "models[0].price.hours[0].from", "must be a time of the day"],
    ["longPrompt: []", "models[0].price.longPrompt", "must be a map, or a list of 1 to 10 maps"],
    ["regions: { us: -1 }", "models[0].price.regions.us", "must be a number from 0 to 1000"],
  ])("refuses %s", (written, path, message) => {
    const text = `${MODEL}    price: { input: 2, output: 3, ${written} }\n`;
    expect(() => load(text)).toThrow(expect.objectContaining({ mistakes: [expect.objectContaining({ path })] }));
    expect(() => load(text)).toThrow(message);
  });

  it("puts the four models on the upstreams by their kind, the rest on the operator's own sandbox", () => {
    const { models } = load(`
upstreams:
  first: { kind: anthropic-messages, baseUrl: "http://a" }
  second: { kind: anthropic-messages, baseUrl: "http://b" }
  vllm: { kind: openai-chat, baseUrl: "http://c" }
  play: { kind: sandbox }
`);
    expect(models.filter(({ listed }) => listed !== true).map((model) => model.deployments)).toEqual([
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

describe("loadConfig() and the limit on bodies", () => {
  it.each([
    ["server: { bodyLimitBytes: 4096 }", 4096],
    ["server: { limits: { bodyBytes: 4096 } }", 4096],
    ["server: { limits: { tools: 5 } }", 33_554_432],
  ])("reads %s", (yaml, bodyBytes) => {
    expect(load(yaml).server.limits.bodyBytes).toBe(bodyBytes);
  });
});

describe("loadConfig() and server.publicUrl", () => {
  it.each([
    ["https://attune.example.com", "https://attune.example.com"],
    ["https://Attune.example.com:443/", "https://attune.example.com"],
    ["http://10.0.0.1:8080", "http://10.0.0.1:8080"],
    ["https://Attune.example.com:443/Tools/attune/", "https://attune.example.com/Tools/attune"],
  ])("reads %s", (written, publicUrl) => {
    expect(load(`server: { publicUrl: "${written}" }`).server.publicUrl).toBe(publicUrl);
  });

  it.each([
    ["", "https://a.example/dashboard"],
    ["dashboard: { enabled: false }", undefined],
  ])("has alerts lead to a dashboard that is served: %j", (more, dashboardUrl) => {
    expect(load(`server: { publicUrl: "https://a.example/" }\n${more}`).alerts.dashboardUrl).toBe(dashboardUrl);
  });

  it("has alerts lead below its path", () => {
    const { alerts } = load('server: { publicUrl: "https://a.example/tools/" }');
    expect(alerts.dashboardUrl).toBe("https://a.example/tools/dashboard");
  });
});

describe("profile", () => {
  const profileOf = (kind: string, baseUrl: string, members = "") => {
    const upstream = load(`upstreams: { up: { kind: ${kind}, baseUrl: "${baseUrl}"${members} } }`).upstreams["up"];
    return upstream !== undefined && "profile" in upstream ? upstream.profile : undefined;
  };

  it.each([
    ["https://api.openai.com/v1", "openai"],
    ["https://name.openai.azure.com/openai/v1", "azure"],
    ["https://api.deepseek.com", "deepseek"],
    ["https://openrouter.ai/api/v1", "openrouter"],
    ["https://generativelanguage.googleapis.com/v1beta/openai", "gemini"],
    ["http://127.0.0.1:11434/v1", "ollama"],
    ["https://api.openai.com.example/v1", "unknown"],
    ["https://not-openrouter.ai/v1", "unknown"],
  ])("of %s is guessed: %s", (baseUrl, name) => {
    expect(profileOf("openai-chat", baseUrl)).toMatchObject({ name, isGuessed: true });
  });

  it.each([
    [", profile: mistral", { name: "mistral", isGuessed: false, streamOptions: false, lateInstructions: "user" }],
    [", profile: { base: deepseek, n: 4 }", { name: "deepseek", isGuessed: false, content: "text", n: 4 }],
    [", profile: { cacheKeys: true }", { name: "unknown", isGuessed: true, cacheKeys: true, cacheBreakpoints: false }],
  ])("is read: %s", (members, expected) => {
    expect(profileOf("openai-chat", "http://127.0.0.1:1/v1", members)).toMatchObject(expected);
  });

  it.each([
    ["openai-responses", "https://api.openai.com/v1", { name: "openai", isGuessed: true, cacheKeys: true }],
    ["anthropic-messages", "https://api.anthropic.com", { name: "anthropic", isGuessed: true, cacheKeys: false }],
    ["bedrock-converse", "https://bedrock-runtime.eu-west-1.amazonaws.com", { name: "bedrock", isGuessed: true }],
  ])("of a server of %s at %s is known too", (kind, baseUrl, expected) => {
    expect(profileOf(kind, baseUrl)).toMatchObject(expected);
  });

  it("adds words to those that are known, and corrects them", () => {
    const own =
      ', profile: { base: vllm, ends: { abort: length, enough: stop }, errors: [{ code: "7", means: failed }] }';
    const known = findServerFacts("vllm", "chat");
    expect(profileOf("openai-chat", "http://127.0.0.1:1/v1", own)).toMatchObject({
      ends: { ...known.ends, abort: "length", enough: "stop" },
      errors: [{ code: "7", means: "failed" }, ...known.errors],
    });
  });

  const refuses = (kind: string, members: string) => () => profileOf(kind, "http://h/v1", members);

  it("names what it must be", () => {
    expect(refuses("openai-chat", ", profile: openia")).toThrow(
      /^attune.yaml:1:\d+ upstreams.up.profile must be openai, /,
    );
    expect(refuses("openai-chat", ", profile: { content: list }")).toThrow("profile.content must be parts or text");
    expect(refuses("openai-responses", ", profile: { content: text }")).toThrow("profile.content is not known here");
    expect(refuses("openai-chat", ", profile: { ends: { x: end } }")).toThrow("profile.ends.x must be stop, ");
    expect(refuses("openai-chat", ", profile: { errors: [{ means: failed }] }")).toThrow("must have code or message");
    expect(refuses("openai-chat", ', profile: { errors: [{ message: "(", means: failed }] }')).toThrow(
      "must be a regular expression",
    );
  });

  it.each(["cacheKeys", "cacheBreakpoints", "reasoningMember"])(
    "says where %s stands now, and nothing else",
    (name) => {
      expect(refuses("openai-chat", `, ${name}: true`)).toThrow(
        new RegExp(
          `^attune\\.yaml:1:\\d+ upstreams\\.up\\.${name} is a member of profile now: write profile: \\{ ${name}: \\.\\.\\. \\}$`,
        ),
      );
    },
  );
});

describe("ask", () => {
  it.each(["as-called", "stream"])("may be %s", (ask) => {
    const { upstreams } = load(`upstreams: { up: { kind: anthropic-messages, baseUrl: "http://h", ask: ${ask} } }`);
    expect(upstreams["up"]).toMatchObject({ ask });
  });

  it("is nothing else", () => {
    expect(() => load('upstreams: { up: { kind: openai-chat, baseUrl: "http://h/v1", ask: whole } }')).toThrow(
      "upstreams.up.ask must be as-called or stream",
    );
  });
});

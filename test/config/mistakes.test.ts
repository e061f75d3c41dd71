import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/check-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { ConfigError, type Mistake } from "../../src/config/mistake.ts";

const folder = mkdtempSync(join(tmpdir(), "attune-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

function mistakesOf(yaml: string): readonly Mistake[] {
  writeFileSync(join(folder, "attune.yaml"), yaml);
  try {
    loadConfig({ SECRET: "s3cret" }, folder);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.mistakes;
    throw thrown;
  }
  return [];
}

/** Line, column, path, and what to change. */
type Expected = readonly [line: number, column: number, path: string, message: string];

function upstream(lines: string): string {
  return `upstreams:\n  a:\n${lines}`;
}

function chatUpstream(lines: string): string {
  return upstream(`    kind: openai-chat\n    baseUrl: http://a\n    ${lines}`);
}

function model(lines: string): string {
  return `models:\n  - name: m\n    family: chat\n    contextWindow: 10\n    maxOutputTokens: 1\n    deployments: [{ upstream: sandbox, model: x }]\n${lines}`;
}

const SECRET_MESSAGE = "must be one line of printable characters without spaces";
const SERVER_KEYS =
  "host, port, tls, publicUrl, adminPort, adminHost, metricsToken, limits, grpcHealth, reflection, proxies, reusePort, clientIdleMs, sessionHeaders, browserOrigins, watchConfig, drainMs, shutdownMs, bodyLimitBytes";
const MAP_MESSAGE = `must be a map with the keys ${SERVER_KEYS}`;
const SERVER_KEYS_MESSAGE = `is not known here; the keys are ${SERVER_KEYS}`;
const USD_MESSAGE = "must be an amount in USD from 0 to 1000000, with at most nine decimals";
const PUBLIC_URL_MESSAGE =
  "must be an http or https address, such as https://attune.example.com or https://example.com/attune";
const PUBLIC_PATH_MESSAGE =
  "has a path that Attune cannot be below: its segments may have letters, digits and . _ ~ -, the first may not be " +
  "one of Attune's own, such as dashboard, and /v1 at its end is left out";
const SIGNING_MESSAGE = "must be one line of 16 to 512 printable characters without spaces";
const WEBHOOK = "models[0].checks[0].webhook";
const PRICE_MESSAGE = "must be a price in USD per million tokens: from 0 to 1000000, with at most six decimals";
const NAME_MESSAGE = "must be a name of letters, digits, '.', '-' and '_' that begins with a letter or a digit";
const URL_MESSAGE = "must be an http or https address without credentials, query and fragment";

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: references to the environment are what is tested.
const TABLE: readonly (readonly [yaml: string, ...expected: Expected[]])[] = [
  ["- a", [1, 1, "", "the file must be a map of keys, such as 'server:'"]],
  ["text", [1, 1, "", "the file must be a map of keys, such as 'server:'"]],
  ["prefix: a/b", [1, 9, "prefix", NAME_MESSAGE]],
  ["prefix: ''", [1, 9, "prefix", NAME_MESSAGE]],
  ["prefix: 5", [1, 9, "prefix", NAME_MESSAGE]],
  ["log: { requests: { level: warn } }", [1, 27, "log.requests.level", "must be off, debug, info"]],
  ["log: { requests: { sample: 2 } }", [1, 28, "log.requests.sample", "must be a number from 0 to 1"]],
  ["prefix:", [1, 1, "prefix", NAME_MESSAGE]],
  [
    "\nprefx: a",
    [
      2,
      1,
      "prefx",
      "is not known here (do you mean prefix?); the keys are prefix, server, dashboard, database, spool, log, telemetry, retention, quotas, alerts, figures, bootstrapKey, upstreams, learning, routing, audit, models",
    ],
  ],
  ["server: 8080", [1, 9, "server", MAP_MESSAGE]],
  ["server: [8080]", [1, 1, "server", MAP_MESSAGE]],
  ["server:\n  prot: 1", [2, 3, "server.prot", `is not known here (do you mean port?); the keys are ${SERVER_KEYS}`]],
  ["server:\n  port: http", [2, 9, "server.port", "must be a whole number from 0 to 65535"]],
  ["server:\n  port: 1.5", [2, 9, "server.port", "must be a whole number from 0 to 65535"]],
  ["server:\n  port: -1", [2, 9, "server.port", "must be a whole number from 0 to 65535"]],
  ["server:\n  bodyLimitBytes: 1", [2, 19, "server.bodyLimitBytes", "must be a whole number from 1024 to 1073741824"]],
  [
    "server:\n  limits: 5",
    [
      2,
      11,
      "server.limits",
      "must be a map with the keys bodyBytes, receivingBytes, background, feedbackEvents, tokenValues, tokenRequests, answerRequests, addressRequests, projectShare, jsonDepth, jsonValues, jsonMembers, messages, tools",
    ],
  ],
  [
    "server:\n  limits:\n    jsonDepth: 8\n    messages: 0\n    tools: 5000",
    [3, 16, "server.limits.jsonDepth", "must be a whole number from 16 to 1024"],
    [4, 15, "server.limits.messages", "must be a whole number from 1 to 100000"],
    [5, 12, "server.limits.tools", "must be a whole number from 1 to 4096"],
  ],
  [
    "server:\n  bodyLimitBytes: 2048\n  limits: { bodyBytes: 2048 }",
    [2, 19, "server.bodyLimitBytes", "is the older name of limits.bodyBytes: leave it out"],
  ],
  ["server: { metrics: true }", [1, 11, "server.metrics", SERVER_KEYS_MESSAGE]],
  ["server: { adminPort: on }", [1, 22, "server.adminPort", "must be a whole number from 0 to 65535"]],
  ["server: { adminHost: 0.0.0.0 }", [1, 1, "server.adminPort", "is missing: an adminHost needs its port"]],
  [
    "server: { adminHost: 0.0.0.0, adminPort: x }",
    [1, 42, "server.adminPort", "must be a whole number from 0 to 65535"],
  ],
  ["server: { metricsToken: s3cret }", [1, 25, "server.metricsToken", SIGNING_MESSAGE]],
  ["server: { metricsToken: '' }", [1, 25, "server.metricsToken", SIGNING_MESSAGE]],
  [
    "server: { metricsToken: '${NOT_SET}' }",
    [
      1,
      25,
      "server.metricsToken",
      "refers to the environment variable NOT_SET, which is not set: set it, or write ${NOT_SET:-default}",
    ],
  ],
  ["server: { publicUrl: attune.example.com }", [1, 22, "server.publicUrl", PUBLIC_URL_MESSAGE]],
  ["server: { publicUrl: 'https://u:s3cret@h' }", [1, 22, "server.publicUrl", PUBLIC_URL_MESSAGE]],
  ["server: { publicUrl: https://h/attune/v1 }", [1, 22, "server.publicUrl", PUBLIC_PATH_MESSAGE]],
  ["server: { publicUrl: https://h/dashboard }", [1, 22, "server.publicUrl", PUBLIC_PATH_MESSAGE]],
  ["server: { publicUrl: https://h/a%20b }", [1, 22, "server.publicUrl", PUBLIC_PATH_MESSAGE]],
  ["server: { publicUrl: 'https://h/?a' }", [1, 22, "server.publicUrl", PUBLIC_URL_MESSAGE]],
  ["audit:\n  usdPerDay: 0", [2, 14, "audit.usdPerDay", "must be an amount in USD: from 0.01 to 1000000"]],
  ["audit:\n  usdPerDay: 5 USD", [2, 14, "audit.usdPerDay", "must be an amount in USD: from 0.01 to 1000000"]],
  ["quotas:\n  eachKey: { usdPerDay: 0.0000000001 }", [2, 25, "quotas.eachKey.usdPerDay", USD_MESSAGE]],
  ["quotas:\n  eachKey: { usdPerDay: 5 USD }", [2, 25, "quotas.eachKey.usdPerDay", USD_MESSAGE]],
  [
    "quotas:\n  eachKey: { requestsPerMinute: -1 }",
    [2, 33, "quotas.eachKey.requestsPerMinute", "must be a whole number from 0 to 1000000000000"],
  ],
  ["quotas:\n  eachKey: { models: [] }", [2, 14, "quotas.eachKey.models", "must have at least one model"]],
  ["quotas: { warnAt: 0 }", [1, 19, "quotas.warnAt", "must be a number from 0.1 to 1"]],
  [
    "quotas:\n  eachKey: { models: [attune/gpt-6-astra, gpt-5] }",
    [2, 43, "quotas.eachKey.models[1]", "is the name of none of the models"],
  ],
  ["server: { host: a b }", [1, 17, "server.host", "must be a host name or an address"]],
  ["database: { url: mysql://s3cret@h }", [1, 18, "database.url", "must begin with sqlite: or postgresql://"]],
  [
    "database: { url: 'postgresql://u:s3cret@h/d?sslmode=s3cret' }",
    [
      1,
      18,
      "database.url",
      "the parameter 'sslmode' must be one of disable, allow, prefer, require, verify-ca, verify-full",
    ],
  ],
  ["bootstrapKey: s3cret s3cret", [1, 15, "bootstrapKey", SECRET_MESSAGE]],
  ["bootstrapKey: 12345", [1, 15, "bootstrapKey", SECRET_MESSAGE]],
  ["bootstrapKey: 15-characters-x", [1, 15, "bootstrapKey", "must have 16 to 512 characters"]],
  ["upstreams: []", [1, 1, "upstreams", "must be a map of names to upstreams"]],
  ["upstreams:\n  a b: { kind: sandbox }", [2, 3, "upstreams.a b", NAME_MESSAGE]],
  [
    upstream("    kind: openai"),
    [
      3,
      11,
      "upstreams.a.kind",
      "must be openai-chat, openai-responses, anthropic-messages, bedrock-converse or sandbox",
    ],
  ],
  [
    upstream("    baseUrl: http://a"),
    [
      2,
      3,
      "upstreams.a.kind",
      "is missing: it must be openai-chat, openai-responses, anthropic-messages, bedrock-converse or sandbox",
    ],
  ],
  [
    "upstreams:\n  a: x",
    [
      2,
      6,
      "upstreams.a",
      "must have the kind openai-chat, openai-responses, anthropic-messages, bedrock-converse or sandbox",
    ],
  ],
  [upstream("    kind: openai-chat"), [2, 3, "upstreams.a.baseUrl", `is missing: it ${URL_MESSAGE}`]],
  [upstream("    kind: openai-chat\n    baseUrl: localhost:8000"), [4, 14, "upstreams.a.baseUrl", URL_MESSAGE]],
  [
    upstream("    kind: openai-chat\n    baseUrl: https://${NOT_SET:-}/v1"),
    [4, 14, "upstreams.a.baseUrl", URL_MESSAGE],
  ],
  [upstream("    kind: openai-chat\n    baseUrl: http://u:s3cret@h"), [4, 14, "upstreams.a.baseUrl", URL_MESSAGE]],
  [upstream("    kind: openai-chat\n    baseUrl: http://h?key=s3cret"), [4, 14, "upstreams.a.baseUrl", URL_MESSAGE]],
  [
    upstream("    kind: sandbox\n    baseUrl: http://a"),
    [4, 5, "upstreams.a.baseUrl", "is not known here; the keys are kind"],
  ],
  [chatUpstream("apiKey: s3 cret"), [5, 13, "upstreams.a.apiKey", SECRET_MESSAGE]],
  [
    chatUpstream("auth: azure"),
    [5, 11, "upstreams.a.auth", "must be a map with the type header, aws, azure or google"],
  ],
  [chatUpstream("auth: { type: entra }"), [5, 19, "upstreams.a.auth.type", "must be header, aws, azure or google"]],
  [
    chatUpstream("auth: { type: azure }\n    apiKey: s3cret"),
    [6, 13, "upstreams.a.apiKey", "is not sent with auth of the type azure: leave one out"],
  ],
  [
    chatUpstream("auth: { type: azure }\n    apiKeys: [s3cret]"),
    [6, 5, "upstreams.a.apiKeys", "is not sent with auth of the type azure: leave one out"],
  ],
  [
    chatUpstream("apiKey: s3cret\n    apiKeys: [other]"),
    [6, 5, "upstreams.a.apiKeys", "can't be combined with apiKey: put that key into the list, and leave apiKey out"],
  ],
  [
    chatUpstream("apiKeys: [one, s3cret, one]"),
    [5, 28, "upstreams.a.apiKeys[2]", "is the same key as apiKeys[0]: leave one out"],
  ],
  [chatUpstream("apiKeys: []"), [5, 5, "upstreams.a.apiKeys", "must have at least one key"]],
  [
    chatUpstream("apiKeys: [ok, '']"),
    [5, 19, "upstreams.a.apiKeys[1]", "must be one line of 1 to 65536 printable characters without spaces"],
  ],
  [
    chatUpstream("apiKeys: ['${env:MISSING}']"),
    [
      ...([5, 15, "upstreams.a.apiKeys[0]"] as const),
      "refers to the environment variable MISSING, which is not set: set it, or write ${MISSING:-default}",
    ],
  ],
  [
    `${upstream("    kind: anthropic-messages\n    baseUrl: http://a")}\n${model("    embeddings: true").replace("sandbox", "a")}`,
    [
      ...([10, 31, "models[0].deployments[0].upstream"] as const),
      "is an upstream of the kind anthropic-messages, which makes no embeddings: name one of the kind openai-chat or openai-responses, or leave embeddings out",
    ],
  ],
  [
    chatUpstream("queue: { waitMs: 5 }"),
    [5, 5, "upstreams.a.queue.concurrentCalls", "is missing: it must be a whole number from 1 to 100000"],
  ],
  [
    chatUpstream("proxy: s3cret:3128"),
    [5, 12, "upstreams.a.proxy", "must be the http or https address of a proxy, such as http://proxy.example.com:3128"],
  ],
  [
    chatUpstream("tls: { ca: s3cret }"),
    [5, 16, "upstreams.a.tls.ca", "must be a certificate in PEM: '-----BEGIN CERTIFICATE-----'"],
  ],
  [
    chatUpstream('tls: { cert: "-----BEGIN CERTIFICATE-----\\nMII\\n-----END CERTIFICATE-----" }'),
    [5, 5, "upstreams.a.tls", "must have both cert and key, or neither"],
  ],
  [
    chatUpstream("auth: { type: aws, accessKeyId: a }"),
    [5, 5, "upstreams.a.auth", "must have both accessKeyId and secretAccessKey, or neither"],
  ],
  [
    chatUpstream("auth: { type: aws, accessKeyId: '', secretAccessKey: s3cret }"),
    [5, 5, "upstreams.a.auth", "must have both accessKeyId and secretAccessKey, or neither"],
  ],
  [
    chatUpstream("auth: { type: azure, scope: https://ai.azure.com }"),
    [5, 33, "upstreams.a.auth.scope", "must be a scope that ends in /.default"],
  ],
  [chatUpstream("apiVersion: a b"), [5, 17, "upstreams.a.apiVersion", "must be a version such as 2024-10-21"]],
  [
    upstream("    kind: anthropic-messages\n    baseUrl: http://a\n    apiVersion: 2024-10-21"),
    [
      5,
      5,
      "upstreams.a.apiVersion",
      "is not known here; the keys are kind, baseUrl, apiKey, apiKeys, auth, proxy, tls, ask, timeouts, limits, queue, headers, profile, platform",
    ],
  ],
  [
    chatUpstream("timeouts: { idleMs: 0 }"),
    [5, 25, "upstreams.a.timeouts.idleMs", "must be a whole number from 1 to 86400000"],
  ],
  [chatUpstream("headers: { 'a b': c }"), [5, 16, "upstreams.a.headers.a b", "must be the name of an HTTP header"]],
  [
    chatUpstream('headers: { a: "s3cret\\r\\nb: c" }'),
    [5, 19, "upstreams.a.headers.a", "must be one line of printable characters"],
  ],
  [
    "upstreams:\n  sandbox: { kind: openai-chat, baseUrl: http://a }",
    [2, 3, "upstreams.sandbox", "has a name that is reserved for the kind sandbox: choose another"],
  ],
  ["models: []", [1, 1, "models", "must have at least one model"]],
  ["models: {}", [1, 1, "models", "must be a list of models"]],
  ["models:\n  - name: m", [2, 5, "models[0]", "'m' needs an upstream that serves it: add one to 'upstreams'"]],
  [
    model("    deploy: 1"),
    [
      7,
      5,
      "models[0].deploy",
      "is not known here; the keys are name, aliases, displayName, family, routes, embeddings, purpose, contextWindow, maxInputTokens, maxOutputTokens, minCacheableTokens, thinking, budgetEfforts, price, createdAt, retiresAt, deployments, optimizations, checks, candidates",
    ],
  ],
  [
    model("    budgetEfforts: { low: 0, none: 1 }"),
    [7, 30, "models[0].budgetEfforts.none", "is not known here; the keys are minimal, low, medium, high, xhigh, max"],
  ],
  [
    model("    budgetEfforts: { low: 5, high: 5 }"),
    [7, 5, "models[0].budgetEfforts", "must not have the same number of tokens for two efforts"],
  ],
  [
    model('    checks: [{ pattern: "(" }]\n    optimizations: { checkedRetry: on }'),
    [7, 25, "models[0].checks[0].pattern", "must be a regular expression (ECMAScript, with the flag u)"],
  ],
  [
    model("    checks: [{ pattern: a }]"),
    [7, 5, "models[0].checks", "has no effect without optimizations.checkedRetry: unary or on, or candidates.max"],
  ],
  [
    model("    candidates: { learned: unary }"),
    [7, 28, "models[0].candidates.learned", "has no effect without a max of 2 or more"],
  ],
  [
    model("    candidates: { max: 2, selectorTrials: 0.1 }"),
    [7, 43, "models[0].candidates.selectorTrials", "has no effect without learned: unary or on"],
  ],
  [
    model("    candidates: { max: 2, learned: on, selectorTrials: 5 }"),
    [7, 56, "models[0].candidates.selectorTrials", "must be a number from 0 to 1"],
  ],
  [
    model("    candidates: { max: 2, maxSlowdown: { unary: 2 } }"),
    [7, 27, "models[0].candidates.maxSlowdown", "has no effect without learned: unary or on"],
  ],
  [
    model("    candidates: { max: 2, learned: on, maxSlowdown: { firstToken: 0.5 } }"),
    [7, 67, "models[0].candidates.maxSlowdown.firstToken", "must be a number from 1 to 1000"],
  ],
  [
    model("    candidates: { max: 2, learned: yes }"),
    [7, 36, "models[0].candidates.learned", "must be off, unary, on"],
  ],
  [
    model("    checks: [{ workload: a }]\n    optimizations: { checkedRetry: unary }"),
    [7, 14, "models[0].checks[0]", "must have a pattern, a schema or a webhook"],
  ],
  [
    model(
      `    checks: [${Array.from({ length: 9 }, () => "{ webhook: { url: http://h } }").join()}]\n    candidates: { max: 2 }`,
    ),
    [7, 5, "models[0].checks", "must have at most 8 rules with a webhook"],
  ],
  [
    model(
      "    checks: [{ webhook: { url: 'http://a:b@h/', deadlineMs: 5, concurrency: 0 } }]\n    candidates: { max: 2 }",
    ),
    [7, 32, `${WEBHOOK}.url`, "must be an http or https address without credentials and fragment"],
    [7, 61, `${WEBHOOK}.deadlineMs`, "must be a whole number from 10 to 30000"],
    [7, 77, `${WEBHOOK}.concurrency`, "must be a whole number from 1 to 1000"],
  ],
  [
    model("    checks: [{ webhook: { url: 'http://h/#a', secret: short } }]\n    candidates: { max: 2 }"),
    [7, 32, `${WEBHOOK}.url`, "must be an http or https address without credentials and fragment"],
    [7, 55, `${WEBHOOK}.secret`, "must be one line of 16 to 512 printable characters without spaces"],
  ],
  [
    model("    checks: [{ webhook: { url: 'ftp://h/', secret: '' } }]\n    candidates: { max: 2 }"),
    [7, 32, `${WEBHOOK}.url`, "must be an http or https address without credentials and fragment"],
    [7, 52, `${WEBHOOK}.secret`, "must be one line of 16 to 512 printable characters without spaces"],
  ],
  [
    model(
      "    checks: [{ webhook: { url: 'http://h/', headers: { Webhook-Signature: a } } }]\n    candidates: { max: 2 }",
    ),
    [
      7,
      45,
      `${WEBHOOK}.headers`,
      "must not have headers that are made for each call, such as content-type and webhook-signature",
    ],
  ],
  [
    model("").replace("name: m", "name: a:sandbox-b"),
    [
      2,
      11,
      "models[0].name",
      "must be a name of at most 200 letters, digits and '._:/@+-' that begins and ends with a letter or a digit, without ':sandbox-'",
    ],
  ],
  [model("").replace("chat", "gpt"), [3, 13, "models[0].family", "must be responses, messages or chat"]],
  [model("    price: { input: -1, output: 1 }"), [7, 21, "models[0].price.input", PRICE_MESSAGE]],
  [model("    price: { input: 1, output: 0.0000001 }"), [7, 32, "models[0].price.output", PRICE_MESSAGE]],
  [model("    price: { input: 1 }"), [7, 5, "models[0].price.output", `is missing: it ${PRICE_MESSAGE}`]],
  [
    model("    createdAt: yesterday"),
    [7, 16, "models[0].createdAt", "must be a date such as 2026-09-03 or a time such as 2026-09-03T10:00:00Z"],
  ],
  [
    model("").replace("maxOutputTokens: 1", "maxOutputTokens: 11"),
    [
      5,
      22,
      "models[0].maxOutputTokens",
      "must not be more than contextWindow, which counts prompt and answer together",
    ],
  ],
  [
    model("").replace("upstream: sandbox", "upstream: opnai"),
    [6, 31, "models[0].deployments[0].upstream", "names an unknown upstream; known: sandbox"],
  ],
  [
    model("").replace("[{ upstream: sandbox, model: x }]", "[]"),
    [6, 5, "models[0].deployments", "must have at least one deployment"],
  ],
  [
    model(model("").replace("models:\n", "")),
    [7, 11, "models[1].name", "is already the name of models[0]: choose another"],
  ],
  // Lines 1 to 6 are a model, and from line 7 on its aliases or another model.
  [model("    aliases: [m]"), [7, 15, "models[0].aliases[0]", "is already the name of models[0]: choose another"]],
  [
    model("    aliases: [n]\n") + model("").replace("models:\n", "").replace("name: m", "name: n"),
    [8, 11, "models[1].name", "is already an alias of models[0]: choose another"],
  ],
  [
    model(model("    aliases: [attune/m]").replace("models:\n", "").replace("name: m", "name: n")),
    [12, 15, "models[1].aliases[0]", "is already the name of models[0]: choose another"],
  ],
  [model("    aliases: m"), [7, 14, "models[0].aliases", "must be a list of names"]],
  [
    "prefix: ${NOT_SET}",
    [
      1,
      9,
      "prefix",
      "refers to the environment variable NOT_SET, which is not set: set it, or write ${NOT_SET:-default}",
    ],
  ],
  ["learning: { mode: maybe }", [1, 19, "learning.mode", "must be off, observe, on"]],
  ["learning: { unit: call }", [1, 19, "learning.unit", "must be session, request"]],
  ["learning: { models: some }", [1, 21, "learning.models", "must be upstream, any, or a list of models"]],
  [
    `learning: { models: [unknown] }\n${model("").trim()}`,
    [1, 22, "learning.models[0]", "is the name of none of the models"],
  ],
  ["learning: { models: [unknown] }", [1, 22, "learning.models[0]", "is the name of none of the models"]],
  ["learning: { priors: { unknown: 0.1 } }", [1, 32, "learning.priors.unknown", "is the name of none of the models"]],
  ["learning: { priors: { gpt-6-astra: 2 } }", [1, 36, "learning.priors.gpt-6-astra", "must be a number from -1 to 1"]],
  [
    `learning: { shadow: { share: 0.1 } }\n${model("").trim()}`,
    [1, 13, "learning.shadow.judge", "is missing: a share above 0 needs a judge"],
  ],
  [
    `learning: { shadow: { share: 0.1, judge: unknown } }\n${model("").trim()}`,
    [1, 42, "learning.shadow.judge", "is the name of none of the models"],
  ],
  [
    `learning: { shadow: { judge: m, secondJudge: m } }\n${model("").trim()}`,
    [1, 46, "learning.shadow.secondJudge", "is the judge already: name another model, best of another vendor"],
  ],
  [
    `learning: { shadow: { judge: m, secondJudge: unknown } }\n${model("").trim()}`,
    [1, 46, "learning.shadow.secondJudge", "is the name of none of the models"],
  ],
  [
    `learning: { shadow: { secondJudge: m } }\n${model("").trim()}`,
    [1, 13, "learning.shadow.judge", "is missing: a secondJudge needs a first judge"],
  ],
  [
    `learning: { priors: { unknown: 0.1 } }\n${model("").trim()}`,
    [1, 32, "learning.priors.unknown", "is the name of none of the models"],
  ],
  [
    "prefix: ${file:/nowhere/secret}",
    [
      1,
      9,
      "prefix",
      "refers to the file /nowhere/secret, which cannot be read (ENOENT): mount it, and let this user read it",
    ],
  ],
  [
    chatUpstream("apiKey: ${file:/nowhere/secret}"),
    [
      5,
      13,
      "upstreams.a.apiKey",
      "refers to the file /nowhere/secret, which cannot be read (ENOENT): mount it, and let this user read it",
    ],
  ],
  [
    "prefix: a${b-c}",
    [
      1,
      9,
      "prefix",
      "has a reference that is not complete: write ${NAME}, ${NAME:-default} or ${file:/path}, or $${ for a plain ${",
    ],
  ],
  ["prefix: ${SECRET} x", [1, 9, "prefix", NAME_MESSAGE]],
  ["prefix: a\nprefix: b", [2, 1, "", "is not valid YAML: the key is here twice: remove one"]],
  [
    "server: { port: 1",
    [
      1,
      18,
      "",
      "is not valid YAML: the indentation does not match the lines above, or a bracket or a brace is not closed",
    ],
  ],
  [
    "models:\n  - name: a\n\tfamily: chat\n    price: { input: 1 }\n  \troutes: [chat]\n    purpose: p",
    [3, 1, "", "is not valid YAML: the indentation has a tab: use spaces"],
  ],
  [
    "upstreams:\n  up: { kind: sandbox, apiKey: ${KEY} }\nmodels:\n  - name: a\n    family: chat\n",
    [
      2,
      33,
      "",
      "is not valid YAML: unexpected character: put texts with { } [ ] , in quotes, also references inside braces",
    ],
  ],
  [
    "server:\n\tport: 1\nlog:\n\trequests: {}\n",
    [2, 1, "", "is not valid YAML: the indentation has a tab: use spaces"],
    [4, 1, "", "is not valid YAML: the indentation has a tab: use spaces"],
  ],
  ["server:\n\tport: 1", [2, 1, "", "is not valid YAML: the indentation has a tab: use spaces"]],
  ["prefix: 's3cret", [1, 16, "", "is not valid YAML: a quote, a bracket, a brace, a comma or a colon is missing"]],
  ["prefix: !s3cret a", [1, 9, "", "is not valid YAML: a tag is not known: leave out '!...'"]],
  ["prefix: @s3cret", [1, 9, "", "is not valid YAML: a text begins with a sign that is reserved: put it in quotes"]],
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.

describe("the mistakes of a file", () => {
  it("are told once, where a value breaks two rules that ask for the same", () => {
    const mistake = { line: 3, column: 5, path: "quotas.eachKey.usdPerDay", message: "must be an amount" };
    const { message } = new ConfigError("attune.yaml", [mistake, { ...mistake }]);
    expect(message).toBe("attune.yaml:3:5 quotas.eachKey.usdPerDay must be an amount");
  });

  it("are told of a file that is nested too deeply to be read", () => {
    const [mistake] = mistakesOf(`prefix: a\nmodels: ${"[".repeat(20_000)}`);
    expect(mistake).toMatchObject({ line: 2, message: "is not valid YAML: it is nested too deeply" });
  });

  for (const [yaml, ...expected] of TABLE) {
    it(JSON.stringify(yaml), () => {
      const mistakes = mistakesOf(yaml);
      expect(mistakes.map(({ line, column, path, message }) => [line, column, path, message])).toEqual(expected);
      for (const { message } of mistakes) expect(message).not.toContain("s3cret");
    });
  }

  it.each([
    ["learning: { shadow: { share: 0.1, judge: 5 } }", "learning.shadow.judge"],
    [`${model("")}learning: { shadow: { judge: 5, secondJudge: m } }`, "learning.shadow.judge"],
    [chatUpstream("auth: { type: aws, accessKeyId: 5, secretAccessKey: a }"), "upstreams.a.auth.accessKeyId"],
    [chatUpstream("tls: { cert: 5, key: a }"), "upstreams.a.tls.cert"],
    [chatUpstream("apiKeys: [5, 5]"), "upstreams.a.apiKeys[0]", "upstreams.a.apiKeys[1]"],
    [model("    checks: [{ pattern: a }]\n    candidates: { max: lots }"), "models[0].candidates.max"],
    [model("    optimizations: { checkedRetry: on }\n    checks: [{ pattern: 5 }]"), "models[0].checks[0].pattern"],
  ])("do not call missing or repeated what is wrong by itself: %s", (yaml, ...paths) => {
    expect(mistakesOf(yaml).map(({ path }) => path)).toEqual(paths);
  });

  it("are all collected, in the order of the file, whatever found them", () => {
    const yaml = `server: { port: x }
upstreams:
  a: { kind: nope }
models:
  - name: m
    family: chat
    contextWindow: 10
    maxOutputTokens: 11
    deployments: [{ upstream: b, model: x }]
  - name: m
bootstrapKey: \${
`;
    expect(mistakesOf(yaml).map(({ line, path }) => [line, path])).toEqual([
      [1, "server.port"],
      [3, "upstreams.a.kind"],
      [8, "models[0].maxOutputTokens"],
      [9, "models[0].deployments[0].upstream"],
      [10, "models[1].name"],
      [11, "bootstrapKey"],
    ]);
  });

  it("hide none that is found only beside other members", () => {
    const yaml = `server: { port: x, adminHost: 0.0.0.0 }
upstreams:
  a: { kind: openai-chat, baseUrl: 'http://a?b', apiKeys: [one, one] }
  b: { kind: openai-chat, baseUrl: 'http://b', timeouts: 5, auth: { type: aws, accessKeyId: a } }
models:
  - { name: m, family: chat, price: 5, aliases: [m], deployments: [{ upstream: c, model: x }, { upstream: 7 }] }
  - { name: n, family: chat, aliases: m, deployments: [{ upstream: a, model: x }], checks: [{}], candidates: { max: 9, learned: on } }
learning: { mode: 5, models: [n, o], shadow: { share: 0.1, timeoutMs: x } }
`;
    expect(mistakesOf(yaml).map(({ line, path }) => [line, path])).toEqual([
      [1, "server.adminPort"],
      [1, "server.port"],
      [3, "upstreams.a.baseUrl"],
      [3, "upstreams.a.apiKeys[1]"],
      [4, "upstreams.b.timeouts"],
      [4, "upstreams.b.auth"],
      [6, "models[0].price"],
      [6, "models[0].aliases[0]"],
      [6, "models[0].deployments[0].upstream"],
      [6, "models[0].deployments[1].model"],
      [6, "models[0].deployments[1].upstream"],
      [7, "models[1].aliases"],
      [7, "models[1].checks[0]"],
      [7, "models[1].candidates.max"],
      [8, "learning.mode"],
      [8, "learning.models[1]"],
      [8, "learning.shadow.judge"],
      [8, "learning.shadow.timeoutMs"],
    ]);
  });

  it("do not include a bomb of aliases", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 9; level += 1) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ")}]`);
    }
    expect(mistakesOf(lines.join("\n")).map(({ message }) => message)).toEqual([
      "repeats too much by aliases: write it out",
    ]);
  });
});

describe("checkConfig()", () => {
  it("reports each mistake in a line, and their number", () => {
    writeFileSync(join(folder, "attune.yaml"), "prefix: a/b\nserver:\n  port: x\n");
    expect(checkConfig({}, folder)).toEqual({
      config: undefined,
      lines: [
        `attune.yaml:1:9 prefix ${NAME_MESSAGE}`,
        "attune.yaml:3:9 server.port must be a whole number from 0 to 65535",
        "2 mistakes",
      ],
    });
  });

  it("says what is configured, without secrets", () => {
    writeFileSync(
      join(folder, "attune.yaml"),
      "upstreams: { a: { kind: anthropic-messages, baseUrl: 'http://a', apiKey: s3cret } }",
    );
    expect(checkConfig({ ATTUNE_DATABASE_URL: "postgresql://u:s3cret@h/d" }, folder)).toEqual({
      config: expect.objectContaining({ prefix: "attune" }),
      lines: [
        "attune.yaml is valid",
        "listens on 127.0.0.1:8080",
        "keeps records in PostgreSQL",
        "upstream sandbox: sandbox",
        "upstream a: anthropic-messages at http://a, with a key, profile unknown (guessed from baseUrl)",
        expect.stringMatching(/^a serves \d+ more models/),
        "model attune/claude-fable-5-2: a (claude-fable-5-2)",
        "model attune/claude-sonnet-5-5: a (claude-sonnet-5-5)",
        "model attune/claude-haiku-5-5: a (claude-haiku-5-5)",
        expect.stringMatching(/^model attune.gpt-6-astra is not served: no upstream of the kind/),
      ],
    });
  });
});

import { readlinkSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { z } from "zod";
import { SANDBOX_PRICE } from "../catalog/built-in.ts";
import { createCatalog } from "../catalog/catalog.ts";
import type { Route } from "../catalog/facts.ts";
import type { ModelLists } from "../catalog/lists/model-lists.ts";
import { type AnswerRule, type CatalogModel, UNKNOWN_TOKENS } from "../catalog/model.ts";
import { findServerFacts, guessServer } from "../catalog/server-facts.ts";
import { buildPrice } from "../catalog/written-price.ts";
import type { QuotaSettings } from "../quotas/quota.ts";
import { QUOTA_FIELD_NAMES, QUOTA_FIELDS } from "../quotas/quota-fields.ts";
import { buildAlerts } from "./build-alerts.ts";
import type {
  Config,
  HttpUpstreamConfig,
  OtlpTarget,
  QuotasConfig,
  TelemetryConfig,
  UpstreamConfig,
  UpstreamProfile,
} from "./config.ts";
import { defaultModels, sandboxNames } from "./defaults.ts";
import type { profiles } from "./profile-schema.ts";
import type { ParsedConfig } from "./schema.ts";
import { SANDBOX } from "./upstream-schema.ts";

const DEFAULT_BODY_BYTES = 32 * 2 ** 20;
const DEFAULT_ADMIN_HOST = "127.0.0.1";

type ParsedProfile = z.output<(typeof profiles)[Route]>;
type ParsedModel = NonNullable<ParsedConfig["models"]>[number];

/** Facts of a configuration beside its values. */
interface Origin extends Pick<Config, "file" | "secretFiles"> {
  /** Places of sections that were left out, for their variables are empty. */
  readonly emptySections: readonly string[];
  /** Variables that are not set, by the places that refer to them. */
  readonly unset: ReadonlyMap<string, string>;
  /** Reads the lists of models, once. */
  readonly readLists: () => ModelLists;
}

/** Makes the configuration that the service works with: every default filled in, nothing left to change. */
export function buildConfig(
  parsed: ParsedConfig,
  { file, secretFiles, unset, emptySections, readLists }: Origin,
): Config {
  const configured: Record<string, UpstreamConfig> = {};
  for (const [name, upstream] of Object.entries(parsed.upstreams ?? {})) {
    configured[name] = buildUpstream(upstream, unset.get(`upstreams.${name}.apiKey`));
  }
  const upstreams: Config["upstreams"] = { [SANDBOX]: { kind: "sandbox" }, ...configured };
  const sandboxes = sandboxNames(upstreams);
  const { models, unserved } =
    parsed.models === undefined
      ? defaultModels(configured, readLists)
      : {
          models: parsed.models.map((model) => buildModel(model, sandboxes)),
          unserved: [],
        };
  return deepFreeze({
    file,
    secretFiles,
    prefix: parsed.prefix,
    server: buildServer(parsed.server),
    dashboard: parsed.dashboard,
    database: parsed.database,
    spool: { ...parsed.spool, folder: parsed.spool.folder ?? defaultSpoolFolder(parsed.database.url) },
    log: parsed.log,
    telemetry: buildTelemetry(parsed.telemetry),
    retention: parsed.retention,
    quotas: buildQuotas(parsed.quotas, models, parsed.prefix),
    alerts: buildAlerts(parsed.alerts, parsed),
    figures: parsed.figures,
    routing: parsed.routing,
    audit: parsed.audit,
    learning: parsed.learning,
    bootstrapKey: parsed.bootstrapKey,
    upstreams,
    models,
    ...(unserved.length > 0 && { unserved }),
    ...(emptySections.length > 0 && { emptySections }),
  });
}

function buildServer(parsed: ParsedConfig["server"]): Config["server"] {
  const { bodyLimitBytes, limits, adminHost = DEFAULT_ADMIN_HOST, ...server } = parsed;
  const bodyBytes = limits.bodyBytes ?? bodyLimitBytes ?? DEFAULT_BODY_BYTES;
  return { ...server, adminHost, limits: { ...limits, bodyBytes } };
}

/** Beside an SQLite file, so that the file and what is on its way to it are moved and deleted together. */
function defaultSpoolFolder(databaseUrl: string): string {
  const file = /^sqlite:(.+)$/i.exec(databaseUrl)?.[1]?.replace(/^\/\/(?=\/)/, "");
  return file === undefined || file === ":memory:" ? join("data", "spool") : join(dirname(followLink(file)), "spool");
}

/** Returns the file that a symbolic link leads to, whether or not that is there; any other path as it is. */
function followLink(file: string): string {
  let target: string;
  try {
    target = readlinkSync(file);
  } catch {
    return file;
  }
  try {
    return realpathSync(file);
  } catch {
    return resolve(dirname(file), target);
  }
}

function buildUpstream(
  upstream: NonNullable<ParsedConfig["upstreams"]>[string],
  missingKey: string | undefined,
): UpstreamConfig {
  if (upstream.kind === "sandbox") return upstream;
  const key = { apiKey: upstream.apiKey, ...(missingKey !== undefined && { missingKey }) };
  return { ...upstream, ...key, profile: buildProfile(upstream.profile, upstream) };
}

/** The route of a server that each kind of upstream asks. */
const ROUTE_OF: Readonly<Record<HttpUpstreamConfig["kind"], Route>> = {
  "openai-chat": "chat",
  "openai-responses": "responses",
  "anthropic-messages": "messages",
  "bedrock-converse": "converse",
};

/** Facts that are configured go before those of the server that they are based on. */
function buildProfile(
  configured: ParsedProfile,
  { kind, baseUrl }: Pick<HttpUpstreamConfig, "kind" | "baseUrl">,
): UpstreamProfile {
  const {
    base,
    ends,
    errors = [],
    errorPlaces = [],
    ...members
  } = typeof configured === "string" ? { base: configured } : (configured ?? {});
  const name = base ?? guessServer(baseUrl);
  const known = findServerFacts(name, ROUTE_OF[kind]);
  const own = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return {
    ...known,
    ...own,
    ends: { ...known.ends, ...ends },
    errors: [...errors, ...known.errors],
    errorPlaces: [...errorPlaces, ...known.errorPlaces],
    name,
    isGuessed: base === undefined,
  };
}

function buildModel(
  { price, deployments, checks, ...model }: ParsedModel,
  sandboxes: ReadonlySet<string>,
): CatalogModel {
  // So that costs and budgets can be tried without a provider; a real model costs what its operator says, or nothing is
  // known of it.
  const isMadeUp = deployments.every(({ upstream }) => sandboxes.has(upstream));
  return {
    ...model,
    ...(checks && { checks: checks.map(buildRule) }),
    deployments: deployments.map(({ price: own, ...deployment }) =>
      own === undefined ? deployment : { ...deployment, price: buildPrice(own) },
    ),
    contextWindow: model.contextWindow ?? UNKNOWN_TOKENS,
    maxOutputTokens: model.maxOutputTokens ?? (model.embeddings === true ? 1 : UNKNOWN_TOKENS),
    displayName: model.displayName ?? model.name,
    createdAt: model.createdAt ?? new Date(0),
    price: price !== undefined ? buildPrice(price) : isMadeUp ? SANDBOX_PRICE : undefined,
  };
}

function buildRule({ schema, ...rule }: NonNullable<ParsedModel["checks"]>[number]): AnswerRule {
  return schema === undefined ? rule : { ...rule, schemaJson: JSON.stringify(schema) };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}

type ParsedQuota = ParsedConfig["quotas"]["installation"];

/** Makes the quotas: limits by their rules, and models by their own names. */
function buildQuotas(
  { installation, eachProject, eachKey, eachEndUser, ...others }: ParsedConfig["quotas"],
  models: readonly CatalogModel[],
  prefix: string,
): QuotasConfig {
  const catalog = createCatalog(models, prefix);
  const build = ({ models: allowed, ...limits }: ParsedQuota): QuotaSettings => ({
    ...Object.fromEntries(
      QUOTA_FIELD_NAMES.flatMap((name) => {
        const limit = limits[name];
        return limit === undefined ? [] : [[QUOTA_FIELDS[name].rule, limit]];
      }),
    ),
    ...(allowed && { models: allowed.map((name) => catalog.find(name)?.name ?? name) }),
  });
  return {
    ...others,
    installation: build(installation),
    eachProject: build(eachProject),
    eachKey: build(eachKey),
    eachEndUser: build(eachEndUser),
  };
}

type Parsed = ParsedConfig["telemetry"];

/** Builds what is exported of telemetry: a signal without an address is undefined. */
function buildTelemetry(parsed: Parsed): TelemetryConfig {
  const { serviceName, resourceAttributes, traces, metrics } = parsed;
  const { sampleRatio, propagate, content } = traces;
  const [traceTarget, metricTarget] = [buildTarget(parsed, "traces"), buildTarget(parsed, "metrics")];
  return {
    serviceName: serviceName ?? resourceAttributes["service.name"] ?? "attune",
    resourceAttributes,
    traces: traceTarget && { ...traceTarget, sampleRatio, propagate, content },
    metrics: metricTarget && { ...metricTarget, intervalMs: metrics.intervalMs },
  };
}

function buildTarget(parsed: Parsed, signal: "traces" | "metrics"): OtlpTarget | undefined {
  const { enabled, endpoint } = parsed[signal];
  const protocol = parsed[signal].protocol ?? parsed.protocol;
  const url = endpoint ?? (parsed.endpoint && addPath(parsed.endpoint, protocol, signal));
  if (!parsed.enabled || !enabled || url === undefined) return undefined;
  const { timeoutMs, compression } = parsed;
  return { url, protocol, headers: parsed[signal].headers ?? parsed.headers, timeoutMs, compression };
}

/** Over gRPC the method names the signal. */
function addPath(endpoint: string, protocol: OtlpTarget["protocol"], signal: string): string {
  if (protocol === "grpc") return endpoint;
  return `${endpoint.endsWith("/") ? endpoint.slice(0, -1) : endpoint}/v1/${signal}`;
}

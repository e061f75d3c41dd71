import { formatAddress } from "../lib/format-address.ts";
import type {
  Config,
  HttpUpstreamConfig,
  OtlpTarget,
  TelemetryConfig,
  UpstreamConfig,
  UpstreamProfile,
} from "./config.ts";
import type { Environment } from "./interpolate.ts";
import { listWarnings } from "./list-warnings.ts";
import { loadConfig } from "./load-config.ts";
import { ConfigError } from "./mistake.ts";

/** The findings of `attune check`. */
interface ConfigReport {
  /** The configuration; undefined where it has mistakes. */
  readonly config: Config | undefined;
  /** Lines of text without secrets. */
  readonly lines: readonly string[];
}

/** Checks the configuration: reports every mistake, or what is configured. */
export function checkConfig(environment: Environment, cwd: string): ConfigReport {
  try {
    const config = loadConfig(environment, cwd);
    return { config, lines: [...describeConfig(config), ...listWarnings(config)] };
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    const { length } = thrown.mistakes;
    return {
      config: undefined,
      lines: [...thrown.message.split("\n"), `${length} ${length === 1 ? "mistake" : "mistakes"}`],
    };
  }
}

function describeConfig(config: Config): string[] {
  const { file, prefix, server, database, telemetry, alerts, upstreams, models } = config;
  return [
    `${file ?? "the built-in configuration"} is valid`,
    `listens on ${formatAddress(server.host, server.port)}`,
    `keeps records in ${database.url.startsWith("sqlite:") ? database.url : "PostgreSQL"}`,
    ...describeTelemetry(telemetry),
    ...describeAlerts(alerts),
    ...Object.entries(upstreams).map(([name, upstream]) => `upstream ${name}: ${describeUpstream(upstream)}`),
    ...describeListed(models),
    ...models
      .filter(({ listed }) => listed !== true)
      .map(({ name, aliases = [], deployments }) => {
        const places = deployments.map(({ upstream, model }) => `${upstream} (${model})`);
        const also = aliases.length === 0 ? "" : `, also called ${aliases.join(", ")}`;
        return `model ${prefix}/${name}${also}: ${places.join(", ")}`;
      }),
  ];
}

/** Models that lists alone know are many: each upstream has a line. */
function describeListed(models: Config["models"]): string[] {
  const counts = new Map<string, number>();
  for (const { listed, deployments } of models) {
    if (listed !== true) continue;
    for (const { upstream } of deployments) counts.set(upstream, (counts.get(upstream) ?? 0) + 1);
  }
  return [...counts].map(([upstream, count]) => `${upstream} serves ${count} more models that lists know`);
}

function describeAlerts({ enabled, rules, destinations }: Config["alerts"]): string[] {
  if (!enabled) return ["sends no alerts"];
  const on = rules.filter(({ isEnabled }) => isEnabled).length;
  // The path of an address may be a secret.
  const to = destinations.map(
    ({ name, kind, target }) => `${name} (${kind}, ${kind === "email" ? target : new URL(target).host})`,
  );
  return to.length === 0 ? [] : [`sends alerts of ${on} rules: ${to.join(", ")}`];
}

function describeTelemetry({ serviceName, traces, metrics }: TelemetryConfig): string[] {
  const describe = (signal: string, { url, protocol, headers }: OtlpTarget, more: string): string => {
    const names = Object.keys(headers);
    const sent = names.length === 0 ? "" : `, with the headers ${names.join(", ")}`;
    return `exports ${signal} of ${serviceName} to ${url} (${protocol})${sent}, ${more}`;
  };
  const to = traces?.propagate === true ? ", also to upstreams" : "";
  const content = traces?.content === true ? ", with prompts and answers" : "";
  return [
    ...(traces ? [describe("traces", traces, `${traces.sampleRatio * 100}% of requests${to}${content}`)] : []),
    ...(metrics ? [describe("metrics", metrics, `every ${metrics.intervalMs} ms`)] : []),
  ];
}

function describeUpstream(upstream: UpstreamConfig): string {
  if (upstream.kind === "sandbox") return "sandbox";
  const { kind, baseUrl, profile, platform } = upstream;
  const served = platform === undefined ? "" : ` of ${platform}`;
  return `${kind}${served} at ${baseUrl}, ${describeKey(upstream)}${describeProfile(profile)}`;
}

function describeKey({ apiKey, apiKeys, missingKey, auth }: HttpUpstreamConfig): string {
  if (apiKeys !== undefined) return apiKeys.length === 1 ? "with a key" : `with ${apiKeys.length} keys`;
  if (auth !== undefined && auth.type !== "header") return `with credentials of the type ${auth.type}`;
  if (missingKey !== undefined) return `its key is missing (${missingKey} is not set)`;
  return apiKey === undefined ? "without a key" : "with a key";
}

function describeProfile(profile: UpstreamProfile | undefined): string {
  if (profile === undefined) return "";
  return `, profile ${profile.name}${profile.isGuessed ? " (guessed from baseUrl)" : ""}`;
}

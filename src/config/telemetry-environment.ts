import type { EnvironmentValue } from "./defaults.ts";
import type { Environment } from "./interpolate.ts";

/** The standard variables whose values are taken as they are. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: ["endpoint"],
  OTEL_EXPORTER_OTLP_PROTOCOL: ["protocol"],
  OTEL_EXPORTER_OTLP_TIMEOUT: ["timeoutMs"],
  OTEL_EXPORTER_OTLP_COMPRESSION: ["compression"],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ["traces", "endpoint"],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ["traces", "protocol"],
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: ["metrics", "endpoint"],
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: ["metrics", "protocol"],
  OTEL_METRIC_EXPORT_INTERVAL: ["metrics", "intervalMs"],
  OTEL_SERVICE_NAME: ["serviceName"],
};

/** The standard variables whose values are lists: `name=value,name=value`, percent-encoded. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  OTEL_EXPORTER_OTLP_HEADERS: ["headers"],
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: ["traces", "headers"],
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: ["metrics", "headers"],
  OTEL_RESOURCE_ATTRIBUTES: ["resourceAttributes"],
};

/** The standard variables that turn something off, with the value that does. */
const SWITCHES: Readonly<Record<string, readonly [value: string, path: readonly string[]]>> = {
  OTEL_SDK_DISABLED: ["true", ["enabled"]],
  OTEL_TRACES_EXPORTER: ["none", ["traces", "enabled"]],
  OTEL_METRICS_EXPORTER: ["none", ["metrics", "enabled"]],
};

/** The part that is sampled by samplers without a ratio of their own. */
const RATIOS: Readonly<Record<string, string>> = {
  always_on: "1",
  always_off: "0",
  parentbased_always_on: "1",
  parentbased_always_off: "0",
};

/** Returns the settings of telemetry that OpenTelemetry's standard variables give. */
export function telemetryFromEnvironment(environment: Environment): EnvironmentValue[] {
  const at = (path: readonly string[], variable: string, value: string): EnvironmentValue => ({
    path: ["telemetry", ...path],
    variable,
    value,
  });
  const set = <T>(table: Readonly<Record<string, T>>) =>
    Object.entries(table).flatMap(([variable, entry]) => {
      const value = environment[variable]?.trim();
      return value ? [{ variable, entry, value }] : [];
    });
  return [
    ...set(VARIABLES).map(({ variable, entry, value }) => at(entry, variable, value)),
    ...set(LISTS).flatMap(({ variable, entry, value }) =>
      readList(value).map(([name, item]) => at([...entry, name], variable, item)),
    ),
    ...set(SWITCHES).flatMap(({ variable, entry: [off, path], value }) =>
      value.toLowerCase() === off ? [at(path, variable, "false")] : [],
    ),
    ...readSampler(environment).map(([variable, value]) => at(["traces", "sampleRatio"], variable, value)),
  ];
}

function readList(text: string): (readonly [name: string, value: string])[] {
  return text.split(",").flatMap((pair) => {
    const [name = "", ...value] = pair.split("=");
    return name.trim() === "" ? [] : [[name.trim(), decode(value.join("=").trim())] as const];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Every sampler goes by the decision of the caller, where there is one. A sampler that is not known is left alone. */
function readSampler(environment: Environment): (readonly [variable: string, value: string])[] {
  const sampler = environment["OTEL_TRACES_SAMPLER"] ?? "";
  const fixed = RATIOS[sampler];
  if (fixed !== undefined) return [["OTEL_TRACES_SAMPLER", fixed]];
  if (!/^(parentbased_)?traceidratio$/.test(sampler)) return [];
  return [["OTEL_TRACES_SAMPLER_ARG", environment["OTEL_TRACES_SAMPLER_ARG"] || "1"]];
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/check-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-telemetry-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Environment = Readonly<Record<string, string>>;

function write(yaml: string): void {
  writeFileSync(join(folder, "attune.yaml"), yaml);
}

function load(yaml: string, environment: Environment = {}) {
  write(yaml);
  return loadConfig(environment, folder).telemetry;
}

const TARGET = { protocol: "http/protobuf", headers: {}, timeoutMs: 10_000, compression: "none" } as const;
const TRACES = { ...TARGET, sampleRatio: 1, propagate: false, content: false };

describe("telemetry", () => {
  it("is off without an endpoint", () => {
    expect(load("")).toEqual({
      serviceName: "attune",
      resourceAttributes: {},
      traces: undefined,
      metrics: undefined,
    });
  });

  it.each([
    ["telemetry: { endpoint: 'http://c:4318/' }", "http://c:4318/v1/traces", "http://c:4318/v1/metrics"],
    ["telemetry: { endpoint: 'http://c:4317', protocol: grpc }", "http://c:4317", "http://c:4317"],
    ["telemetry: { endpoint: 'http://c:4318', metrics: { enabled: false } }", "http://c:4318/v1/traces", undefined],
    ["telemetry: { traces: { endpoint: 'http://t/in' } }", "http://t/in", undefined],
    ["telemetry: { enabled: false, endpoint: 'http://c:4318' }", undefined, undefined],
  ])("finds the address of each signal: %s", (yaml, traces, metrics) => {
    const telemetry = load(yaml);
    expect([telemetry.traces?.url, telemetry.metrics?.url]).toEqual([traces, metrics]);
  });

  it("takes OpenTelemetry's variables, which go before the file", () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=secret%3D1,x=y",
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_TIMEOUT: "5000",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
      OTEL_METRIC_EXPORT_INTERVAL: "15000",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=named,deployment.environment.name=test",
    };
    const common = { headers: { "api-key": "secret=1", x: "y" }, timeoutMs: 5000 };
    expect(load("telemetry: { endpoint: 'http://other', traces: { sampleRatio: 1 } }", environment)).toEqual({
      serviceName: "named",
      resourceAttributes: { "service.name": "named", "deployment.environment.name": "test" },
      traces: { ...TRACES, ...common, url: "http://collector:4318/v1/traces", sampleRatio: 0.25 },
      metrics: {
        ...TARGET,
        ...common,
        url: "http://collector:4318/v1/metrics",
        protocol: "http/json",
        intervalMs: 15_000,
      },
    });
  });

  it.each<[Environment, unknown, unknown]>([
    [{ OTEL_SDK_DISABLED: "true" }, undefined, undefined],
    [{ OTEL_TRACES_EXPORTER: "none" }, undefined, expect.any(Object)],
    [{ OTEL_METRICS_EXPORTER: "none" }, expect.any(Object), undefined],
    [{ OTEL_TRACES_SAMPLER: "always_off" }, expect.objectContaining({ sampleRatio: 0 }), expect.any(Object)],
  ])("is turned off by %o", (environment, traces, metrics) => {
    expect(load("telemetry: { endpoint: 'http://c' }", environment)).toMatchObject({ traces, metrics });
  });

  it.each<[string, Environment, string]>([
    ["", { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" }, "OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https"],
    ["", { OTEL_EXPORTER_OTLP_PROTOCOL: "thrift" }, "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf"],
    ["telemetry: { endpoint: 'http://c/v1/traces' }", {}, "telemetry.endpoint must end before '/v1/traces'"],
    ["telemetry: { traces: { sampleRatio: 2 } }", {}, "telemetry.traces.sampleRatio must be a number from 0 to 1"],
  ])("names a mistake: %s %o", (yaml, environment, message) => {
    write(yaml);
    const { config, lines } = checkConfig(environment, folder);
    expect(config).toBeUndefined();
    expect(lines[0]).toContain(message);
  });

  it("is told by the check, without the values of headers", () => {
    write("telemetry: { endpoint: 'http://c', headers: { api-key: secret-1 }, traces: { sampleRatio: 0.01 } }");
    const { lines } = checkConfig({}, folder);
    expect(lines.filter((line) => line.startsWith("exports"))).toEqual([
      "exports traces of attune to http://c/v1/traces (http/protobuf), with the headers api-key, 1% of requests",
      "exports metrics of attune to http://c/v1/metrics (http/protobuf), with the headers api-key, every 60000 ms",
    ]);
  });
});

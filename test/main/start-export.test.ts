import { afterEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { RequestSummary } from "../../src/hub/request-summary.ts";
import { startExport } from "../../src/main/start-export.ts";
import { createLog } from "../../src/observability/log.ts";
import { inferenceRecord } from "../support/inference-record.ts";
import { startOtlpReceiver } from "../support/otlp/receiver.ts";

const closing: (() => Promise<void> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Returns the attributes of the chosen attempt of a request, of a project that keeps so much of its bodies. */
async function exportedOf(bodies: "full" | "redacted" | "none", noTexts = false) {
  const collector = await startOtlpReceiver();
  closing.push(collector.close);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRICS_EXPORTER: "none" };
  const loaded = loadConfig(environment, import.meta.dirname);
  const { traces } = loaded.telemetry;
  const config = { ...loaded, telemetry: { ...loaded.telemetry, traces: traces && { ...traces, content: true } } };
  const sources = { upstreams: () => config.upstreams, bodiesOf: () => bodies };
  const telemetry = await startExport({ config, log: createLog("silent") }, sources);
  closing.push(() => telemetry?.close());
  const trace = telemetry?.openTrace?.({});
  const summary = new RequestSummary({ requestId: "r", route: "POST /v1/messages", trace }, (ended) =>
    telemetry?.report(ended),
  );
  const record = inferenceRecord();
  summary.begin(record.id);
  summary.addRecord({ ...record, input: { ...record.input, noTexts } });
  summary.end(200);
  await telemetry?.flush();
  return collector.spans.find(({ attributes }) => attributes["attune.attempt.chosen"] === true)?.attributes;
}

describe("startExport()", () => {
  const TEXT = "Grüße, 世界";

  it("exports prompt and answer where their project keeps them", async () => {
    const attributes = await exportedOf("full");
    expect(attributes?.["gen_ai.input.messages"]).toContain(TEXT);
    expect(attributes?.["gen_ai.output.messages"]).toContain(TEXT);
  });

  it("exports them without their texts where their project keeps none", async () => {
    const attributes = await exportedOf("redacted");
    expect(attributes?.["gen_ai.output.messages"]).toContain('"role":"assistant"');
    expect(JSON.stringify(attributes)).not.toContain(TEXT);
  });

  it.each([
    ["none", false],
    ["full", true],
  ] as const)("exports neither where they are not kept: bodies %s, noTexts %s", async (bodies, noTexts) => {
    const attributes = await exportedOf(bodies, noTexts);
    expect(attributes).toBeDefined();
    expect(Object.keys(attributes ?? {}).filter((name) => /messages|instructions/.test(name))).toEqual([]);
  });

  it("exports nothing without an endpoint", async () => {
    const config = loadConfig({}, import.meta.dirname);
    const sources = { upstreams: () => config.upstreams, bodiesOf: () => "full" as const };
    expect(await startExport({ config, log: createLog("silent") }, sources)).toBeUndefined();
  });
});

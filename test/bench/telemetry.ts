/**
 * Measures what telemetry costs a request: finding its place in a trace, and counting and exporting it at its end, in a
 * loop of the parts without a server. A collector that takes all and reads nothing is in the same process. Prints
 * microseconds of processor time a request.
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { RequestSummary } from "../../src/hub/request-summary.ts";
import { openTelemetry } from "../../src/observability/telemetry/open-telemetry.ts";
import type { Telemetry, TelemetrySettings } from "../../src/observability/telemetry/telemetry.ts";
import { inferenceRecord } from "../support/inference-record.ts";
import { readOptions } from "../support/read-options.ts";

readOptions("usage: npm run bench:telemetry", {});

const REQUESTS = 200_000;
/** Requests of one iteration of the event loop. */
const AT_ONCE = 100;

const collector = createServer((request, response) => {
  request.resume().once("end", () => response.end());
});
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const target = { protocol: "http/protobuf", headers: {}, timeoutMs: 10_000, compression: "none" } as const;
const metrics = { ...target, url: `${endpoint}/v1/metrics`, intervalMs: 1000 };
const traces = (sampleRatio: number, propagate = false) => ({
  ...target,
  url: `${endpoint}/v1/traces`,
  sampleRatio,
  propagate,
  content: false,
});

const SETTINGS: readonly (readonly [name: string, settings: Pick<TelemetrySettings, "traces" | "metrics">])[] = [
  ["off", { traces: undefined, metrics: undefined }],
  ["metrics alone", { traces: undefined, metrics }],
  ["traces of 1%", { traces: traces(0.01), metrics: undefined }],
  ["traces of 1%, and metrics", { traces: traces(0.01), metrics }],
  ["traces of 1% that upstreams are told of, and metrics", { traces: traces(0.01, true), metrics }],
  ["traces of all, and metrics", { traces: traces(1), metrics }],
];

const record = inferenceRecord();
const headers = { "content-type": "application/json", authorization: "Bearer k" };

function callOnce(telemetry: Telemetry | undefined): void {
  const trace = telemetry?.openTrace?.(headers);
  const summary = new RequestSummary({ requestId: "r", route: "POST /v1/chat/completions", trace }, (ended) =>
    telemetry?.report(ended),
  );
  summary.begin(record.id);
  summary.trace?.upstreamHeaders(0);
  summary.addRecord(record);
  summary.end(200);
}

async function callMany(telemetry: Telemetry | undefined, requests: number): Promise<void> {
  for (let call = 0; call < requests; call++) {
    callOnce(telemetry);
    if (call % AT_ONCE === 0) await new Promise(setImmediate);
  }
}

for (const [name, settings] of SETTINGS) {
  const telemetry = await openTelemetry(
    { serviceName: "attune", resourceAttributes: {}, ...settings },
    {
      log: { warn: (facts, message) => console.error(message, facts) },
      contentOf: () => undefined,
      instanceId: "bench",
      urlScheme: "http",
      peerOf: () => ({ provider: "openai", address: "api.openai.com", port: 443 }),
    },
  );
  await callMany(telemetry, REQUESTS / 10);
  const before = process.cpuUsage();
  await callMany(telemetry, REQUESTS);
  await telemetry?.flush();
  const { user, system } = process.cpuUsage(before);
  console.log(`${((user + system) / REQUESTS).toFixed(2).padStart(6)} us a request: ${name}`);
  await telemetry?.close();
}
collector.closeAllConnections();
collector.close();

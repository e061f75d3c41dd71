import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { readVersion } from "../../../lib/version.ts";
import type { Telemetry, TelemetryPorts, TelemetrySettings } from "../telemetry.ts";
import { createFailureLog } from "./failure-log.ts";
import { startMetrics } from "./start-metrics.ts";
import { startTraces } from "./start-traces.ts";

const CLOSE_LIMIT_MS = 2000;

/** Starts the export of what is configured. */
export function startTelemetry(settings: TelemetrySettings, ports: TelemetryPorts): Telemetry {
  const resource = createResource(settings, ports.instanceId);
  const metrics = settings.metrics && startMetrics(settings.metrics, resource, ports);
  const traces = settings.traces && startTraces(settings.traces, { resource, meters: metrics?.provider }, ports);
  const onFailure = createFailureLog(ports.log, { signal: "requests" });
  return {
    openTrace: traces?.openTrace,
    report(summary) {
      try {
        metrics?.count(summary);
        traces?.report(summary);
      } catch (error) {
        // It is called where requests end, which must go on.
        onFailure(error);
      }
    },
    async flush() {
      await Promise.allSettled([traces?.flush(), metrics?.flush()]);
    },
    async close() {
      await settledWithin(ports.closeLimitMs ?? CLOSE_LIMIT_MS, [traces?.close(), metrics?.close()]);
    },
  };
}

function createResource({ serviceName, resourceAttributes }: TelemetrySettings, instanceId: string): Resource {
  return resourceFromAttributes({
    "service.version": readVersion(),
    ...resourceAttributes,
    "service.name": serviceName,
    // Each process counts for itself.
    "service.instance.id": instanceId,
  });
}

/** Resolves when all have ended, however, or when the time is over. */
async function settledWithin(limitMs: number, closing: readonly (Promise<void> | undefined)[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([Promise.allSettled(closing), promise]);
  clearTimeout(timer);
}

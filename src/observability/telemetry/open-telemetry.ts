import type { Telemetry, TelemetryPorts, TelemetrySettings } from "./telemetry.ts";

/** Starts the export of telemetry; undefined where nothing is exported, and nothing of the SDK is loaded then. */
export async function openTelemetry(
  settings: TelemetrySettings,
  ports: TelemetryPorts,
): Promise<Telemetry | undefined> {
  if (settings.traces === undefined && settings.metrics === undefined) return undefined;
  const { startTelemetry } = await import("./sdk/start-telemetry.ts");
  return startTelemetry(settings, ports);
}

import type { Config } from "../config/config.ts";
import { newId } from "../lib/ids.ts";
import { openTelemetry } from "../observability/telemetry/open-telemetry.ts";
import { peerOf } from "../observability/telemetry/peer.ts";
import type { Telemetry } from "../observability/telemetry/telemetry.ts";
import type { Setup } from "./setup.ts";

/** Starts the export of telemetry; `upstreams` returns those that are served by now. */
export function startExport(
  { config, log }: Pick<Setup, "config" | "log">,
  upstreams: () => Config["upstreams"],
): Promise<Telemetry | undefined> {
  return openTelemetry(config.telemetry, {
    ...{ log, instanceId: newId() },
    peerOf: (upstream) => peerOf(upstreams()[upstream]),
  });
}

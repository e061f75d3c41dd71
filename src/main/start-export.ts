import type { Config } from "../config/config.ts";
import type { SummarizedInference } from "../hub/request-summary.ts";
import { newId } from "../lib/ids.ts";
import { openTelemetry } from "../observability/telemetry/open-telemetry.ts";
import { getPeer } from "../observability/telemetry/peer.ts";
import type { Content, Telemetry } from "../observability/telemetry/telemetry.ts";
import type { BodyPolicy } from "../store/bodies/body-policy.ts";
import { redactInput, redactOutput } from "../store/bodies/redact.ts";
import type { Setup } from "./setup.ts";

/** The sources of what is exported. */
interface ExportSources {
  /** Returns the upstreams that are served by now. */
  readonly upstreams: () => Config["upstreams"];
  readonly bodiesOf: (projectId: string) => BodyPolicy;
}

/** Starts the export of telemetry. */
export function startExport(
  { config, log }: Pick<Setup, "config" | "log">,
  { upstreams, bodiesOf }: ExportSources,
): Promise<Telemetry | undefined> {
  return openTelemetry(config.telemetry, {
    log,
    instanceId: newId(),
    urlScheme: config.server.tls === undefined ? "http" : "https",
    peerOf: (upstream) => getPeer(upstreams()[upstream]),
    contentOf: (inference) => recordedContent(inference, bodiesOf(inference.projectId)),
  });
}

/** Returns prompt and answer as the record of the inference has them. */
function recordedContent({ input, output }: SummarizedInference, policy: BodyPolicy): Content | undefined {
  if (policy === "none" || input.noTexts) return undefined;
  return policy === "full" ? { input, output } : { input: redactInput(input), output: redactOutput(output) };
}

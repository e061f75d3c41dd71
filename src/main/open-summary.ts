import { type OpenSummary, RequestSummary } from "../hub/request-summary.ts";
import { createLineLog } from "../observability/line-log.ts";
import { createRequestLog } from "../observability/request-log.ts";
import type { Resources } from "./open-resources.ts";
import type { Setup } from "./setup.ts";

/** Creates a function that opens the summary of a request; its end is counted and logged. */
export function createOpenSummary(
  { generations, metrics, telemetry }: Resources,
  { log }: Pick<Setup, "log">,
): OpenSummary {
  const logRequest = createRequestLog({
    log: createLineLog(log),
    settings: () => generations.current.config.log.requests,
  });
  const report = (summary: RequestSummary): void => {
    metrics.countRequest(summary);
    logRequest(summary);
    telemetry?.report(summary);
  };
  const openTrace = telemetry?.openTrace;
  return ({ headers, ...opened }) => new RequestSummary({ ...opened, trace: openTrace?.(headers) }, report);
}

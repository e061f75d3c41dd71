import { encodeCsv } from "../../lib/csv.ts";
import type { HistoryRow } from "../../store/dashboard/history.ts";
import { describeRequest } from "./describe-request.ts";

const COLUMNS = [
  ...["id", "started_at", "status", "error_reason", "model", "served_model", "key_id", "workload"],
  ...["session_id", "end_user_id", "tags", "prompt_tokens", "output_tokens", "cost_usd", "latency_ms"],
  ...["prompt", "answer", "feedback_good", "feedback_bad", "feedback_others"],
];
const NANOS_PER_USD = 1e9;

/** Writes requests as CSV: their facts, the first words of prompt and answer, and counts of feedback. */
export async function* exportCsv(pages: AsyncIterable<readonly HistoryRow[]>): AsyncGenerator<string> {
  const heading = encodeCsv(COLUMNS, []);
  yield heading;
  for await (const rows of pages) yield encodeCsv(COLUMNS, rows.map(toCells)).slice(heading.length);
}

function toCells(row: HistoryRow) {
  const { id, status, model, workload, prompt, answer, feedback, ...request } = describeRequest(row);
  return {
    ...{ id, started_at: request.startedAt.toISOString(), status, error_reason: request.errorReason ?? null },
    ...{ model, served_model: request.servedModel, key_id: request.keyId, workload },
    ...{ session_id: request.sessionId, end_user_id: request.endUserId },
    tags: request.tags && JSON.stringify(request.tags),
    ...{ prompt_tokens: request.promptTokens, output_tokens: request.outputTokens ?? null },
    cost_usd: request.costNanos == null ? null : request.costNanos / NANOS_PER_USD,
    ...{ latency_ms: request.latencyMs, prompt, answer },
    ...{ feedback_good: feedback?.good ?? 0, feedback_bad: feedback?.bad ?? 0 },
    feedback_others: feedback?.others ?? 0,
  };
}

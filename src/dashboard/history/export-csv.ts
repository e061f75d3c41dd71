import { nanosToUsd } from "../../hub/money.ts";
import { encodeCsv } from "../../lib/csv.ts";
import type { HistoryRow } from "../../store/dashboard/reads/describe-rows.ts";
import { describeRequest } from "./describe-request.ts";

type Cell = string | number | null | undefined;

/** The columns, in their order. */
const COLUMNS: Readonly<Record<string, (request: ReturnType<typeof describeRequest>) => Cell>> = {
  id: ({ id }) => id,
  started_at: ({ startedAt }) => startedAt.toISOString(),
  status: ({ status }) => status,
  error_reason: ({ errorReason }) => errorReason,
  model: ({ model }) => model,
  served_model: ({ servedModel }) => servedModel,
  key_id: ({ keyId }) => keyId,
  workload: ({ workload }) => workload,
  session_id: ({ sessionId }) => sessionId,
  end_user_id: ({ endUserId }) => endUserId,
  tags: ({ tags }) => tags && JSON.stringify(tags),
  prompt_tokens: ({ promptTokens }) => promptTokens,
  output_tokens: ({ outputTokens }) => outputTokens,
  cost_usd: ({ costNanos }) => (costNanos == null ? null : nanosToUsd(costNanos)),
  cost_gaps: ({ costGaps }) => costGaps.join("; "),
  latency_ms: ({ latencyMs }) => latencyMs,
  prompt: ({ prompt }) => prompt,
  answer: ({ answer }) => answer,
  feedback_good: ({ feedback }) => feedback?.good ?? 0,
  feedback_bad: ({ feedback }) => feedback?.bad ?? 0,
  feedback_others: ({ feedback }) => feedback?.others ?? 0,
};
const NAMES = Object.keys(COLUMNS);

/** Writes requests as CSV: their facts, the first words of prompt and answer, and counts of feedback. */
export async function* exportCsv(pages: AsyncIterable<readonly HistoryRow[]>): AsyncGenerator<string> {
  const heading = encodeCsv(NAMES, []);
  yield heading;
  for await (const rows of pages) yield encodeCsv(NAMES, rows.map(toCells)).slice(heading.length);
}

function toCells(row: HistoryRow) {
  const request = describeRequest(row);
  return Object.fromEntries(Object.entries(COLUMNS).map(([name, cell]) => [name, cell(request) ?? null]));
}

import { create, toBinary } from "@bufbuild/protobuf";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { encodeRequest } from "../../../src/hub/request-bytes.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { attemptRow, idAt, inferenceRow } from "../../support/rows.ts";

const MINUTE_MS = 60_000;
const TOOLS = ["read_file", "search", "apply_patch", "run_tests", "list_directory"];
const WORDS = [
  "I read the failing test first, then the parser that it calls.",
  "The patch keeps the order of the columns, and the test passes now.",
  "Three files import the old name. I rename it in each of them, and search for others that build the name from parts.",
  "The tests of the whole package take four minutes; I run those of the folder.",
];
/** Calls that a run has. */
const CALLS = 600;

/** The session of the run of all calls, and its subagents. */
export const RUN = "fix-flaky-parser-tests";

interface Part {
  readonly sessionId: string;
  readonly parentSessionId: string | null;
  readonly calls: number;
  /** Milliseconds from the beginning of the run. */
  readonly fromMs: number;
  /** Calls at a time. */
  readonly atOnce?: number;
}

/** What a run of an agent does: it plans, has four subagents work at once, waits for a person, and goes on. */
const PARTS: readonly Part[] = [
  { sessionId: RUN, parentSessionId: null, calls: 30, fromMs: 0 },
  { sessionId: `${RUN}/search`, parentSessionId: RUN, calls: 90, fromMs: 70_000 },
  { sessionId: `${RUN}/parser`, parentSessionId: RUN, calls: 110, fromMs: 72_000 },
  { sessionId: `${RUN}/parser/review`, parentSessionId: `${RUN}/parser`, calls: 30, fromMs: 120_000 },
  { sessionId: `${RUN}/docs`, parentSessionId: RUN, calls: 60, fromMs: 74_000 },
  { sessionId: RUN, parentSessionId: null, calls: 120, fromMs: 11 * MINUTE_MS, atOnce: 3 },
  { sessionId: `${RUN}/verify`, parentSessionId: RUN, calls: 60, fromMs: 14 * MINUTE_MS },
  { sessionId: RUN, parentSessionId: null, calls: 100, fromMs: 17 * MINUTE_MS },
];

/** Writes a run of 600 calls that ended at a time, with subagents, calls at once, a long wait, and failures. */
export async function seedAgentRun(store: Store, projectId: string, endMs: number): Promise<void> {
  const lengthMs = 22 * MINUTE_MS;
  const rows = PARTS.flatMap((part) => listCalls(part, endMs - lengthMs)).sort(
    (a, b) => a.startedAt.getTime() - b.startedAt.getTime(),
  );
  if (rows.length !== CALLS) throw new Error(`the run has ${rows.length} calls`);
  await addAgentCalls(
    store,
    rows.map((row, at) => ({ ...row, ...ending(at), projectId, id: idAt(row.startedAt.toISOString(), at) })),
  );
}

/** Writes calls with texts and calls of tools. */
export async function addAgentCalls(store: Store, rows: readonly InferenceRow[]): Promise<void> {
  const inferences = rows.map((row, at) => {
    const isWhole = row.status === "completed";
    const request = encodeRequest(
      createHubInput({ messages: [{ role: Role.USER, content: [text(`Step ${at + 1}: make the tests pass.`)] }] }),
    );
    const tool = { id: `call_${at}`, name: TOOLS[at % TOOLS.length] ?? "", arguments: '{"path":"src/parse.ts"}' };
    const content = [text(WORDS[at % WORDS.length] ?? ""), { kind: { case: "toolUse" as const, value: tool } }];
    const response = toBinary(GenerateResponseSchema, create(GenerateResponseSchema, { content }));
    const attempt = attemptRow({ id: row.id, outcome: row.status, isWinner: isWhole });
    return { row, attempts: [attempt], request, response: isWhole ? response : undefined };
  });
  await writeBatch(store, { inferences, feedback: [] });
}

function listCalls({ sessionId, parentSessionId, calls, fromMs, atOnce = 1 }: Part, beginMs: number): InferenceRow[] {
  return Array.from({ length: calls }, (_, at) => {
    const latencyMs = 1200 + ((at * 377) % 2400);
    const startedAt = new Date(beginMs + fromMs + Math.floor(at / atOnce) * 2900 + (at % atOnce) * 40);
    const model = sessionId === RUN ? "claude-sonnet-5-5" : "claude-haiku-5-5";
    return inferenceRow({
      sessionId,
      parentSessionId,
      sessionSource: "x-session-id",
      startedAt,
      latencyMs,
      model,
      streamed: true,
      timeToFirstTokenMs: 400,
      keyId: "codereview01",
      workload: "code-review",
      inputTokens: 900,
      cacheReadTokens: 12_000 + at * 150,
      outputTokens: 240 + (at % 9) * 60,
      costNanos: 4_000_000 + at * 20_000,
      baseCostNanos: 9_000_000,
    });
  });
}

function ending(at: number): Partial<InferenceRow> {
  if (at % 97 === 96) {
    const reason = { errorReason: "upstream_overloaded", errorMessage: "try again later", errorUpstreamStatus: 529 };
    return { status: "failed", finishReason: null, costNanos: null, outputTokens: null, ...reason };
  }
  return at % 211 === 210 ? { status: "canceled", finishReason: null, usageEstimated: true } : {};
}

function text(value: string) {
  return { kind: { case: "text" as const, value: { text: value } } };
}

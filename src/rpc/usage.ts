import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  Dimension,
  type Figures,
  FiguresSchema,
  GetUsageRequestSchema,
  GetUsageResponseSchema,
  ListRefusalsRequestSchema,
  ListRefusalsResponseSchema,
  type ShadowTrials,
  ShadowTrialsSchema,
  type UsageService as UsageRpc,
} from "../../gen/attune/usage/v1/usage_pb.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { Principal } from "../hub/principal.ts";
import type { RefusalCount, RefusalSample } from "../hub/refusals.ts";
import {
  findGroupProblem,
  findUsageProblem,
  type ShadowUsage,
  type UsageDimension,
  type UsageFigures,
  type UsageQuery,
  type UsageReport,
} from "../hub/usage.ts";
import { createMessageValidator } from "../inference/run/validate.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeError } from "./encode-error.ts";

/** The refused calls of a project. */
interface Refusals {
  readonly counts: readonly Omit<RefusalCount, "hour">[];
  readonly samples: readonly RefusalSample[];
}

/** The ports of the RPC service. */
interface UsageRpcPorts {
  readonly readUsage: (query: UsageQuery) => Promise<UsageReport>;
  readonly readRefusals: (
    query: Pick<UsageQuery, "projectId" | "keyId"> & { readonly since: Date },
  ) => Promise<Refusals>;
  /** The prefix of model ids. */
  readonly prefix: string;
  readonly callerOf: ReadCaller;
}

const DEFAULT_MS = 30 * 86_400_000;
/** Most groups of an answer: more of them are a mistake, or an export that should be cut by time. */
const MOST_GROUPS = 10_000;

const DIMENSIONS: Record<Dimension, UsageDimension | undefined> = {
  [Dimension.UNSPECIFIED]: undefined,
  [Dimension.KEY]: "key",
  [Dimension.MODEL]: "model",
  [Dimension.PROJECT]: "project",
  [Dimension.WORKLOAD]: "workload",
  [Dimension.SESSION]: "session",
  [Dimension.END_USER]: "end_user",
  [Dimension.TAG]: "tag",
};

/** Implements the RPC service on what was counted. */
export function createUsageRpc({
  readUsage,
  readRefusals,
  prefix,
  callerOf,
}: UsageRpcPorts): ServiceImpl<typeof UsageRpc> {
  const validateUsage = createMessageValidator(GetUsageRequestSchema);
  const validateRefusals = createMessageValidator(ListRefusalsRequestSchema);
  const answer = async <T>(context: HandlerContext, work: (principal: Principal) => Promise<T>): Promise<T> => {
    try {
      return await work((await callerOf(context)).principal);
    } catch (thrown) {
      throw encodeError(thrown);
    }
  };
  return {
    getUsage: (request, context) =>
      answer(context, async (principal) => {
        validateUsage(request);
        const to = request.to === undefined ? new Date() : timestampDate(request.to);
        const from = request.from === undefined ? new Date(to.getTime() - DEFAULT_MS) : timestampDate(request.from);
        if (from >= to) throw InferenceError.invalid("from", "must be before 'to'");
        const groupBy = request.groupBy.flatMap((dimension) => DIMENSIONS[dimension] ?? []);
        refuse(findGroupProblem(groupBy));
        const report = await asked(readUsage({ ...seenBy(principal), from, to, groupBy }));
        refuse(findUsageProblem(report));
        const { groups, total, shadow } = report;
        if (groups.length > MOST_GROUPS) throw tooManyGroups(groups.length);
        const values = (group: readonly string[]) =>
          group.map((value, at) => (groupBy[at] === "model" ? `${prefix}/${value}` : value));
        return create(GetUsageResponseSchema, {
          groups: groups.map((group) => ({ values: values(group.values), figures: toMessage(group.figures) })),
          total: toMessage(total),
          ...(shadow && { shadowTrials: shadowToMessage(shadow) }),
        });
      }),

    listRefusals: (request, context) =>
      answer(context, async (principal) => {
        validateRefusals(request);
        const since = request.from === undefined ? new Date(Date.now() - DEFAULT_MS) : timestampDate(request.from);
        const { counts, samples } = await asked(readRefusals({ ...seenBy(principal), since }));
        return create(ListRefusalsResponseSchema, {
          counts: counts.map(({ reason, keyId, calls }) => ({ reason, key: keyId, calls: BigInt(calls) })),
          calls: samples.map(({ at, reason, keyId, call, message }) => ({
            time: timestampFromDate(at),
            ...{ reason, key: keyId, call, message },
          })),
        });
      }),
  };
}

/** Returns the calls that a caller may see: its own, or those of the whole project. */
function seenBy({ projectId, keyId, permissions }: Principal): Pick<UsageQuery, "projectId" | "keyId"> {
  return { projectId, keyId: permissions?.includes("read:project") ? undefined : keyId };
}

function toMessage({ costNanos, latencyP50Ms, latencyP95Ms, ...counts }: UsageFigures): Figures {
  return create(FiguresSchema, {
    calls: BigInt(counts.calls),
    failedCalls: BigInt(counts.failedCalls),
    inputTokens: BigInt(counts.inputTokens),
    cacheReadTokens: BigInt(counts.cacheReadTokens),
    cacheWriteTokens: BigInt(counts.cacheWriteTokens),
    outputTokens: BigInt(counts.outputTokens),
    reasoningTokens: BigInt(counts.reasoningTokens),
    estimatedCalls: BigInt(counts.estimatedCalls),
    pricedCalls: BigInt(counts.pricedCalls),
    costNanoUsd: BigInt(costNanos),
    ...(latencyP50Ms !== undefined && { latencyP50Ms }),
    ...(latencyP95Ms !== undefined && { latencyP95Ms }),
  });
}

function shadowToMessage({ trials, checks, costNanos }: ShadowUsage): ShadowTrials {
  return create(ShadowTrialsSchema, {
    trials: BigInt(trials),
    checks: BigInt(checks),
    ...(costNanos !== null && { costNanoUsd: BigInt(costNanos) }),
  });
}

/** Waits for what the database was asked. Throws UNAVAILABLE where it does not answer. */
async function asked<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (cause) {
    const message = "the database cannot be asked for usage at the moment: try again shortly";
    throw new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000, cause });
  }
}

/** Throws INVALID_REQUEST where there is a problem of the dimensions. */
function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw InferenceError.invalid("group_by", problem);
}

function tooManyGroups(count: number): InferenceError {
  const problem = `gives ${count} groups, and at most ${MOST_GROUPS} are told: take fewer dimensions or a shorter time`;
  return InferenceError.invalid("group_by", problem);
}

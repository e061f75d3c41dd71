import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  GetUsageRequestSchema,
  GetUsageResponseSchema,
  ListRefusalsRequestSchema,
  ListRefusalsResponseSchema,
  type UsageService as UsageRpc,
} from "../../gen/attune/usage/v1/usage_pb.ts";
import type { UsageQuery, UsageReport } from "../figures/usage.ts";
import { readUsageRequest, usageToMessage } from "../figures/usage-message.ts";
import type { Principal } from "../hub/principal.ts";
import type { RefusalCount, RefusalSample } from "../hub/refusals.ts";
import { whenAvailable } from "../hub/when-available.ts";
import { createRecordValidator } from "../inference/run/validate.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeErrors } from "./encode-error.ts";

/** The refused calls of a project. */
interface Refusals {
  readonly counts: readonly Omit<RefusalCount, "minute" | "firstMs" | "lastMs">[];
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

/** Implements the RPC service on what was counted. */
export function createUsageRpc({
  readUsage,
  readRefusals,
  prefix,
  callerOf,
}: UsageRpcPorts): ServiceImpl<typeof UsageRpc> {
  const validateUsage = createRecordValidator(GetUsageRequestSchema);
  const validateRefusals = createRecordValidator(ListRefusalsRequestSchema);
  return {
    getUsage: encodeErrors(async (request, context) => {
      const { principal } = await callerOf(context);
      validateUsage(request);
      const query = readUsageRequest(request);
      const report = await whenAnswered(readUsage({ ...seenBy(principal), ...query }));
      return create(GetUsageResponseSchema, usageToMessage(report, query.groupBy, prefix));
    }),

    listRefusals: encodeErrors(async (request, context) => {
      const { principal } = await callerOf(context);
      validateRefusals(request);
      const since = request.from === undefined ? new Date(Date.now() - DEFAULT_MS) : timestampDate(request.from);
      const { counts, samples } = await whenAnswered(readRefusals({ ...seenBy(principal), since }));
      return create(ListRefusalsResponseSchema, {
        counts: counts.map(({ reason, keyId, calls }) => ({ reason, key: keyId, calls: BigInt(calls) })),
        calls: samples.map(({ at, reason, keyId, call, message }) => ({
          time: timestampFromDate(at),
          reason,
          key: keyId,
          call,
          message,
        })),
      });
    }),
  };
}

/** Returns the calls that a caller may see: its own, or those of the whole project. */
function seenBy({ projectId, keyId, permissions }: Principal): Pick<UsageQuery, "projectId" | "keyId"> {
  return { projectId, keyId: permissions?.includes("read:project") ? undefined : keyId };
}

/** Waits for what the database was asked. Throws UNAVAILABLE where it does not answer. */
async function whenAnswered<T>(question: Promise<T>): Promise<T> {
  return await whenAvailable(question, "the database cannot be asked for usage");
}

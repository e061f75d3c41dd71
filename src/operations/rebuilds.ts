import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type RebuildSchema, RebuildState } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { WorkloadRebuildRow } from "../store/entities/workload-rebuild.ts";
import {
  cancelRebuild,
  RebuildImpossible,
  RebuildTooSoon,
  readRebuild,
  requestRebuild,
} from "../store/learning/rebuild-requests.ts";
import { conflict } from "./checks.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers } from "./handlers.ts";

/** The operations on rebuilds of learned state. */
export const rebuildHandlers: Handlers<"rebuildWorkloads" | "getRebuild" | "cancelRebuild"> = {
  async rebuildWorkloads(work, { project, dryRun }) {
    const { id } = await findOwnProject(work, project);
    try {
      // Whoever runs commands on the database itself may do all else to it, too.
      const isBounded = work.actor.kind !== "command";
      const rebuild = rebuildToMessage(await requestRebuild(work.store, id, { isBounded }));
      return dryRun ? {} : { workloads: rebuild.workloads, events: rebuild.events, rebuild };
    } catch (thrown) {
      if (thrown instanceof RebuildImpossible) throw conflict("project", thrown.message);
      throw thrown instanceof RebuildTooSoon ? tooSoon(thrown) : thrown;
    }
  },

  async getRebuild(work, { project }) {
    const { id } = await findOwnProject(work, project);
    const rebuild = await readRebuild(work.store, id);
    return rebuild === undefined ? {} : { rebuild: rebuildToMessage(rebuild) };
  },

  async cancelRebuild(work, { project }) {
    const { id } = await findOwnProject(work, project);
    const rebuild = await cancelRebuild(work.store, id);
    return rebuild === undefined ? {} : { rebuild: rebuildToMessage(rebuild) };
  },
};

function tooSoon({ message, next }: RebuildTooSoon): InferenceError {
  const problem = `${message}, and nothing is learned while one runs: ask again after ${next.toISOString()}`;
  const retryAfterMs = Math.max(0, next.getTime() - Date.now());
  return new InferenceError(ErrorReason.RATE_LIMITED, `project: ${problem}`, { param: "project", retryAfterMs });
}

const STATES: Record<WorkloadRebuildRow["state"], RebuildState> = {
  waiting: RebuildState.WAITING,
  running: RebuildState.RUNNING,
  done: RebuildState.DONE,
  failed: RebuildState.FAILED,
  canceled: RebuildState.CANCELED,
};

function rebuildToMessage(rebuild: WorkloadRebuildRow) {
  const { state, actorLabel, requestedAt, startedAt, endedAt, workloads, events, problem } = rebuild;
  return {
    state: STATES[state],
    requestedBy: actorLabel,
    requestedAt: timestampFromDate(requestedAt),
    ...(startedAt && { startedAt: timestampFromDate(startedAt) }),
    ...(endedAt && { endedAt: timestampFromDate(endedAt) }),
    workloads: BigInt(workloads),
    events: BigInt(events),
    problem,
  } satisfies MessageInitShape<typeof RebuildSchema>;
}

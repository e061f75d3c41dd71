import { readBodies } from "../read/queries/read-bodies.ts";
import type { EncodedContent } from "../types/inference-body.ts";
import type { SessionRun } from "./reads/read-session-run.ts";
import type { DashboardReads } from "./reads/reads.ts";

export type { RunCall } from "./reads/read-session-run.ts";

/** Runs of agents, each seen from its project. */
export interface SessionRuns {
  /** Reads the latest run of a session; undefined where the project has no call of it. */
  read(projectId: string, sessionId: string): Promise<SessionRun | undefined>;
  /** Yields the bodies of calls that the project has, in their order; undefined where nothing was kept. */
  bodies(
    projectId: string,
    ids: readonly string[],
  ): AsyncIterable<{ readonly id: string; readonly body: EncodedContent | undefined }>;
}

/** Creates the runs that are read so. */
export function createSessionRuns(reads: DashboardReads): SessionRuns {
  return {
    read: (projectId, sessionId) => reads.readSessionRun({ projectId, sessionId }),
    async *bodies(projectId, ids) {
      yield* readBodies(reads, await reads.keepOwn(projectId, ids));
    },
  };
}

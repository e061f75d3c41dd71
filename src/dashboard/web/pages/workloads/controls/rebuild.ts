import { useQuery } from "@tanstack/react-query";
import { type Outputs, trpc } from "../../../api/trpc.ts";
import { useProject } from "../../../shell/session.ts";

/** A rebuild of what was learned. */
export type Rebuild = NonNullable<Outputs["rebuilds"]["read"]>;

const UNDER_WAY_MS = 1000;
const ENDED_MS = 30_000;

/** Tells whether a rebuild waits or runs. */
export function isUnderWay(rebuild: Rebuild | null | undefined): boolean {
  return rebuild?.state === "waiting" || rebuild?.state === "running";
}

/** Reads the rebuild that waits or runs, or else the latest one: null where there was none. */
export function useRebuild() {
  const { id: projectId } = useProject();
  return useQuery(
    trpc.rebuilds.read.queryOptions(
      { projectId },
      { refetchInterval: ({ state }) => (isUnderWay(state.data) ? UNDER_WAY_MS : ENDED_MS) },
    ),
  );
}

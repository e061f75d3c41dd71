import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { nameText } from "../../parts/name-text.ts";
import { useProject } from "../../shell/session.ts";

/** As many names as one call gives. */
const MOST = 500;

/** Reads the names of keys; returns what writes the public id of one of them as people know it. */
export function useKeyNames(publicIds: readonly string[]): (publicId: string) => string {
  const { id: projectId } = useProject();
  const wanted = [...new Set(publicIds)].filter((publicId) => publicId !== "").sort();
  const names = useQuery(
    trpc.keys.names.queryOptions(
      { projectId, publicIds: wanted.slice(0, MOST) },
      { enabled: wanted.length > 0, staleTime: 60_000, placeholderData: keepPreviousData },
    ),
  );
  return (publicId) => nameText(names.data?.[publicId] ?? publicId);
}

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { nameText } from "../../parts/name-text.ts";
import { useProject } from "../../shell/session.ts";

/** As many names as one call gives. */
const MOST = 500;

/** Reads the names of keys; returns what writes the public id of one of them as people know it. */
export function useKeyNames(publicIds: readonly string[]): (publicId: string) => string {
  const { id: projectId } = useProject();
  const asked = [...new Set(publicIds)].filter((publicId) => publicId !== "").sort();
  const names = useQuery({
    queryKey: ["key-names", projectId, asked],
    queryFn: () => api.keys.names.query({ projectId, publicIds: asked.slice(0, MOST) }),
    enabled: asked.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  return (publicId) => nameText(names.data?.[publicId] ?? publicId);
}

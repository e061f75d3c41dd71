import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../shell/session.ts";

/** A key, as the page shows it. */
export type ApiKey = Awaited<ReturnType<typeof api.keys.list.query>>[number];

const keyOf = (projectId: string) => ["keys", projectId] as const;

/** Reads the keys of the project. */
export function useKeys() {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: keyOf(projectId),
    queryFn: () => api.keys.list.query({ projectId }),
    refetchInterval: 30_000,
  });
}

/** The usage of a key. */
export type KeyUsage = Awaited<ReturnType<typeof api.keys.usage.query>>["keys"][number];

/** Reads what the keys of the project were used for, by their public ids. */
export function useKeyUsage() {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["key-usage", projectId],
    queryFn: () => api.keys.usage.query({ projectId }),
    select: ({ days, keys }) => ({ days, byId: new Map(keys.map((usage) => [usage.publicId, usage])) }),
    refetchInterval: 30_000,
  });
}

/** Returns what has the keys read again. */
export function useRefreshKeys(): () => Promise<void> {
  const { id } = useProject();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keyOf(id) });
}

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../shell/session.ts";

/** A page of keys. */
type KeyPage = Awaited<ReturnType<typeof api.keys.list.query>>;

/** A key, as the page shows it. */
export type ApiKey = KeyPage["keys"][number];

/** The keys that are looked at. */
export type KeyQuery = Omit<Parameters<typeof api.keys.list.query>[0], "projectId">;

const keyOf = (projectId: string) => ["keys", projectId] as const;

/** Reads a page of the keys of the project; another one stays until it is there. */
export function useKeys(query: KeyQuery) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: [...keyOf(projectId), query],
    queryFn: () => api.keys.list.query({ projectId, ...query }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}

/** The usage of a key. */
export type KeyUsage = Awaited<ReturnType<typeof api.keys.usage.query>>["keys"][number];

/** Reads what keys were used for, by their public ids. */
export function useKeyUsage(publicIds: readonly string[]) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["key-usage", projectId, publicIds],
    queryFn: () => api.keys.usage.query({ projectId, publicIds: [...publicIds] }),
    enabled: publicIds.length > 0,
    select: ({ days, keys }) => ({ days, byId: new Map(keys.map((usage) => [usage.publicId, usage])) }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}

/** Returns what has the keys read again. */
export function useRefreshKeys(): () => Promise<void> {
  const { id } = useProject();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keyOf(id) });
}

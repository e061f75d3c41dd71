import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { useProject } from "../shell/session.ts";

/** The quotas of a project. */
export type ProjectQuotas = Awaited<ReturnType<typeof api.quotas.list.query>>;

/** The owner of a quota of the project. */
export type QuotaOwner = Pick<ProjectQuotas["quotas"][number], "kind" | "name">;

/** An owner whose quota owners of the project change. */
export type ChangedOwner = Parameters<typeof api.quotas.set.mutate>[0]["owner"];

const keyOf = (projectId: string) => ["quotas", projectId] as const;

/** Reads the quotas of the project. */
export function useQuotas() {
  const { id: projectId } = useProject();
  return useQuery({ queryKey: keyOf(projectId), queryFn: () => api.quotas.list.query({ projectId }) });
}

/** Returns what has the quotas, and the keys that show theirs, read again. */
export function useRefreshQuotas(): () => Promise<void> {
  const { id } = useProject();
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: keyOf(id) }),
      client.invalidateQueries({ queryKey: ["keys", id] }),
    ]);
  };
}

/** Returns the limits that an owner has by default: those of each of its kind. */
export function defaultsOf({ defaults, quotas }: ProjectQuotas, { kind, name }: QuotaOwner) {
  if (kind === "tag") return {};
  const each = quotas.find((quota) => quota.kind === kind && quota.name === "");
  return name === "" ? defaults[kind] : { ...defaults[kind], ...each?.settings };
}

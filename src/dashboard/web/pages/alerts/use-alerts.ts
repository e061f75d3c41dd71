import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../shell/session.ts";

type Page = Awaited<ReturnType<typeof api.alerts.list.query>>;

/** An alert. */
export type Alert = Page["closed"][number];

/** A rule that holds in the project. */
export type Rule = Awaited<ReturnType<typeof api.alerts.rules.query>>["rules"][number];

/** A destination of the project's own. */
export type Destination = Awaited<ReturnType<typeof api.alerts.destinations.query>>["destinations"][number];

/** A message to one. */
export type Delivery = Awaited<ReturnType<typeof api.alerts.deliveries.query>>[number];

const REFRESH_MS = 30_000;

/** Reads what is open, and what was before, page by page. */
export function useAlerts() {
  const { id: projectId } = useProject();
  return useInfiniteQuery({
    queryKey: ["alerts", projectId, "list"],
    queryFn: ({ pageParam }) =>
      api.alerts.list.query({ projectId, ...(pageParam === "" ? {} : { cursor: pageParam }) }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    refetchInterval: REFRESH_MS,
  });
}

/** Reads the rules that hold. */
export function useRules() {
  const { id: projectId } = useProject();
  return useQuery({ queryKey: ["alerts", projectId, "rules"], queryFn: () => api.alerts.rules.query({ projectId }) });
}

/** Reads the project's own destinations. */
export function useDestinations() {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["alerts", projectId, "destinations"],
    queryFn: () => api.alerts.destinations.query({ projectId }),
  });
}

/** Reads the latest messages. */
export function useDeliveries() {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["alerts", projectId, "deliveries"],
    queryFn: () => api.alerts.deliveries.query({ projectId }),
    refetchInterval: REFRESH_MS,
  });
}

/** Returns what has all of the page read again. */
export function useRefreshAlerts(): () => Promise<void> {
  const { id: projectId } = useProject();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["alerts", projectId] });
}

import { notifications } from "@mantine/notifications";
import { type Mutation, MutationCache, QueryCache, QueryClient, type QueryFilters } from "@tanstack/react-query";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { DashboardRouter } from "../../router.ts";
import { api } from "./client.ts";
import { connection } from "./connection.ts";
import { errorText, isSignedOut, isUnreachable } from "./errors.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** True if the form shows the failure itself, so that no toast has to. */
      readonly showsError?: boolean;
      /** The queries whose answers a change makes old; without it, all queries of its own router. */
      readonly changes?: readonly QueryFilters[];
    };
  }
}

/** The answers of the API's procedures, by router and name. */
export type Outputs = inferRouterOutputs<DashboardRouter>;

/** Inputs of the procedures. */
export type Inputs = inferRouterInputs<DashboardRouter>;

/** True once a session has ended by itself: the sign-in page says so. */
export const SIGNED_OUT_KEY = ["signed-out"] as const;

/** Repeats a query that failed because the server was away, once it is back. */
function onUnreachable(error: unknown): void {
  if (isUnreachable(error)) connection.reportDown(errorText(error));
}

connection.subscribe(() => {
  if (connection.state().backSince === undefined) return;
  void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.error !== null });
});

/** A session that ended shows the sign-in page in place of what was there. */
function onSignedOut(error: unknown): boolean {
  if (!isSignedOut(error)) return false;
  if (queryClient.getQueryData(trpc.session.current.queryKey())?.user) queryClient.setQueryData(SIGNED_OUT_KEY, true);
  void queryClient.invalidateQueries(trpc.session.current.queryFilter());
  return true;
}

/** Mutations whose form was closed before they ended: nothing else shows their failures. */
const formless = new WeakSet<object>();

/**
 * Follows the mutations of a form from now on. What it returns has those tell of their failures that have not ended.
 */
export function followMutations(): () => void {
  const cache = queryClient.getMutationCache();
  const earlier = new Set(cache.getAll());
  return () => {
    for (const mutation of cache.getAll()) {
      if (mutation.state.status === "pending" && !earlier.has(mutation)) formless.add(mutation);
    }
  };
}

/** Has what a change made old read again, as far as a page shows it. */
async function readChanged({ options, meta }: Mutation<unknown, unknown, unknown, unknown>): Promise<void> {
  const path = options.mutationKey?.[0];
  const router = Array.isArray(path) ? [{ queryKey: [path.slice(0, 1)] }] : [];
  await Promise.all((meta?.changes ?? router).map((filter) => queryClient.invalidateQueries(filter)));
}

/** Answers that were read, for all pages. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (!onSignedOut(error)) onUnreachable(error);
    },
  }),
  mutationCache: new MutationCache({
    // A dialog that closes on success closes over a list that has the change.
    onSuccess: (_data, _variables, _result, mutation) => readChanged(mutation),
    onError(error, _variables, _result, mutation) {
      onUnreachable(error);
      // What is refused was maybe asked of something that has changed meanwhile.
      if (!isUnreachable(error) && !isSignedOut(error)) void readChanged(mutation);
      if ((mutation.meta?.showsError && !formless.has(mutation)) || onSignedOut(error)) return;
      notifications.show({ color: "red", title: "That did not work", message: errorText(error) });
    },
  }),
  defaultOptions: {
    // Whether there is a network says nothing of a server on this machine.
    queries: {
      networkMode: "always",
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && isUnreachable(error),
    },
    mutations: { networkMode: "always" },
  },
});

/** Options of React Query for each procedure: `useQuery(trpc.alerts.rules.queryOptions({ projectId }))`. */
export const trpc = createTRPCOptionsProxy<DashboardRouter>({ client: api, queryClient });

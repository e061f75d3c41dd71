import { notifications } from "@mantine/notifications";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { connection } from "./connection.ts";
import { errorText, isSignedOut, isUnreachable } from "./errors.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** True if the form shows the failure itself, so that no toast has to. */
      readonly showsError?: boolean;
    };
  }
}

/** Key of who is signed in. */
export const SESSION_KEY = ["session"] as const;

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
  if (queryClient.getQueryData<{ user: unknown }>(SESSION_KEY)?.user) queryClient.setQueryData(SIGNED_OUT_KEY, true);
  void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
  return true;
}

/** Mutations whose form was closed before they ended: nothing else shows their failures. */
const formless = new WeakSet<object>();

/** Follows the mutations of a form from now on. What it returns has those tell of their failures that have not ended. */
export function followMutations(): () => void {
  const cache = queryClient.getMutationCache();
  const earlier = new Set(cache.getAll());
  return () => {
    for (const mutation of cache.getAll()) {
      if (mutation.state.status === "pending" && !earlier.has(mutation)) formless.add(mutation);
    }
  };
}

/** Answers that were read, for all pages. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (!onSignedOut(error)) onUnreachable(error);
    },
  }),
  mutationCache: new MutationCache({
    onError(error, _variables, _result, mutation) {
      onUnreachable(error);
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

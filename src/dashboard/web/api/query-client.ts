import { notifications } from "@mantine/notifications";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { errorText, isSignedOut } from "./errors.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** Whether the form shows the failure itself, so that no toast has to. */
      readonly showsError?: boolean;
    };
  }
}

/** Key of who is signed in. */
export const SESSION_KEY = ["session"] as const;

/** A session that ended shows the sign-in page in place of what was there. */
function onSignedOut(error: unknown): boolean {
  if (!isSignedOut(error)) return false;
  void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
  return true;
}

/** Answers that were read, for all pages. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onSignedOut }),
  mutationCache: new MutationCache({
    onError(error, _variables, _result, mutation) {
      if (mutation.meta?.showsError || onSignedOut(error)) return;
      notifications.show({ color: "red", title: "That did not work", message: errorText(error) });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && !isSignedOut(error) && errorText(error).startsWith("Attune cannot"),
    },
  },
});

import { hashKey } from "@tanstack/react-query";
import { queryClient, trpc } from "../../../web/api/trpc.ts";

/** Forgets what was read for whoever was here before, and finds out who is signed in now. */
export async function enter(): Promise<void> {
  const session = trpc.session.current.queryKey();
  queryClient.removeQueries({ predicate: ({ queryHash }) => queryHash !== hashKey(session) });
  await queryClient.invalidateQueries({ queryKey: session });
}

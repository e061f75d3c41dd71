import { queryClient, SESSION_KEY } from "../api/query-client.ts";

/** Forgets what was read for whoever was here before, and finds out who is signed in now. */
export async function enter(): Promise<void> {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  await queryClient.invalidateQueries({ queryKey: SESSION_KEY });
}

import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { trpc } from "../../../web/api/trpc.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { useProject } from "../../../web/shell/session.ts";

/** Names that are read at most. */
const MOST = 500;
/** As many ids as the address of one call has room for: tRPC refuses to send a longer one. */
const MOST_IN_A_CALL = 50;

/** Reads the names of keys; returns what writes the public id of one of them as people know it. */
export function useKeyNames(publicIds: readonly string[]): (publicId: string) => string {
  const { id: projectId } = useProject();
  const wanted = [...new Set(publicIds)]
    .filter((publicId) => publicId !== "")
    .sort()
    .slice(0, MOST);
  const calls = Array.from({ length: Math.ceil(wanted.length / MOST_IN_A_CALL) }, (_, at) =>
    wanted.slice(at * MOST_IN_A_CALL, (at + 1) * MOST_IN_A_CALL),
  );
  const names = useQueries({
    queries: calls.map((ids) =>
      trpc.keys.names.queryOptions(
        { projectId, publicIds: ids },
        { staleTime: 60_000, placeholderData: keepPreviousData },
      ),
    ),
  });
  return (publicId) => nameText(names.find(({ data }) => data?.[publicId] !== undefined)?.data?.[publicId] ?? publicId);
}

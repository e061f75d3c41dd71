import type { Range } from "../figures/range.ts";
import { toParameter } from "./times.ts";

/** Returns the address of the refused calls of a time; of one reason or key, or of all. */
export function refusedPath(
  projectId: string,
  { range, from, to }: Range,
  of: { readonly reason?: string; readonly key?: string } = {},
): string {
  const times: Record<string, string> =
    from === undefined || to === undefined ? {} : { from: toParameter(from), to: toParameter(to) };
  return `/projects/${projectId}/errors/refused?${new URLSearchParams({ range, ...times, ...of })}`;
}

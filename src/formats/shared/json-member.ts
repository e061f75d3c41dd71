import { Dialect, type RawJson } from "../../../gen/attune/content/v1/content_pb.ts";
import { JsonText } from "./json-text.ts";

/**
 * Returns an object that is at hand as JSON text as a member of a body: the text, where the request came in a public
 * format, since it was written by us then. What came from an RPC caller, and what stands beside an extension that may
 * have members for it, is parsed by `parse`.
 */
export function jsonMember<Parsed>(
  json: string,
  { dialect, extension }: { readonly dialect: Dialect; readonly extension: RawJson | undefined },
  parse: (json: string) => Parsed,
): Parsed | JsonText {
  const isOurs = dialect !== Dialect.UNSPECIFIED && json.startsWith("{");
  return isOurs && extension === undefined ? new JsonText(json) : parse(json);
}

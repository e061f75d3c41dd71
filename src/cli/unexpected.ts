import { debuglog } from "node:util";

/**
 * Returns the line of an error that no command expects, such as a database that goes away in the middle. The stack is
 * for who reports it: NODE_DEBUG=attune shows it.
 */
export function describeUnexpected(thrown: unknown): string {
  debuglog("attune")("%s", thrown instanceof Error ? thrown.stack : thrown);
  const message = thrown instanceof Error && thrown.message !== "" ? thrown.message : String(thrown);
  return `attune: ${message}; NODE_DEBUG=attune says where`;
}

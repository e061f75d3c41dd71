import type { Socket } from "node:net";

/**
 * The indices of the parser's callbacks for headers, bodies and ends (src/node_http_parser.cc, which skips those that
 * are no functions).
 */
const CALLBACKS = [1, 2, 3, 4] as const;

type ParsedSocket = Socket & { readonly parser?: Record<number, unknown> | null };

/**
 * Has node:http make no more requests, nor pieces of their bodies, of what a connection sends. One read may bring ten
 * thousand, and all of them are made in one go even if the connection is destroyed at the first. Nothing more is read;
 * the caller destroys the connection.
 */
export function stopParsing(socket: ParsedSocket): void {
  socket.pause();
  const { parser } = socket;
  if (parser === null || parser === undefined) return;
  const callbacks = CALLBACKS.map((index) => parser[index]);
  for (const index of CALLBACKS) parser[index] = undefined;
  // Node uses parsers again for other connections.
  socket.once("close", () => {
    for (const [at, index] of CALLBACKS.entries()) parser[index] = callbacks[at];
  });
}

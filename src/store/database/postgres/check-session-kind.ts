import { addAbortListener } from "node:events";
import { Client } from "pg";
import type { PostgresHost, PostgresServer } from "../../../lib/postgres-url/parse-postgres-url.ts";
import { ConnectError } from "./connect-error.ts";
import { type OpenSession, ServerSocket } from "./server-socket.ts";

type Kind = Exclude<PostgresServer["sessionKind"], "any" | "prefer-standby">;

interface Facts {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

const FACTS = `select pg_is_in_recovery() as "isStandby",
  current_setting('transaction_read_only')::bool as "isReadOnly"`;

const FITS: Readonly<Record<Kind, (facts: Facts) => boolean>> = {
  "read-write": ({ isReadOnly }) => !isReadOnly,
  "read-only": ({ isReadOnly }) => isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
};

/** A host that is asked of which kind it is. */
interface Question {
  readonly place: PostgresHost;
  readonly kind: Kind;
  readonly open: OpenSession;
  /** The first packet of the client that wants to know. */
  readonly startup: Buffer;
  readonly signal: AbortSignal;
}

/**
 * Asks a host, on a connection of its own, whether sessions there are of a kind: a server says so only once the client
 * has signed in, which is done above the sockets. Rejects with a ConnectError if they are not.
 */
export async function checkSessionKind(server: PostgresServer, question: Question): Promise<void> {
  const { place, kind, open, startup, signal } = question;
  const { user, password, channelBinding, options } = server;
  const client = new Client({
    ...place,
    user,
    password,
    options,
    enableChannelBinding: channelBinding,
    ssl: false,
    // Not that of the URL: where that does not exist yet, the client creates it from another.
    database: readDatabase(startup),
    stream: () => new ServerSocket(open),
  });
  client.on("error", () => {});
  const listener = addAbortListener(signal, () => client.connection.stream.destroy());
  try {
    await client.connect();
    const { rows } = await client.query<Facts>(FACTS);
    if (rows[0] !== undefined && FITS[kind](rows[0])) return;
    throw new ConnectError("ESERVERROLE", `the server is not what target_session_attrs=${kind} asks for`);
  } finally {
    listener[Symbol.dispose]();
    client.connection.stream.destroy();
  }
}

/** Its length and version take eight bytes, names and values follow. */
function readDatabase(startup: Buffer): string | undefined {
  const texts = startup.toString("utf8", 8).split("\0");
  return texts.find((_, at) => at % 2 === 1 && texts[at - 1] === "database");
}

import type { ClientConfig } from "pg";
import type { PostgresServer } from "../../../lib/postgres-url/parse-postgres-url.ts";
import { connectTimeouts, openSession } from "./open-session.ts";
import { ServerSocket } from "./server-socket.ts";

/** Signing in may take this long once a host has answered. */
const SIGN_IN_MS = 1000;

/** Returns the options of the clients of `pg`. Every connection to PostgreSQL is made with them. */
export function clientOptions(server: PostgresServer): Omit<ClientConfig, "database"> {
  const [first] = server.hosts;
  return {
    // The first host is the one whose password is looked up in ~/.pgpass.
    host: first?.host,
    port: first?.port,
    user: server.user,
    password: server.password,
    stream: () => new ServerSocket((startup, signal) => openSession(server, startup, signal)),
    // The socket encrypts by itself; without this, PGSSLMODE would have pg do so once more.
    ssl: false,
    enableChannelBinding: server.channelBinding,
    connectionTimeoutMillis: connectTimeouts(server).allMs + SIGN_IN_MS,
    application_name: server.applicationName ?? "attune",
    options: server.options,
  };
}

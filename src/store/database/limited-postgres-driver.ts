import { PostgreSqlConnection, PostgreSqlDriver } from "@mikro-orm/postgresql";
import type { Dialect } from "kysely";
import { Client, type Pool, type PoolConfig, type QueryResult } from "pg";
import { DatabaseTimeoutError } from "../../lib/database-state.ts";
import { guardDialect } from "./guarded-dialect.ts";
import { statementLimitMs } from "./statement-limit.ts";

/** The server gives up first, and says why; a server that is stopped, or a cable that is cut, says nothing. */
const SERVER_AHEAD_MS = 500;
/** PostgreSQL's code for a statement that exceeded statement_timeout. */
const CANCELED = "57014";

/** MikroORM's PostgreSQL, with transactions that always give their connection back, and a limit to each statement. */
export class LimitedPostgresDriver extends PostgreSqlDriver {
  protected override readonly connection = new LimitedConnection(this.config);
}

class LimitedConnection extends PostgreSqlConnection {
  // MikroORM asks for the class of Kysely's dialect, and needs no more than the interface.
  override createKyselyDialect(overrides: PoolConfig): ReturnType<PostgreSqlConnection["createKyselyDialect"]> {
    const options: PoolConfig & { onPoolCreated: typeof limitPool } = { ...overrides, onPoolCreated: limitPool };
    const dialect: Dialect = guardDialect(super.createKyselyDialect(options));
    return dialect as ReturnType<PostgreSqlConnection["createKyselyDialect"]>;
  }
}

/**
 * Limits the statements of a pool. Where one gets no answer, the connections that nobody uses go too: they are as old,
 * and each would be waited for anew.
 */
function limitPool(pool: Pool): void {
  const idle = new Set<Client>();
  const onSilence = () => {
    for (const client of idle) breakOff(client);
  };
  pool.on("connect", (client) => {
    if (client instanceof Client) limitStatements(client, onSilence);
  });
  pool.on("release", (_error, client) => {
    if (client instanceof Client) idle.add(client);
  });
  for (const event of ["acquire", "remove"] as const) {
    pool.on(event, (client) => {
      if (client instanceof Client) idle.delete(client);
    });
  }
}

/** Its statement rejects once the client has noticed, and the pool has not been given it back before. */
function breakOff(client: Client): void {
  client.connection.stream.destroy();
}

type Send = (text: unknown, values?: unknown) => Promise<QueryResult>;

/**
 * Gives each statement of a client the limit of the work that it belongs to. Where not even the server's own limit is
 * told of, the connection is broken off: the pool throws such a one away, and nobody gets the late answer of another's
 * statement.
 */
function limitStatements(client: Client, onSilence: () => void): void {
  const send = client.query.bind(client) as Send;
  /** The limit that the session was last set to; undefined at first. */
  let toldMs: number | undefined;
  const query: Send = async (text, values) => {
    // A cursor answers by itself.
    if (typeof text !== "string") return await send(text, values);
    const limitMs = statementLimitMs() ?? 0;
    const giveUp = () => {
      breakOff(client);
      onSilence();
    };
    if (limitMs !== toldMs) {
      await sendWithin(limitMs, () => send(settings(limitMs)), giveUp);
      toldMs = limitMs;
    }
    return await sendWithin(limitMs, () => send(text, values), giveUp);
  };
  Object.assign(client, { query });
}

/** A lock is waited for for half of the time: that is then what the error says. */
function settings(limitMs: number): string {
  return `set statement_timeout = ${limitMs}; set lock_timeout = ${Math.floor(limitMs / 2)}`;
}

async function sendWithin<T>(limitMs: number, send: () => Promise<T>, giveUp: () => void): Promise<T> {
  if (limitMs === 0) return await send();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    giveUp();
  }, limitMs + SERVER_AHEAD_MS);
  try {
    return await send();
  } catch (cause) {
    const isCanceled = cause instanceof Error && "code" in cause && cause.code === CANCELED;
    if (!isOver && !isCanceled) throw cause;
    throw new DatabaseTimeoutError(`the database didn't answer within ${limitMs} ms`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

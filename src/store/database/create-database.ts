import { parseDatabaseUrl } from "./database-url.ts";
import { connectOrm } from "./orm.ts";
import { withStatementLimit } from "./statement-limit.ts";

/** PostgreSQL's codes for a database that another process has just made. */
const MADE_BY_ANOTHER: readonly unknown[] = ["42P04", "23505"];
/** The server copies a template. */
const CREATE_LIMIT_MS = 60_000;

/**
 * Creates a PostgreSQL database that does not exist. It does so with a connection of its own: where creation fails,
 * MikroORM stays with the server's maintenance database, and would go on to migrate that one.
 */
export async function createMissingDatabase(databaseUrl: string): Promise<void> {
  // SQLite creates its file by itself.
  if (parseDatabaseUrl(databaseUrl).engine === "sqlite") return;
  const orm = await connectOrm(databaseUrl);
  try {
    await withStatementLimit(CREATE_LIMIT_MS, () => orm.schema.ensureDatabase());
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && MADE_BY_ANOTHER.includes(thrown.code))) throw thrown;
  } finally {
    await orm.close(true);
  }
}

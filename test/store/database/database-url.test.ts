import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parsePostgresUrl } from "../../../src/lib/postgres-url/parse-postgres-url.ts";
import { describeDatabaseUrl, parseDatabaseUrl } from "../../../src/store/database/database-url.ts";

const postgres = (url: string) => ({ engine: "postgres", server: parsePostgresUrl(url, {}) });

describe("parseDatabaseUrl()", () => {
  it.each([
    ["sqlite:./data/attune.db", { engine: "sqlite", file: resolve("data/attune.db") }],
    ["sqlite:/var/lib/attune.db", { engine: "sqlite", file: "/var/lib/attune.db" }],
    ["sqlite:///var/lib/attune.db", { engine: "sqlite", file: "/var/lib/attune.db" }],
    ["sqlite::memory:", { engine: "sqlite", file: ":memory:" }],
    ["postgresql://u:p@h:5433/attune", postgres("postgresql://u:p@h:5433/attune")],
    ["postgres://h/attune", postgres("postgres://h/attune")],
  ])("reads %s", (databaseUrl, address) => {
    expect(parseDatabaseUrl(databaseUrl)).toEqual(address);
  });

  const FORMS =
    "database.url: must be 'sqlite:./data/attune.db', 'sqlite::memory:' or 'postgresql://user:password@host:5432/database'";
  it.each([
    ["mysql://root:secret@h/attune", `${FORMS}; its scheme is 'mysql'`],
    ["./data/attune.db", `${FORMS}; it has no scheme`],
    ["", `${FORMS}; it has no scheme`],
    ["sqlite:", `${FORMS}; its scheme is 'sqlite'`],
    ["postgresql://h:port/attune", "database.url: must have ports from 1 to 65535"],
    ["postgresql://h", "database.url: names no database: add one, such as .../attune"],
  ])("refuses '%s', and says what it may be", (databaseUrl, message) => {
    expect(() => parseDatabaseUrl(databaseUrl)).toThrow(new Error(message));
  });
});

describe("describeDatabaseUrl()", () => {
  it.each([
    ["sqlite:/var/lib/attune.db", "/var/lib/attune.db"],
    ["sqlite::memory:", "memory"],
    ["postgresql://user:secret@db.example:5433/attune?sslmode=require", "postgresql://db.example:5433/attune"],
    ["postgres://user@[::1]/attune", "postgresql://[::1]:5432/attune"],
  ])("shows %s without its password", (databaseUrl, description) => {
    expect(describeDatabaseUrl(databaseUrl)).toBe(description);
  });
});

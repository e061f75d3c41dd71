import { describe, expect, it } from "vitest";
import { isDataFault } from "../../../../src/store/write/spool/store-sink.ts";

const sqlite = (errcode: number) => Object.assign(new Error("x"), { code: "ERR_SQLITE_ERROR", errcode });
const postgres = (code: string) => Object.assign(new Error("x"), { severity: "ERROR", code });
const system = (code: string) => Object.assign(new Error("x"), { code });

describe("isDataFault()", () => {
  it.each([
    ["invalid text for a UUID", postgres("22P02"), true],
    ["a violated constraint", postgres("23502"), true],
    ["a limit of the engine", postgres("54000"), true],
    ["a deadlock", postgres("40P01"), false],
    ["a table that is not there", postgres("42P01"), false],
    ["a column that is not there", postgres("42703"), false],
    ["a full disk", postgres("53100"), false],
    ["a read-only server", postgres("25006"), false],
    ["a server that shuts down", postgres("57P01"), false],
    ["SQLITE_CONSTRAINT_NOTNULL", sqlite(1299), true],
    ["SQLITE_TOOBIG", sqlite(18), true],
    ["SQLITE_MISMATCH", sqlite(20), true],
    ["SQLITE_BUSY_SNAPSHOT", sqlite(517), false],
    ["SQLITE_ERROR, such as no such table", sqlite(1), false],
    ["SQLITE_FULL", sqlite(13), false],
    ["a value that cannot be bound", new TypeError("x"), true],
    ["a text that is too long for a string", new RangeError("x"), true],
    ["a connection that is refused", system("ECONNREFUSED"), false],
    ["a connection that ended", new Error("Connection terminated unexpectedly"), false],
    ["what is no error", "x", false],
  ])("judges %s", (_, error, expected) => {
    expect(isDataFault(error)).toBe(expected);
  });
});

import { describe, expect, it } from "vitest";
import { readRequestId } from "../../src/facade/request-id.ts";

const idOf = (given: string | string[] | undefined) => readRequestId({ headers: { "x-request-id": given as string } });

describe("readRequestId()", () => {
  it.each(["a", "4bf92f3577b34da6a3ce929d0e0e4736", "svc-1/req:7@host+x=y.z", "x".repeat(128)])("takes %s", (given) => {
    expect(idOf(given)).toBe(given);
  });

  it.each([undefined, "", "two words", "x".repeat(129), "é", "a\tb", '"', ["a", "b"]])(
    "makes a new one for %j",
    (given) => {
      expect(idOf(given)).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

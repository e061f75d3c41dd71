import { describe, expect, it } from "vitest";
import { BusyError, hashPassword, verifyPassword } from "../../../src/dashboard/access/password.ts";

/** Made with the reference implementation's parameters in the same order: argon2id, 19 MiB, two passes, one lane. */
const PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;

describe("passwords", () => {
  it("are hashed with a salt of their own, and known again in every way of writing them", async () => {
    const [first, second] = [await hashPassword("Grüße an alle"), await hashPassword("Grüße an alle")];
    expect(first).toMatch(PHC);
    expect(first).not.toBe(second);
    expect(await verifyPassword("Gru\u0308\u00dfe an alle", first)).toBe(true);
    expect(await verifyPassword("Grüße an alle ", first)).toBe(false);
  });

  it("of nobody are wrong, and take as long", async () => {
    const hash = await hashPassword("some words");
    const time = async (known: string | undefined) => {
      const begin = process.cpuUsage();
      expect(await verifyPassword("other words", known)).toBe(false);
      return process.cpuUsage(begin).user;
    };
    const times: number[][] = [];
    for (let round = 0; round < 5; round += 1) times.push([await time(hash), await time(undefined)]);
    const fastest = (side: number) => Math.min(...times.map((pair) => pair[side] ?? 0));
    expect(fastest(1)).toBeGreaterThan(fastest(0) / 3);
  });

  it("in an unknown form are an error", async () => {
    await expect(verifyPassword("x", "$2b$10$abc")).rejects.toThrow("unknown form");
  });

  it("are refused where too many are hashed, and hashed again afterwards", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 67 }, () => hashPassword("x")));
    const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(failures).toEqual([expect.any(BusyError)]);
    expect(await hashPassword("x")).toMatch(PHC);
  });
});

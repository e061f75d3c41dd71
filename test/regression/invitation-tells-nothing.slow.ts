import crypto, { randomUUID } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { MOST_ATTEMPTS } from "../../src/store/dashboard/sign-in-attempts.ts";
import { Caller, PASSWORD } from "../dashboard/caller.ts";
import { type DashboardService, startDashboardService } from "../dashboard/harness.ts";
import { createPeople, type People, signedIn } from "../dashboard/people.ts";
import { ENGINES, useDatabases } from "../support/database.ts";

/** Passwords are hashed by it: that is what takes time. */
const argon2 = vi.spyOn(crypto, "argon2");
syncBuiltinESMExports();

afterAll(() => {
  argon2.mockRestore();
  syncBuiltinESMExports();
});

// Opening one told whether its address has an account; wrong passwords, tried with it, locked that account's sign-in.
describe.each(ENGINES)("an invitation on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let people: People;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url, proxies: 1 });
    people = await createPeople(service);
  });

  afterAll(() => service.close());

  async function invite(email: string): Promise<string> {
    const { projectId, byRole } = people;
    const { data } = await byRole.owner.mutate("members.invite", { projectId, email, role: "viewer" });
    return (data as { token: string }).token;
  }

  /** Accepts from an address of `network`: too many tries from one would be refused, whatever they try. */
  async function accept(token: string, password: string, network = 1) {
    const before = argon2.mock.calls.length;
    const caller = new Caller(service.url, { "x-forwarded-for": `192.0.2.${network}` });
    const { status, error } = await caller.mutate("invitations.accept", { token, password });
    return { status, message: error?.message, code: error?.data.code, hashes: argon2.mock.calls.length - before };
  }

  it("does not tell whether its address has an account", async () => {
    const { email: known } = await signedIn(service);
    const unknown = `${randomUUID()}@example.com`;
    const [ofKnown, ofUnknown] = [await invite(known), await invite(unknown)];
    const open = async (token: string) => (await new Caller(service.url).mutate("invitations.open", { token })).data;
    const opened = [await open(ofKnown), await open(ofUnknown)];
    expect(opened[0]).toEqual({ ...(opened[1] as object), email: known });
    const refused = await accept(ofKnown, "short");
    expect(refused).toMatchObject({ status: 400, code: "BAD_REQUEST", hashes: 1 });
    expect(await accept(ofUnknown, "short")).toEqual(refused);
    expect(await accept(ofUnknown, "aaaaaaaaaaaaaaaa")).toEqual(refused);
    expect(await accept(ofKnown, "other plain words")).toEqual(refused);
    for (let tries = 2; tries < MOST_ATTEMPTS.pair; tries++) {
      expect(await accept(ofKnown, "short")).toEqual(await accept(ofUnknown, "short"));
    }
    const late = await accept(ofKnown, "short");
    expect(late).toMatchObject({ status: 429, code: "TOO_MANY_REQUESTS", hashes: 0 });
    expect(await accept(ofUnknown, "short")).toEqual(late);
    expect(await accept(ofUnknown, PASSWORD)).toEqual(late);
  });

  it("does not use up the attempts to sign in to the account of its address", async () => {
    const { email } = await signedIn(service);
    const token = await invite(email);
    for (let tries = 0; tries < MOST_ATTEMPTS.pair + 1; tries++) await accept(token, "other plain words");
    expect((await accept(token, "other plain words")).status).toBe(429);
    const { status } = await new Caller(service.url).mutate("session.signIn", { email, password: PASSWORD });
    expect(status).toBe(200);
  });

  it("is good for the password of an account, and for the one of a new account", async () => {
    const { email: known } = await signedIn(service);
    for (const email of [known, `${randomUUID()}@example.com`]) {
      expect(await accept(await invite(email), PASSWORD)).toMatchObject({ status: 200, hashes: 1 });
    }
  });
});

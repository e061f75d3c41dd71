import dns, { type LookupAddress } from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  CreateAlertDestinationRequestSchema,
  ListAlertDestinationsRequestSchema,
} from "../../gen/attune/admin/v1/admin_pb.ts";
import { checkPublicUrl } from "../../src/lib/public-address.ts";
import { createOperations, type OperationCaller } from "../../src/operations/create-operations.ts";
import type { OperationPorts } from "../../src/operations/handlers.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";

/** Answers a question for the address of a name; tests say when. */
const asked: (() => void)[] = [];
const { lookup } = dns;

beforeEach(() => {
  const answerLater = (_name: string, _options: unknown, callback: (error: null, found: LookupAddress[]) => void) =>
    void asked.push(() => callback(null, [{ address: "93.184.215.14", family: 4 }]));
  dns.lookup = answerLater as unknown as typeof lookup;
  syncBuiltinESMExports();
});

afterEach(() => {
  dns.lookup = lookup;
  syncBuiltinESMExports();
});

it("holds no transaction while whoever answers for a webhook's name takes their time", async () => {
  const store = await openStore("sqlite::memory:");
  const alerts = {
    settings: () => ({ rules: [], smtp: undefined, allowPrivateAddresses: false, dashboardUrl: undefined }),
    secretOf: () => "whsec_a",
  };
  const { createAlertDestination, listAlertDestinations } = createOperations({
    store,
    alerts,
    catchUp: async () => {},
  } as unknown as OperationPorts);
  const caller: OperationCaller = { actor: { kind: "admin-key", id: "k", label: "k", scopes: ["alerts:write"] } };
  const ask = (dryRun: boolean) =>
    createAlertDestination(
      caller,
      create(CreateAlertDestinationRequestSchema, {
        project: DEFAULT_PROJECT.id,
        destination: { name: "ops", kind: "webhook", target: "https://slow.example.com/a" },
        dryRun,
      }),
    );
  for (const dryRun of [true, false]) {
    const created = ask(dryRun);
    await expect.poll(() => asked.length).toBe(1);
    // Others write meanwhile.
    await store.transaction((tables) => tables.deleteFrom("SetupLink").execute());
    asked.pop()?.();
    expect(await created).toMatchObject({ created: true, secret: dryRun ? "" : "whsec_a" });
    const wanted = create(ListAlertDestinationsRequestSchema, { project: DEFAULT_PROJECT.id });
    expect((await listAlertDestinations(caller, wanted)).destinations).toHaveLength(dryRun ? 0 : 1);
  }
  await store.close();
});

it("resolves one such name at a time, and leaves Node's other place to upstreams", async () => {
  const checked = ["a", "b", "c"].map((name) => checkPublicUrl(`https://${name}.example.com/`));
  for (const check of checked) {
    await expect.poll(() => asked.length).toBe(1);
    asked.pop()?.();
    await check;
  }
  expect(asked).toEqual([]);
});

it("lets nobody hold up the names of others with many of their own", async () => {
  const ended: string[] = [];
  const note = (name: string, owner?: string) =>
    checkPublicUrl(`https://${name}.example.com/`, owner).then(() => void ended.push(name));
  const checks = ["a", "b", "c", "d"].map((name) => note(name, "a project"));
  checks.push(note("other"));
  for (let answers = 1; answers <= checks.length; answers++) {
    await expect.poll(() => asked.length).toBe(1);
    asked.pop()?.();
    await expect.poll(() => ended.length).toBe(answers);
  }
  expect(ended).toEqual(["a", "b", "other", "c", "d"]);
});

it("has room for all messages of a project that are sent at once", async () => {
  const answering = setInterval(() => asked.pop()?.(), 1);
  const checks = Array.from({ length: 20 }, (_, at) => checkPublicUrl(`https://${at}.example.com/`, "a project"));
  await Promise.all(checks).finally(() => clearInterval(answering));
});

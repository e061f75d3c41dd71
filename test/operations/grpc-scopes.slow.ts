import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ADMIN_METHODS, type AdminMethod, OPERATIONS, type Operation } from "../../src/operations/operations.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { createProjects } from "../../src/store/dashboard/projects.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ADMIN_SCOPES, type AdminScope } from "../../src/vocabulary/administrator.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** The transports that test/operations/operations.test.ts leaves out: it has Connect and JSON. */
const TRANSPORTS = [
  ["gRPC", (baseUrl: string) => createGrpcTransport({ baseUrl })],
  ["gRPC-Web", (baseUrl: string) => createGrpcWebTransport({ baseUrl, httpVersion: "2" })],
] as const;

describe.each(TRANSPORTS)("the scopes of admin keys over %s", (_, createTransport) => {
  let service: TestService;
  let client: Record<AdminMethod, (request: object, options: { headers: Record<string, string> }) => Promise<unknown>>;
  const keys = new Map<AdminScope, string>();
  /** A key of all scopes that is bound to the default project, and what it must not see. */
  let bound: string;
  const other = { name: "other-team", id: "", keyId: "" };
  const readAudited = () => service.store.query().selectFrom("AuditEntry").select("sequence").execute();

  beforeAll(async () => {
    service = await startTestService();
    client = createClient(AdminService, createTransport(service.url)) as unknown as typeof client;
    for (const scope of ADMIN_SCOPES) {
      const settings = { name: scope, scopes: [scope], projectId: undefined, expiresAt: null };
      keys.set(scope, (await createAdminKey(service.store, settings)).key);
    }
    const all = { name: "bound", scopes: ADMIN_SCOPES, projectId: DEFAULT_PROJECT.id, expiresAt: null };
    bound = (await createAdminKey(service.store, all)).key;
    other.id = (await createProjects(service.store).create(other.name))?.id ?? "";
    other.keyId = (await createKey(service.store, { name: "ci", projectId: other.id })).info.publicId;
  });
  afterAll(() => service.close());

  /** Sends a request, without content if it is none: who may send it is answered, or told what is wrong with it. */
  async function send(method: AdminMethod, key: string, request: object = {}) {
    try {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await client[method](create(AdminService.method[method].input, request), { headers });
      return { answer };
    } catch (thrown) {
      return { code: ConnectError.from(thrown).code };
    }
  }

  const codeOf = async (method: AdminMethod, key: string) => (await send(method, key)).code;

  it.each(ADMIN_METHODS)("decide who may %s", async (method) => {
    const { scope, also = [] }: Operation = OPERATIONS[method];
    const needed = [scope, ...also];
    const codes = await Promise.all(ADMIN_SCOPES.map((own) => codeOf(method, keys.get(own) ?? "")));
    for (const [at, own] of ADMIN_SCOPES.entries()) {
      const isEnough = needed.every((each) => own === each || own === each.replace(":read", ":write"));
      expect([own, codes[at] === Code.PermissionDenied]).toEqual([own, !isEnough]);
      if (isEnough) expect([undefined, Code.InvalidArgument, Code.NotFound]).toContain(codes[at]);
    }
    expect(await codeOf(method, service.key)).toBe(Code.PermissionDenied);
  });

  it.each(ADMIN_METHODS)(
    "tells a key of one project nothing of another by %s, and changes nothing of it",
    async (method) => {
      const { input } = AdminService.method[method];
      const has = (name: string) => input.fields.some((field) => field.name === name && field.fieldKind === "scalar");
      const request = has("project") ? { project: other.name } : has("id") ? { id: other.keyId } : {};
      const before = await readAudited();
      const { answer, code } = await send(method, bound, request);
      if (answer === undefined) expect([Code.NotFound, Code.InvalidArgument, Code.PermissionDenied]).toContain(code);
      const told = JSON.stringify(answer ?? {}, (_name, value) => (typeof value === "bigint" ? String(value) : value));
      for (const secret of Object.values(other)) expect(told).not.toContain(secret);
      expect(await readAudited()).toEqual(before);
    },
  );
});

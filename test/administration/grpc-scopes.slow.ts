import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ADMIN_METHODS, type AdminMethod, OPERATIONS, type Operation } from "../../src/administration/operations.ts";
import { ADMIN_SCOPES, type AdminScope } from "../../src/hub/administrator.ts";
import { createAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** The transports that test/administration/operations.test.ts leaves out: it has Connect and JSON. */
const TRANSPORTS = [
  ["gRPC", (baseUrl: string) => createGrpcTransport({ baseUrl })],
  ["gRPC-Web", (baseUrl: string) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })],
] as const;

describe.each(TRANSPORTS)("the scopes of admin keys over %s", (_, createTransport) => {
  let service: TestService;
  let client: Record<AdminMethod, (request: object, options: { headers: HeadersInit }) => Promise<unknown>>;
  const keys = new Map<AdminScope, string>();

  beforeAll(async () => {
    service = await startTestService();
    client = createClient(AdminService, createTransport(service.url)) as unknown as typeof client;
    for (const scope of ADMIN_SCOPES) {
      const settings = { name: scope, scopes: [scope], projectId: undefined, expiresAt: null };
      keys.set(scope, (await createAdminKey(service.store, settings)).key);
    }
  });
  afterAll(() => service.close());

  /** Sends a request of no content: who may send it is answered, or told what is wrong with it. */
  async function codeOf(method: AdminMethod, key: string): Promise<Code | undefined> {
    try {
      const headers = { authorization: `Bearer ${key}` };
      await client[method](create(AdminService.method[method].input), { headers });
      return undefined;
    } catch (thrown) {
      return ConnectError.from(thrown).code;
    }
  }

  it.each(ADMIN_METHODS)("decide who may %s", async (method) => {
    const { scope, also = [] }: Operation = OPERATIONS[method];
    const needed = [scope, ...also];
    for (const own of ADMIN_SCOPES) {
      const isEnough = needed.every((each) => own === each || own === each.replace(":read", ":write"));
      const code = await codeOf(method, keys.get(own) ?? "");
      expect([own, code === Code.PermissionDenied]).toEqual([own, !isEnough]);
      if (isEnough) expect([undefined, Code.InvalidArgument, Code.NotFound]).toContain(code);
    }
    expect(await codeOf(method, service.key)).toBe(Code.PermissionDenied);
  });
});

import { createConnectRouter } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { createRoutes, type RpcServices, SERVED_SERVICES } from "../../src/rpc/routes.ts";

describe("SERVED_SERVICES", () => {
  it("are all services that are served, so that reflection and health know each of them", () => {
    const router = createConnectRouter();
    const none = {} as RpcServices[keyof RpcServices];
    const services = new Proxy({} as RpcServices, { get: () => none });
    createRoutes(services)(router);
    const served = new Set(router.handlers.map(({ service }) => service.typeName));
    expect(new Set(SERVED_SERVICES.map(({ typeName }) => typeName))).toEqual(served);
  });
});

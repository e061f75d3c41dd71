import { createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/grpc/health/v1/health_pb.ts";
import { createHealthRpc } from "../../src/rpc/open-routes.ts";

describe("createHealthRpc()", () => {
  it("follows the readiness of the process, and tells each change once", async () => {
    let isReady = true;
    const { signal } = new AbortController();
    const health = createHealthRpc({ isReady: () => isReady, closing: signal }, ["a.Service"]);
    const client = createClient(
      Health,
      createRouterTransport((router) => void router.service(Health, health)),
    );
    const seen: Status[] = [];
    for await (const { status } of client.watch({ service: "a.Service" })) {
      seen.push(status);
      expect(await client.check({ service: "a.Service" })).toMatchObject({ status });
      if (seen.length === 3) break;
      isReady = !isReady;
    }
    expect(seen).toEqual([Status.SERVING, Status.NOT_SERVING, Status.SERVING]);
  });
});

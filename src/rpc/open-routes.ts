import type { ConnectRouter } from "@connectrpc/connect";
import { file_attune_error_v1_error } from "../../gen/attune/error/v1/error_pb.ts";
import { file_google_rpc_error_details } from "../../gen/google/rpc/error_details_pb.ts";
import { Health } from "../../gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionAlpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.ts";
import { createHealthRpc, type ProcessState } from "./health.ts";
import { createReflectionRpc } from "./reflection.ts";
import { SERVED_SERVICES } from "./routes.ts";

/** The standard services of gRPC, which are called without a key. */
export interface OpenServices extends ProcessState {
  /** True if grpc.health.v1 is served. */
  readonly health: boolean;
  /** True if grpc.reflection.v1 and v1alpha are served. */
  readonly reflection: boolean;
}

/**
 * Registers the services that need no key: they tell nothing but how the process is, and the protos, which are public.
 */
export function addOpenRoutes(router: ConnectRouter, { health, reflection, ...state }: OpenServices): void {
  const names = SERVED_SERVICES.map(({ typeName }) => typeName);
  if (health) router.service(Health, createHealthRpc(state, names));
  if (reflection) {
    const served = [...SERVED_SERVICES, ...(health ? [Health] : []), ServerReflection, ServerReflectionAlpha];
    const { v1, v1alpha } = createReflectionRpc(served, [file_attune_error_v1_error, file_google_rpc_error_details]);
    router.service(ServerReflection, v1);
    router.service(ServerReflectionAlpha, v1alpha);
  }
}

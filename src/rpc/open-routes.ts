import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError, type ConnectRouter, type ServiceImpl } from "@connectrpc/connect";
import { file_attune_error_v1_error } from "../../gen/attune/error/v1/error_pb.ts";
import { file_google_rpc_error_details } from "../../gen/google/rpc/error_details_pb.ts";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionAlpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.ts";
import { limitStreams } from "./limit-streams.ts";
import { createReflectionRpc } from "./reflection.ts";
import { SERVED_SERVICES } from "./routes.ts";

/** Streams of Watch at a time: whoever reaches the port may open one. */
const MAX_WATCHES = 100;

/** The polling interval of the process's readiness while somebody watches it. */
const LOOK_MS = 500;

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

/** The state of a process. */
interface ProcessState {
  /** Returns whether it should be sent requests. */
  readonly isReady: () => boolean;
  /** Aborts when it ends. */
  readonly closing: AbortSignal;
}

/**
 * Implements grpc.health.v1: each of the services, and "" for all of them, is served while the process is ready. Check
 * answers NOT_FOUND for other names, and Watch SERVICE_UNKNOWN, as the standard has it. A stream of Watch ends with
 * UNAVAILABLE when the process does.
 */
export function createHealthRpc(
  { isReady, closing }: ProcessState,
  serviceNames: readonly string[],
): ServiceImpl<typeof Health> {
  const names = new Set(["", ...serviceNames]);
  const limited = limitStreams(MAX_WATCHES);
  const statusNow = (): Status => (isReady() ? Status.SERVING : Status.NOT_SERVING);

  async function* watch(name: string, caller: AbortSignal) {
    const woken = AbortSignal.any([caller, closing]);
    let lastStatus: Status | undefined;
    while (!caller.aborted) {
      const isEnding = closing.aborted;
      const status = names.has(name) ? statusNow() : Status.SERVICE_UNKNOWN;
      if (status !== lastStatus) yield { status };
      lastStatus = status;
      if (isEnding) throw new ConnectError("the service is stopping", Code.Unavailable);
      // Woken before its time, it looks once more.
      await sleep(LOOK_MS, undefined, { signal: woken, ref: false }).catch(() => {});
    }
  }

  return {
    check({ service }) {
      if (names.has(service)) return { status: statusNow() };
      throw new ConnectError(`the service '${service.slice(0, 100).toWellFormed()}' is not known here`, Code.NotFound);
    },
    watch: ({ service }, { signal }) => limited(watch(service, signal)),
    list: () => ({ statuses: Object.fromEntries([...names].map((name) => [name, { status: statusNow() }])) }),
  };
}

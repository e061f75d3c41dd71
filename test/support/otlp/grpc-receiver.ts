import { type Metadata, Server, ServerCredentials, type ServiceDefinition, status } from "@grpc/grpc-js";
import { createReceiver, type Export, type OtlpReceiver, otlpService, takeOtlp } from "./receiver.ts";

/** Starts a collector that takes OTLP over gRPC; `failures` are answered before the first success. */
export async function startGrpcOtlpReceiver(failures: number[] = []): Promise<OtlpReceiver> {
  const server = new Server();
  for (const signal of ["trace", "metrics"] as const) {
    server.addService(otlpService(signal) as ServiceDefinition, {
      Export(call: { request: Export; metadata: Metadata }, done: (error: object | null, answer?: object) => void) {
        receiver.requests.push({ path: signal, headers: call.metadata.toHttp2Headers() });
        const code = failures.shift() ?? status.OK;
        if (code !== status.OK) return void done({ code, details: "not now" });
        takeOtlp(receiver, call.request);
        done(null, {});
      },
    });
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const receiver = createReceiver(`http://127.0.0.1:${port}`, async () => server.forceShutdown());
  return receiver;
}

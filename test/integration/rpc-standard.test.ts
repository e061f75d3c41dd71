import { fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

const includeDirs = [new URL("../../proto", import.meta.url).pathname];
const PROTOS = ["health/v1/health.proto", "reflection/v1/reflection.proto", "reflection/v1alpha/reflection.proto"];

/** What a client has made of the standard protos; each method answers in its own way. */
type Client = grpc.Client & Record<string, (...parameters: unknown[]) => grpc.ClientDuplexStream<object, Answer>>;

interface Answer {
  readonly status?: string;
  readonly statuses?: Readonly<Record<string, { readonly status: string }>>;
  readonly list_services_response?: { readonly service: readonly { readonly name: string }[] };
  readonly file_descriptor_response?: { readonly file_descriptor_proto: readonly Buffer[] };
  readonly all_extension_numbers_response?: { readonly extension_number: readonly number[] };
  readonly error_response?: { readonly error_code: number; readonly error_message: string };
}

interface Loaded {
  readonly health: { readonly v1: { readonly Health: grpc.ServiceClientConstructor } };
  readonly reflection: Readonly<Record<string, { readonly ServerReflection: grpc.ServiceClientConstructor }>>;
}

function loadStandard(): Loaded {
  const paths = PROTOS.map((path) => `grpc/${path}`);
  const definition = loadSync(paths, { includeDirs, keepCase: true, enums: String, oneofs: false });
  return (grpc.loadPackageDefinition(definition) as unknown as { grpc: Loaded }).grpc;
}

const loaded = loadStandard();
const clients = new Set<grpc.Client>();

function connect(Service: grpc.ServiceClientConstructor | undefined, { url }: TestService): Client {
  if (Service === undefined) throw new Error("there is no such service");
  const client = new Service(new URL(url).host, grpc.credentials.createInsecure());
  clients.add(client);
  return client as unknown as Client;
}

const healthOf = (of: TestService): Client => connect(loaded.health.v1.Health, of);

function call(client: Client, method: string, request: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    client[method]?.(request, (error: grpc.ServiceError | null, answer: Answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

const SERVICES = [
  "attune.inference.v1.InferenceService",
  "attune.conversation.v1.ConversationService",
  "attune.model.v1.ModelService",
  "attune.feedback.v1.FeedbackService",
  "attune.usage.v1.UsageService",
  "attune.workload.v1.WorkloadService",
  "attune.admin.v1.AdminService",
];

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(async () => {
  for (const client of clients) client.close();
  await service.close();
});

describe("grpc.health.v1, without a key", () => {
  it.each(["", ...SERVICES])("says that '%s' is served", async (name) => {
    expect(await call(healthOf(service), "Check", { service: name })).toEqual({ status: "SERVING" });
  });

  it("knows no other service", async () => {
    await expect(call(healthOf(service), "Check", { service: "nobody" })).rejects.toMatchObject({
      code: grpc.status.NOT_FOUND,
    });
    const stream = healthOf(service)["Watch"]?.({ service: "nobody" });
    stream?.on("error", () => {});
    for await (const answer of stream ?? []) {
      expect(answer).toEqual({ status: "SERVICE_UNKNOWN" });
      stream?.cancel();
      break;
    }
  });

  it("lists them", async () => {
    const { statuses = {} } = await call(healthOf(service), "List", {});
    expect(Object.keys(statuses).sort()).toEqual(["", ...SERVICES].sort());
  });

  it("is answered over HTTP/1.1 too", async () => {
    const answer = await fetch(`${service.url}/grpc.health.v1.Health/Check`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(await answer.json()).toEqual({ status: "SERVING" });
  });

  it("takes no body of more than 64 KiB, and none that is compressed", async () => {
    await expect(call(healthOf(service), "Check", { service: "x".repeat(70_000) })).rejects.toMatchObject({
      code: grpc.status.RESOURCE_EXHAUSTED,
    });
    const answer = await fetch(`${service.url}/grpc.health.v1.Health/Check`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": "br" },
      body: "{}",
    });
    expect(await answer.json()).toMatchObject({ code: "unimplemented" });
  });

  it("tells those that watch when the process ends, and does not hold it", async () => {
    const ending = await startTestService();
    const stream = healthOf(ending)["Watch"]?.({ service: "" });
    const seen: (string | undefined)[] = [];
    let stopped: Promise<void> | undefined;
    const end = await (async () => {
      for await (const { status } of stream ?? []) {
        seen.push(status);
        stopped ??= ending.stop();
      }
    })().catch((error: unknown) => error);
    expect(seen).toEqual(["SERVING", "NOT_SERVING"]);
    expect(end).toMatchObject({ code: grpc.status.UNAVAILABLE });
    await stopped;
    await ending.close();
  });

  it("opens 100 streams of Watch at a time and no more", async () => {
    const client = healthOf(service);
    /** Opens one, and tells its first status or why there is none. */
    const open = async () => {
      const stream = client["Watch"]?.({ service: "" });
      const first = await new Promise<object>((resolve) => {
        stream?.once("data", resolve);
        stream?.on("error", resolve);
      });
      return { first, cancel: () => stream?.cancel() };
    };
    await waitFor(async () => {
      const opened = await Promise.all(Array.from({ length: 102 }, open));
      for (const { cancel } of opened) cancel();
      const refused = opened.filter(({ first }) => "code" in first && first.code === grpc.status.RESOURCE_EXHAUSTED);
      // Again and again, since those of the test before may not be forgotten yet.
      expect(refused.length).toBe(2);
    });
  });
});

describe.each(["v1", "v1alpha"])("grpc.reflection.%s, without a key", (version) => {
  /** Asks on one stream, each question after the answer to the one before, as grpcurl does. */
  async function ask(...questions: object[]): Promise<Answer[]> {
    const client = connect(loaded.reflection[version]?.ServerReflection, service);
    const stream = client["ServerReflectionInfo"]?.();
    if (stream === undefined) throw new Error("there is no such method");
    const waiting = [...questions];
    const answers: Answer[] = [];
    const askNext = (): void => {
      const next = waiting.shift();
      if (next === undefined) stream.end();
      else stream.write(next);
    };
    askNext();
    for await (const answer of stream as AsyncIterable<Answer>) {
      answers.push(answer);
      askNext();
    }
    return answers;
  }

  const namesOf = (answer: Answer | undefined): string[] =>
    (answer?.file_descriptor_response?.file_descriptor_proto ?? []).map(
      (bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name,
    );

  it("lists the services", async () => {
    // What `grpcurl list` sends.
    const [answer] = await ask({ list_services: "*" });
    expect(answer?.list_services_response?.service.map(({ name }) => name).sort()).toEqual(
      [
        ...SERVICES,
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection",
        "grpc.reflection.v1alpha.ServerReflection",
      ].sort(),
    );
  });

  it("tells the file of a symbol with all that it imports, each once on a stream", async () => {
    const [first, second] = await ask(
      { file_containing_symbol: "attune.inference.v1.InferenceService" },
      { file_containing_symbol: "attune.inference.v1.InferenceService.Generate" },
    );
    const files = namesOf(first);
    const imports = first?.file_descriptor_response?.file_descriptor_proto.flatMap(
      (bytes) => fromBinary(FileDescriptorProtoSchema, bytes).dependency,
    );
    expect(files[0]).toBe("attune/inference/v1/inference.proto");
    expect(files).toContain("buf/validate/validate.proto");
    expect(new Set(files)).toEqual(new Set([files[0], ...(imports ?? [])]));
    expect(namesOf(second)).toEqual(["attune/inference/v1/inference.proto"]);
  });

  it.each([
    [{ file_by_filename: "google/protobuf/descriptor.proto" }, "google/protobuf/descriptor.proto"],
    [{ file_containing_symbol: "attune.content.v1.ROLE_USER" }, "attune/content/v1/content.proto"],
    [{ file_containing_symbol: "attune.error.v1.ErrorDetail.reason" }, "attune/error/v1/error.proto"],
    [{ file_containing_symbol: "grpc.health.v1.HealthCheckResponse.SERVING" }, "grpc/health/v1/health.proto"],
    [
      { file_containing_extension: { containing_type: "google.protobuf.FieldOptions", extension_number: 1159 } },
      "buf/validate/validate.proto",
    ],
  ])("finds %j", async (question, file) => {
    const [answer] = await ask(question);
    expect(namesOf(answer)[0]).toBe(file);
  });

  it("tells the extensions of a message", async () => {
    const [answer] = await ask({ all_extension_numbers_of_type: "google.protobuf.FieldOptions" });
    expect(answer?.all_extension_numbers_response?.extension_number).toEqual([1159, 1160]);
  });

  it.each([
    { file_by_filename: "nothing.proto" },
    { file_containing_symbol: "attune.Nothing" },
    { file_containing_extension: { containing_type: "google.protobuf.FieldOptions", extension_number: 1 } },
    { all_extension_numbers_of_type: "attune.Nothing" },
  ])("does not find %j", async (question) => {
    const [answer] = await ask(question);
    expect(answer?.error_response).toMatchObject({ error_code: grpc.status.NOT_FOUND });
  });

  it("does not hold a process that ends", async () => {
    const ending = await startTestService();
    const stream = connect(loaded.reflection[version]?.ServerReflection, ending)["ServerReflectionInfo"]?.();
    stream?.write({ list_services: "*" });
    await new Promise((resolve) => stream?.once("data", resolve));
    const ended = new Promise((resolve) => stream?.once("error", resolve));
    await ending.stop();
    expect(await ended).toMatchObject({ code: grpc.status.UNAVAILABLE });
    await ending.close();
  });

  it("takes 1,000 questions on a stream", async () => {
    const questions = Array.from({ length: 1001 }, () => ({ file_by_filename: "x" }));
    await expect(ask(...questions)).rejects.toMatchObject({ code: grpc.status.RESOURCE_EXHAUSTED });
  });

  it("takes 64 KiB on a stream", async () => {
    const question = { file_by_filename: "x".repeat(30_000) };
    await expect(ask(question, question, question)).rejects.toMatchObject({ code: grpc.status.RESOURCE_EXHAUSTED });
  });
});

describe("a service that serves neither", () => {
  it("says so", async () => {
    const closed = await startTestService({ yaml: "server: { grpcHealth: false, reflection: false }" });
    const error = await call(healthOf(closed), "Check", {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: grpc.status.UNIMPLEMENTED,
      details: expect.stringContaining("there is no method"),
    });
    const stream = connect(loaded.reflection["v1"]?.ServerReflection, closed)["ServerReflectionInfo"]?.();
    stream?.write({ list_services: "*" });
    expect(await new Promise((resolve) => stream?.resume().once("error", resolve))).toMatchObject({
      code: grpc.status.UNIMPLEMENTED,
    });
    await closed.close();
  });
});

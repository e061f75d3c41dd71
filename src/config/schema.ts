import { z } from "zod";
import { across, type CrossMistake, type Sound } from "./across.ts";
import { alerts } from "./alerts-schema.ts";
import {
  anyText,
  boolean,
  browserOrigin,
  databaseUrl,
  headerName,
  host,
  integer,
  keys,
  modelName,
  name,
  publicUrl,
  secret,
  share,
  signingSecret,
  usd,
} from "./fields.ts";
import { findTlsMistake } from "./find-tls-mistake.ts";
import { learning } from "./learning-schema.ts";
import { modelSchema } from "./model-schema.ts";
import { quotas } from "./quotas-schema.ts";
import { signIn } from "./sign-in-schema.ts";
import { telemetry } from "./telemetry-schema.ts";
import { upstreams } from "./upstream-schema.ts";

const DAY_MS = 86_400_000;

const routing = keys({
  failoverShare: share()
    .default(0.1)
    .describe("Most failover calls after temporary failures, as a share of inferences: 0.1"),
  hedgingShare: share().default(0.02).describe("Most second calls for slow streams, as a share of inferences: 0.02"),
  retryShare: share()
    .default(0.1)
    .describe("Most second calls for answers that failed a check, as a share of inferences: 0.1"),
  totalMs: integer(1, DAY_MS)
    .optional()
    .describe(
      "Milliseconds until a whole answer, or the start of a stream, including retries, failover, hedges and " +
        "candidates; only upstream timeouts if absent",
    ),
});

const audit = keys({
  share: share()
    .default(0)
    .describe("Share of answers, 0 to 1, to compare with the plain call of the first deployment: 0.02"),
  nullShare: share()
    .default(0.5)
    .describe(
      "Of these, the share for which the first deployment is called twice, to measure how much its own answers " +
        "differ",
    ),
  callsPerHour: integer(1, 1_000_000).default(120).describe("Most calls for that per hour and process"),
  usdPerDay: usd()
    .optional()
    .describe("Most USD for that in 24 hours per process, for models with a price (5); unlimited if absent"),
  concurrency: integer(1, 100).default(2).describe("Answers compared at a time"),
  timeoutMs: integer(1000, DAY_MS)
    .default(300_000)
    .describe("Time limit for the calls for one answer; a short one leaves out long answers of the first deployment"),
});

const bodyBytes = integer(1024, 2 ** 30);

// The proto's own rules bound messages and tools, whoever calls.
const limits = keys({
  bodyBytes: bodyBytes.optional().describe("Largest request body in bytes; 32 MiB if absent"),
  receivingBytes: integer(2 ** 20, 2 ** 40)
    .default(2 ** 28)
    .describe("Bytes of unanswered request bodies and WebSocket frames, in total; one key gets an eighth"),
  background: integer(1, 100_000).default(1000).describe("Background responses at a time; one key gets half"),
  feedbackEvents: integer(10_000, 10_000_000)
    .default(100_000)
    .describe("Feedback events being stored at a time; one key gets half"),
  tokenValues: integer(1, 10_000)
    .default(50)
    .describe("Values that one rater may send for an answer or a session with feedback tokens"),
  tokenRequests: integer(1, 1_000_000).default(30).describe("Requests per minute with one feedback token"),
  answerRequests: integer(1, 1_000_000)
    .default(60)
    .describe("Requests per minute with feedback tokens for one answer or session"),
  addressRequests: integer(1, 1_000_000)
    .default(300)
    .describe("Requests per minute with feedback tokens from one IPv4 address or IPv6 /64 network"),
  projectShare: share()
    .default(0.75)
    .describe(
      "Share of receivingBytes, background, feedbackEvents and WebSocket connections for all keys of one project " +
        "together: 0.75",
    ),
  jsonDepth: integer(16, 1024).default(256).describe("Levels of nested objects and arrays"),
  jsonValues: integer(1000, 10_000_000)
    .default(100_000)
    .describe("Values in a body: object members and array items, or message fields over RPC"),
  jsonMembers: integer(100, 10_000_000).default(10_000).describe("Members of one object"),
  messages: integer(1, 100_000).default(100_000).describe("Messages, or input items in the Responses format"),
  tools: integer(1, 4096).default(4096).describe("Tools"),
});

const days = (what: string) =>
  integer(1, 36_500).optional().describe(`Days until ${what} are deleted; kept indefinitely if absent`);

const spool = keys({
  folder: anyText()
    .optional()
    .describe(
      "Folder of the spool, with a folder in it for each database; if absent, 'spool' next to an SQLite file, or " +
        "./data/spool",
    ),
  maxBytes: integer(2 ** 20, 2 ** 40)
    .default(2 ** 30)
    .describe("Largest size in bytes while the database is unavailable"),
  whenFull: z
    .enum(["shed", "refuse"], { error: "must be shed or refuse" })
    .default("shed")
    .describe("When it is full: shed keeps serving without recording bodies, refuse answers new requests with 503"),
});

const LEVELS = ["off", "debug", "info"] as const;

const log = keys({
  requests: keys({
    level: z
      .enum(LEVELS, { error: `must be ${LEVELS.join(", ")}` })
      .default("info")
      .describe("Level of request lines; off: none"),
    sample: share()
      .default(1)
      .describe("Share of completed requests to log; refused, failed and canceled ones are always logged: 0.1"),
  })
    .prefault({})
    .describe("The line of each request"),
});

/** Charts of up to two weeks have steps of hours. */
const MIN_HOURS_DAYS = 15;

const retention = keys({
  inferencesDays: days("inferences"),
  bodiesDays: days("request and response bodies"),
  feedbackDays: days("feedback entries"),
  hoursDays: integer(MIN_HOURS_DAYS, 36_500).default(100).describe("Days with hourly figures; older figures are daily"),
  figuresDays: integer(MIN_HOURS_DAYS, 36_500)
    .optional()
    .describe("Days until daily and weekly figures are deleted; kept indefinitely if absent"),
  auditDays: days("audit log entries"),
  confirmAbovePercent: integer(1, 100)
    .default(25)
    .describe("Percentage of the data that a run may delete without attune retention --yes"),
});

const figures = keys({
  namesPerProject: integer(1, 10_000)
    .default(200)
    .describe(
      "Workloads, metrics and tags of a project with their own figures, and ten times as many end users; the rest " +
        "are counted as (other)",
    ),
});

const serverMembers = keys({
  host: host().default("127.0.0.1").describe("Address to listen on"),
  port: integer(0, 65_535).default(8080).describe("Port to listen on; 0 takes any free one"),
  tls: keys({
    cert: anyText().describe("Certificate in PEM, with its intermediate certificates"),
    key: anyText().describe("Private key in PEM"),
    clientCa: anyText().optional().describe("Certificate authority in PEM; clients then need a certificate of it"),
  })
    .optional()
    .describe("Certificate of the port; without it, use a proxy for TLS"),
  publicUrl: publicUrl()
    .optional()
    .describe("Address that people and clients use, which may have a path: https://example.com/attune"),
  adminPort: integer(0, 65_535)
    .optional()
    .describe(
      "Separate port for GET /metrics, /healthz and /readyz; the public port then has no metrics. 0 takes any " +
        "free one",
    ),
  adminHost: host().optional().describe("Address that adminPort listens on; 127.0.0.1 if absent"),
  metricsToken: signingSecret()
    .optional()
    .describe("Bearer token for GET /metrics; without adminPort, the public port serves metrics only if it is set"),
  limits: limits.prefault({}).describe("Limits of requests"),
  grpcHealth: boolean().default(true).describe("Serve grpc.health.v1.Health, without a key"),
  reflection: boolean()
    .default(true)
    .describe("Serve gRPC server reflection, without a key; it shows the public protos"),
  proxies: integer(0, 16)
    .default(0)
    .describe("Number of reverse proxies in front whose X-Forwarded-For, -Proto and -Host headers are trusted"),
  reusePort: boolean()
    .default(false)
    .describe("Let several processes on this host listen on the same port; the system distributes connections"),
  clientIdleMs: integer(100, DAY_MS)
    .default(120_000)
    .describe(
      "Disconnects a client that hasn't read for this long, for each MiB that waits for it; the call is " +
        "recorded as canceled",
    ),
  sessionHeaders: z
    .array(headerName(), { error: "must be a list of names of headers" })
    .max(16)
    .default([])
    .describe("Further headers that name a session; attune-session and those of known agents always do"),
  browserOrigins: z
    .array(browserOrigin(), { error: "must be a list of addresses" })
    .max(256)
    .default([])
    .describe("Origins of web pages that may send feedback from a browser (CORS): https://app.example.com"),
  watchConfig: boolean()
    .default(false)
    .describe("Reload when this file changes, as SIGHUP does; checked every two seconds"),
  drainMs: integer(0, DAY_MS)
    .default(0)
    .describe("Time after SIGTERM during which /readyz fails but the port stays open, for load balancers"),
  shutdownMs: integer(0, DAY_MS)
    .default(30_000)
    .describe("Time for running requests to finish after the port has closed; the rest end with an error"),
  bodyLimitBytes: bodyBytes.optional().describe("Old name of limits.bodyBytes"),
});

function checkServer({ bodyLimitBytes, limits, adminHost, adminPort, tls }: Sound<ParsedServer>): CrossMistake[] {
  const older = "is the older name of limits.bodyBytes: leave it out";
  const isTwice = bodyLimitBytes !== undefined && limits?.bodyBytes !== undefined;
  const { cert, key, clientCa } = tls ?? {};
  const mistake = findTlsMistake("server.tls", { cert, key, authorities: { clientCa } });
  return [
    ...(isTwice ? [{ path: ["bodyLimitBytes"], message: older }] : []),
    ...(adminHost !== undefined && adminPort === undefined
      ? [{ path: ["adminPort"], message: "an adminHost needs its port" }]
      : []),
    ...(mistake ? [{ path: ["tls", mistake.member], message: mistake.message }] : []),
  ];
}

type ParsedServer = z.output<typeof serverMembers>;

/** The members of the configuration but for its models. */
const members = {
  prefix: name().default("attune").describe("Prefix of model names: callers ask for PREFIX/NAME"),
  server: across(serverMembers, checkServer).prefault({}).describe("Address, port, TLS and request limits"),
  dashboard: keys({
    enabled: boolean().default(true).describe("Serve the dashboard under /dashboard"),
    signIn: signIn.prefault({}).describe("Sign-in through OpenID Connect"),
  })
    .prefault({})
    .describe("The dashboard"),
  database: keys({
    url: databaseUrl()
      .default("sqlite:./data/attune.db")
      .describe("sqlite:PATH or postgresql://USER:PASSWORD@HOST/NAME, with libpq's parameters: ?sslmode=verify-full"),
  })
    .prefault({})
    .describe("The database"),
  spool: spool.prefault({}).describe("Records that aren't in the database yet"),
  log: log.prefault({}).describe("The log, on stderr"),
  telemetry: telemetry.prefault({}).describe("Traces and metrics for OpenTelemetry"),
  retention: retention.prefault({}).describe("When records are deleted; figures stay"),
  quotas: quotas.prefault({}).describe("Limits on calls, and on what people may create"),
  alerts: alerts.prefault({}).describe("Alert rules and destinations"),
  figures: figures.prefault({}).describe("Names in the dashboard's figures"),
  bootstrapKey: secret({ min: 16, max: 512 })
    .optional()
    .describe("An API key of the default project that works from the first start"),
  upstreams: upstreams.optional().describe("Providers and servers by name; from the environment if absent"),
  learning: learning.prefault({}).describe("Learning from feedback"),
  routing: routing.prefault({}).describe("Limits on extra upstream calls, and on total time"),
  audit: audit
    .prefault({})
    .describe("Checks whether deployments of a model answer alike, by comparing answers to the same requests"),
};

/** The models, each of a schema. */
function models<Model extends z.ZodType>(model: Model) {
  return z
    .array(model, { error: "must be a list of models" })
    .min(1, { error: "must have at least one model" })
    .optional()
    .describe("Models, in the order in which they are listed; the built-in ones if absent");
}

/** The configuration as it is written. */
export const configSchema = keys({ ...members, models: models(z.union([modelName(), modelSchema])) });

/** The configuration once a model that is its name alone is a map with the facts of lists. */
export const completedSchema = keys({ ...members, models: models(modelSchema) });

/** The configuration as the schema gives it. */
export type ParsedConfig = z.output<typeof completedSchema>;

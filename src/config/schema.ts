import { z } from "zod";
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
import { learning } from "./learning-schema.ts";
import { modelSchema } from "./model-schema.ts";
import { quotas } from "./quotas-schema.ts";
import { signIn } from "./sign-in-schema.ts";
import { telemetry } from "./telemetry-schema.ts";
import { upstream } from "./upstream-schema.ts";

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
      "Milliseconds for a unary answer, or until a stream begins, over retries, failover, hedges and candidates; " +
        "only the limits of upstreams if absent",
    ),
});

const audit = keys({
  share: share()
    .default(0)
    .describe("Share of answers, 0 to 1, to compare with the plain call of the first deployment: 0.02"),
  nullShare: share()
    .default(0.5)
    .describe("Of these, the share for which it is called twice, to measure how far its own answers differ"),
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
  bodyBytes: bodyBytes.optional().describe("Bytes of a request's body; 32 MiB if absent"),
  receivingBytes: integer(2 ** 20, 2 ** 40)
    .default(2 ** 28)
    .describe(
      "Bytes that bodies and WebSocket frames of requests may have until they are answered; an eighth for one key",
    ),
  background: integer(1, 100_000)
    .default(1000)
    .describe("Responses that are made in the background at once; half of them for one key"),
  feedbackEvents: integer(10_000, 10_000_000)
    .default(100_000)
    .describe("Events of feedback that may be on their way at once; half of them for one key"),
  tokenValues: integer(1, 10_000)
    .default(50)
    .describe("Values that one rater sends on an answer or a session with feedback tokens"),
  tokenRequests: integer(1, 1_000_000).default(30).describe("Requests a minute with one feedback token"),
  answerRequests: integer(1, 1_000_000)
    .default(60)
    .describe("Requests a minute with feedback tokens on one answer or session"),
  addressRequests: integer(1, 1_000_000)
    .default(300)
    .describe("Requests a minute with feedback tokens from one address; of IPv6, from the first 64 bits of one"),
  projectShare: share()
    .default(0.75)
    .describe(
      "Part of receivingBytes, background, feedbackEvents and the WebSocket connections that all keys of one " +
        "project may have together: 0.75",
    ),
  jsonDepth: integer(16, 1024).default(256).describe("Levels of nested objects and arrays"),
  jsonValues: integer(1000, 10_000_000)
    .default(100_000)
    .describe("Values of a body: members of objects and items of arrays; over RPC, fields of messages"),
  jsonMembers: integer(100, 10_000_000).default(10_000).describe("Members of one object of a body"),
  messages: integer(1, 100_000).default(100_000).describe("Messages, or items of the Responses format's input"),
  tools: integer(1, 4096).default(4096).describe("Tools"),
});

const days = (what: string) =>
  integer(1, 36_500).optional().describe(`Days for which ${what} are kept; for ever if absent`);

const spool = keys({
  folder: anyText()
    .optional()
    .describe(
      "Folder for records on their way to the database, in a folder by its id; a folder 'spool' beside an SQLite file, or ./data/spool",
    ),
  maxBytes: integer(2 ** 20, 2 ** 40)
    .default(2 ** 30)
    .describe("Bytes that records may take up there while the database is away"),
  whenFull: z
    .enum(["shed", "refuse"], { error: "must be shed or refuse" })
    .default("shed")
    .describe(
      "What happens beyond that: shed records inferences without their bodies, refuse answers new ones with 503",
    ),
});

const LEVELS = ["off", "debug", "info"] as const;

const log = keys({
  requests: keys({
    level: z
      .enum(LEVELS, { error: `must be ${LEVELS.join(", ")}` })
      .default("info")
      .describe("Level of the line that each request has in the log; off: requests have none"),
    sample: share()
      .default(1)
      .describe("Part of the completed requests that have a line; refused, failed and canceled ones always have: 0.1"),
  })
    .prefault({})
    .describe("The line that each request has"),
});

/** Charts of up to two weeks have steps of hours. */
const MIN_HOURS_DAYS = 15;

const retention = keys({
  inferencesDays: days("the facts of inferences"),
  bodiesDays: days("requests and answers"),
  feedbackDays: days("feedback entries"),
  hoursDays: integer(MIN_HOURS_DAYS, 36_500)
    .default(100)
    .describe("Days for which figures are kept by the hour; older ones are kept by the day"),
  figuresDays: integer(MIN_HOURS_DAYS, 36_500)
    .optional()
    .describe("Days for which figures are kept by the day and the week; for ever if absent"),
  auditDays: days("entries of the audit log"),
  confirmAbovePercent: integer(1, 100)
    .default(25)
    .describe("Part of the data that one run deletes without being asked to by attune retention --yes"),
});

const figures = keys({
  namesPerProject: integer(1, 10_000)
    .default(200)
    .describe(
      "Workloads, metrics and tags that the figures of a project tell apart, ten times as many end users; " +
        "others are (other)",
    ),
});

/** The configuration as it is written. */
export const configSchema = keys({
  prefix: name().default("attune").describe("What stands before the slash in the ids of models"),
  server: keys({
    host: host().default("127.0.0.1").describe("Address to listen on"),
    port: integer(0, 65_535).default(8080).describe("Port to listen on; 0 takes any free one"),
    tls: keys({
      cert: anyText().describe("Certificate in PEM, with those between it and its authority"),
      key: anyText().describe("Its key in PEM"),
      clientCa: anyText().optional().describe("Authority, in PEM, whose certificates clients have to show"),
    })
      .optional()
      .describe("TLS of the port; without it a proxy has to end TLS"),
    publicUrl: publicUrl()
      .optional()
      .describe(
        "Address at which people and clients reach this Attune, which may have a path: https://example.com/attune",
      ),
    adminPort: integer(0, 65_535)
      .optional()
      .describe("Port of GET /metrics, /healthz and /readyz alone; 0 takes any free one. Metrics are on no other then"),
    adminHost: host().default("127.0.0.1").describe("Address that adminPort listens on"),
    metricsToken: signingSecret()
      .optional()
      .describe("Token that GET /metrics asks for; without adminPort, the public port has metrics only with it"),
    limits: limits.prefault({}).describe("Most that a request may have"),
    grpcHealth: boolean().default(true).describe("Whether grpc.health.v1.Health is served, without a key"),
    reflection: boolean()
      .default(true)
      .describe("Whether gRPC's server reflection is served, without a key: it tells the protos, which are public"),
    proxies: integer(0, 16)
      .default(0)
      .describe("Reverse proxies in front whose X-Forwarded-For, -Proto and -Host headers are believed"),
    reusePort: boolean()
      .default(false)
      .describe("Whether several processes of this host may listen on the same port; the system spreads connections"),
    clientIdleMs: integer(100, DAY_MS)
      .default(120_000)
      .describe(
        "How long a client may take nothing of an answer that waits for it, for each MiB of it; then it is cut off",
      ),
    sessionHeaders: z
      .array(headerName(), { error: "must be a list of names of headers" })
      .max(16)
      .default([])
      .describe("Headers that name a request's session, beside attune-session and those that agents are known to send"),
    browserOrigins: z
      .array(browserOrigin(), { error: "must be a list of addresses" })
      .max(256)
      .default([])
      .describe("Origins of pages that may send feedback from a browser (CORS): https://app.example.com"),
    watchConfig: boolean()
      .default(false)
      .describe("Whether a change of this file is read at once, as SIGHUP has it read; looked for every two seconds"),
    drainMs: integer(0, DAY_MS)
      .default(0)
      .describe(
        "How long the port stays open after SIGTERM while /readyz says no, so that load balancers can turn away",
      ),
    shutdownMs: integer(0, DAY_MS)
      .default(30_000)
      .describe(
        "How long requests under way may go on once the port is closed; what still runs then ends with an error",
      ),
    bodyLimitBytes: bodyBytes.optional().describe("Older name of limits.bodyBytes"),
  })
    .prefault({})
    .describe("Where Attune listens"),
  dashboard: keys({
    enabled: boolean().default(true).describe("Whether the dashboard is served under /dashboard"),
    signIn: signIn.prefault({}).describe("Sign-in through OpenID Connect"),
  })
    .prefault({})
    .describe("The dashboard"),
  database: keys({
    url: databaseUrl()
      .default("sqlite:./data/attune.db")
      .describe(
        "sqlite:PATH or postgresql://USER:PASSWORD@HOST/NAME, with parameters as libpq has them: ?sslmode=verify-full",
      ),
  })
    .prefault({})
    .describe("Where records are kept"),
  spool: spool.prefault({}).describe("Where records wait for the database"),
  log: log.prefault({}).describe("The log, on standard error"),
  telemetry: telemetry.prefault({}).describe("Traces and metrics for OpenTelemetry"),
  retention: retention.prefault({}).describe("When records are deleted; what was counted of them stays"),
  quotas: quotas.prefault({}).describe("Most that people may create, and that calls may take"),
  alerts: alerts.prefault({}).describe("Rules for what people are told of, and where messages go"),
  figures: figures.prefault({}).describe("What the dashboard's figures tell apart"),
  bootstrapKey: secret({ min: 16, max: 512 })
    .optional()
    .describe("Accepted as an API key of the default project, for automation"),
  upstreams: z
    .record(name(), upstream, { error: "must be a map of names to upstreams" })
    .optional()
    .describe("Services that run models, by name; from the environment if absent"),
  learning: learning.prefault({}).describe("What is learned from feedback"),
  routing: routing.prefault({}).describe("Limits on what is done beyond one call for each inference"),
  audit: audit
    .prefault({})
    .describe(
      "Whether deployments of a model answer alike: some requests are sent to the first one too, and the " +
        "answers compared",
    ),
  models: z
    .array(z.union([modelName(), modelSchema], { error: "must be a name that lists know, or a map" }), {
      error: "must be a list of models",
    })
    .min(1, { error: "must have at least one model" })
    .optional()
    .describe("Models that can be called, in the order of the listing; the built-in ones if absent"),
});

/** The configuration as the schema gives it. */
export type ParsedConfig = z.output<typeof configSchema>;

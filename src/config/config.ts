import type { AlertSettings } from "../alerts/settings.ts";
import type { ProfileName } from "../catalog/chat-profiles.ts";
import type { CatalogModel } from "../catalog/model.ts";
import type { ChatProfile } from "../hub/chat-profile.ts";
import type { ConverseAbilities } from "../hub/converse-abilities.ts";
import type { SignInSettings } from "../hub/sign-in-settings.ts";
import type { QuotaDefaults } from "../quotas/quota-settings.ts";
import type { ConnectionConfig } from "./connection-config.ts";
import type { EMBEDDING_KINDS, HTTP_KINDS } from "./upstream-schema.ts";

/** All that can be configured; frozen to its depths. */
export interface Config {
  /** File that it was read from; undefined if there is none. */
  readonly file: string | undefined;
  /** Files that it refers to by `${file:...}`, as absolute paths. */
  readonly secretFiles: readonly string[];
  /** The prefix before the slash in model ids. */
  readonly prefix: string;
  readonly server: ServerConfig;
  readonly dashboard: { readonly enabled: boolean; readonly signIn: SignInSettings };
  readonly database: { readonly url: string };
  readonly spool: SpoolConfig;
  readonly log: LogConfig;
  readonly telemetry: TelemetryConfig;
  readonly retention: RetentionConfig;
  readonly quotas: QuotasConfig;
  readonly alerts: AlertSettings;
  readonly figures: FiguresConfig;
  readonly routing: RoutingConfig;
  readonly audit: AuditConfig;
  readonly learning: LearningConfig;
  /** Accepted as an API key of the default project; a secret. */
  readonly bootstrapKey: string | undefined;
  /** By name. There is always one of the name sandbox. */
  readonly upstreams: Readonly<Record<string, UpstreamConfig>>;
  /** At least one; every deployment names one of the upstreams. */
  readonly models: readonly CatalogModel[];
}

/** The settings of the server. */
export interface ServerConfig {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Address at which it is reached, without a slash at its end; undefined if that is where it listens. */
  readonly publicUrl: string | undefined;
  readonly limits: LimitsConfig;
  /** The certificate of the port, in PEM; undefined for a port without TLS. */
  readonly tls: TlsConfig | undefined;
  /** Reverse proxies in front whose X-Forwarded headers are believed. */
  readonly proxies: number;
  /** Port of metrics and health alone; undefined if there is none. 0 takes any free one. */
  readonly adminPort: number | undefined;
  readonly adminHost: string;
  /** Asked for by GET /metrics, which the public port has only with it; a secret. */
  readonly metricsToken: string | undefined;
  /** True if gRPC's health service is served. */
  readonly grpcHealth: boolean;
  /** True if gRPC's server reflection is served. */
  readonly reflection: boolean;
  /** True if other processes of this host may listen on the same port. */
  readonly reusePort: boolean;
  /** The time for which a client may read nothing, for each MiB that waits. */
  readonly clientIdleMs: number;
  /** Headers that name a request's session, beside those that Attune knows; in small letters. */
  readonly sessionHeaders: readonly string[];
  /** Origins of pages that may send feedback: https://app.example.com. */
  readonly browserOrigins: readonly string[];
  /** True if a change of the configuration file is taken on as SIGHUP has it. */
  readonly watchConfig: boolean;
  /** The time after SIGTERM for which the port stays open while readiness says no. */
  readonly drainMs: number;
  /** The time that running requests get once the port is closed. */
  readonly shutdownMs: number;
}

/** A certificate, its key, and the authority of those that clients have to show: a secret. */
export interface TlsConfig {
  readonly cert: string;
  readonly key: string;
  readonly clientCa?: string | undefined;
}

/** The settings of learning. */
interface LearningConfig {
  /** The default mode of learning. */
  readonly mode: "off" | "observe" | "on";
  /** The prior advantage of models, by name. */
  readonly priors: Readonly<Record<string, number>>;
  /** The calls that one decision on who answers is for. */
  readonly unit: "session" | "request";
  /** The models that may answer in place of another one: those at one of its upstreams, all, or these beside those. */
  readonly models: "upstream" | "any" | readonly string[];
  readonly shadow: ShadowConfig;
}

/** The settings of shadow trials. */
interface ShadowConfig {
  /** Part of a workload's answers; 0 tries nothing. */
  readonly share: number;
  /** Name of the model that grades; there where the share is above 0. */
  readonly judge?: string | undefined;
  /** The most that a day costs, in USD. */
  readonly usdPerDay: number;
  /** The description of a satisfactory answer. */
  readonly rubric?: string | undefined;
  readonly concurrency: number;
  readonly timeoutMs: number;
}

/** The settings of the log. */
interface LogConfig {
  readonly requests: {
    /** The level of the lines that requests have; off: they have none. */
    readonly level: "off" | "debug" | "info";
    /** The part of the completed requests that have a line, from 0 to 1. */
    readonly sample: number;
  };
}

/** The export of telemetry by OpenTelemetry's protocol. */
export interface TelemetryConfig {
  readonly serviceName: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  /** Undefined where no traces are exported. */
  readonly traces: TracesConfig | undefined;
  /** Undefined where no metrics are exported. */
  readonly metrics: (OtlpTarget & { readonly intervalMs: number }) | undefined;
}

/** The place that a signal is exported to. */
export interface OtlpTarget {
  readonly url: string;
  readonly protocol: "http/protobuf" | "http/json" | "grpc";
  /** Values may be secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly compression: "none" | "gzip";
}

/** The settings of traces. */
interface TracesConfig extends OtlpTarget {
  /** The part of the requests without a caller's decision that is traced, from 0 to 1. */
  readonly sampleRatio: number;
  /** True if upstreams are told of the trace. */
  readonly propagate: boolean;
  /** True if spans have prompts and answers. */
  readonly content: boolean;
}

/** The settings of the spool, where records wait for the database. */
interface SpoolConfig {
  readonly folder: string;
  readonly maxBytes: number;
  /** The behaviour beyond maxBytes: record without bodies, or refuse new inferences. */
  readonly whenFull: "shed" | "refuse";
}

/** Most calls beyond one for each inference, as parts of the inferences: 0 to 1. */
interface RoutingConfig {
  readonly failoverShare: number;
  readonly hedgingShare: number;
  readonly retryShare: number;
}

/** The settings of the equivalence audit. */
interface AuditConfig {
  /** Part of the answers that did not come from the plain call; 0 compares nothing. */
  readonly share: number;
  /** The part of them for which the plain call is made twice. */
  readonly nullShare: number;
  /** Plain calls of a process. */
  readonly callsPerHour: number;
  /** The most that they cost in 24 hours; no bound if absent. */
  readonly usdPerDay?: number | undefined;
  readonly concurrency: number;
  readonly timeoutMs: number;
}

/** Days for which records are kept; undefined is for ever. */
export interface RetentionConfig {
  readonly inferencesDays: number | undefined;
  readonly bodiesDays: number | undefined;
  readonly feedbackDays: number | undefined;
  /** Figures by the hour; those by the day stay. */
  readonly hoursDays: number;
  readonly figuresDays: number | undefined;
  /** Entries of the audit log. */
  readonly auditDays: number | undefined;
  /** Part of the data that one run deletes without an operator's word. */
  readonly confirmAbovePercent: number;
}

/** Most that people may create, and that calls may take where nobody has set otherwise. */
export interface QuotasConfig extends QuotaDefaults {
  /** API keys that work. */
  readonly keysPerProject: number;
  /** Members, and those who are invited. */
  readonly membersPerProject: number;
  /** Projects that one person owns. */
  readonly projectsPerPerson: number;
  /** People who may sign in. */
  readonly accounts: number;
  /** The basis of a reservation for an answer: what answers usually take, or the most that the call may take. */
  readonly reserve: "usual" | "bound";
  /** The fate of limited calls while the database is away and their leases are used up. */
  readonly whenDatabaseAway: "serve" | "refuse";
  /** The part of a limit from which on its use is told. */
  readonly warnAt: number;
  /** True if a model that may not be called looks like one that does not exist. */
  readonly hideModels: boolean;
}

/** The settings of the dashboard's figures. */
interface FiguresConfig {
  /** Workloads, and names of metrics, of one project; others are counted together. */
  readonly namesPerProject: number;
}

/** Most that a request may have. */
interface LimitsConfig {
  readonly bodyBytes: number;
  /** Bytes that the bodies of all requests may have that are not answered yet. */
  readonly receivingBytes: number;
  /** Responses that are made in the background at once. */
  readonly background: number;
  /** Events of feedback that are on their way at once. */
  readonly feedbackEvents: number;
  /** Part of what may be in flight at once that all keys of one project may have together. */
  readonly projectShare: number;
  /** Levels of nested objects and arrays. */
  readonly jsonDepth: number;
  /** Members of objects and items of arrays. */
  readonly jsonValues: number;
  /** Members of one object. */
  readonly jsonMembers: number;
  readonly messages: number;
  readonly tools: number;
}

/** A service that runs models. */
export type UpstreamConfig = HttpUpstreamConfig | SandboxUpstreamConfig;

/** A kind of upstream that makes embeddings. */
export type EmbeddingKind = (typeof EMBEDDING_KINDS)[number];

/** A service that is reached over HTTP. */
export interface HttpUpstreamConfig extends ConnectionConfig, Partial<ConverseAbilities> {
  readonly kind: (typeof HTTP_KINDS)[number];
  readonly baseUrl: string;
  /** A secret. */
  readonly apiKey: string | undefined;
  /** Several keys in place of one; secrets. */
  readonly apiKeys?: readonly string[] | undefined;
  /** Variable that its key refers to, and that is not set. */
  readonly missingKey?: string | undefined;
  /** True if callers who want a whole answer have it asked for whole, or as a stream. */
  readonly ask: "as-called" | "stream";
  readonly timeouts: TimeoutConfig;
  readonly limits: AnswerLimitsConfig;
  /** Its abilities; absent for kinds without profiles. Servers of the Responses format have members of the cache. */
  readonly profile?: UpstreamProfile | undefined;
  /** Values may be secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The abilities of an upstream, and their source. */
export interface UpstreamProfile extends Partial<ChatProfile> {
  /** Name of the built-in profile that it is based on. */
  readonly name: ProfileName;
  /** True if that is guessed from its address. */
  readonly isGuessed: boolean;
}

/** Limits on one call, in milliseconds. */
interface TimeoutConfig {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Most that an upstream's answer may have. */
interface AnswerLimitsConfig {
  /** Bytes of one event, or of a whole answer. */
  readonly eventBytes: number;
  /** Members of objects and items of arrays of one event, or of a whole answer. */
  readonly eventValues: number;
  readonly answerBytes: number;
}

/** The sandbox has nothing to configure. */
interface SandboxUpstreamConfig {
  readonly kind: "sandbox";
}

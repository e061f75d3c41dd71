import type { AlertSettings } from "../alerts/settings.ts";
import type { UnservedModel } from "../catalog/catalog.ts";
import type { ServerFacts } from "../catalog/facts.ts";
import type { CatalogModel } from "../catalog/model.ts";
import type { ServerName } from "../catalog/server-facts.ts";
import type { ConverseAbilities } from "../hub/converse-abilities.ts";
import type { QuotaDefaults } from "../quotas/quota-settings.ts";
import type { SignInSettings } from "../vocabulary/sign-in-settings.ts";
import type { ConnectionConfig } from "./connection-config.ts";
import type { Frozen } from "./frozen.ts";
import type { ParsedConfig } from "./schema.ts";
import type { EMBEDDING_KINDS, HTTP_KINDS, ParsedHttpUpstream } from "./upstream-schema.ts";

/** A part of the configuration, as its schema gives and describes it. */
type Part<Name extends keyof ParsedConfig> = Frozen<ParsedConfig[Name]>;

/** All that can be configured; frozen to its depths. */
export interface Config {
  /** File that it was read from; undefined if there is none. */
  readonly file: string | undefined;
  /** Files that it refers to by `${file:...}`, as absolute paths. */
  readonly secretFiles: readonly string[];
  /** The prefix before the slash in model ids. */
  readonly prefix: string;
  readonly server: ServerConfig;
  readonly dashboard: Omit<Part<"dashboard">, "signIn"> & { readonly signIn: SignInSettings };
  readonly database: Part<"database">;
  readonly spool: Part<"spool"> & { readonly folder: string };
  readonly log: Part<"log">;
  readonly telemetry: TelemetryConfig;
  readonly retention: Part<"retention">;
  readonly quotas: QuotasConfig;
  readonly alerts: AlertSettings;
  readonly figures: Part<"figures">;
  readonly routing: Part<"routing">;
  readonly audit: Part<"audit">;
  readonly learning: Part<"learning">;
  /** Accepted as an API key of the default project; a secret. */
  readonly bootstrapKey: string | undefined;
  /** By name. There is always one of the name sandbox. */
  readonly upstreams: Readonly<Record<string, UpstreamConfig>>;
  /** Every deployment names one of the upstreams. */
  readonly models: readonly CatalogModel[];
  /** The built-in models without a provider here; absent if there are none. */
  readonly unserved?: readonly UnservedModel[];
  /** Places of sections whose required members have empty variables; absent if there are none. */
  readonly emptySections?: readonly string[];
}

/** The settings of the server. */
interface ServerConfig extends Omit<Part<"server">, "adminHost" | "bodyLimitBytes" | "limits"> {
  readonly adminHost: string;
  readonly limits: Part<"server">["limits"] & { readonly bodyBytes: number };
}

/** Limits on calls, and on what people may create where nobody has set otherwise. */
export interface QuotasConfig extends Omit<Part<"quotas">, keyof QuotaDefaults>, QuotaDefaults {}

/** The export of telemetry by OpenTelemetry's protocol. */
export interface TelemetryConfig {
  readonly serviceName: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  /** Undefined where no traces are exported. */
  readonly traces:
    | (OtlpTarget & Pick<Part<"telemetry">["traces"], "sampleRatio" | "propagate" | "content">)
    | undefined;
  /** Undefined where no metrics are exported. */
  readonly metrics: (OtlpTarget & Pick<Part<"telemetry">["metrics"], "intervalMs">) | undefined;
}

/** The place that a signal is exported to. */
export interface OtlpTarget extends Pick<Part<"telemetry">, "protocol" | "headers" | "timeoutMs" | "compression"> {
  readonly url: string;
}

/** A service that runs models. */
export type UpstreamConfig = HttpUpstreamConfig | SandboxUpstreamConfig;

/** A kind of upstream that makes embeddings. */
export type EmbeddingKind = (typeof EMBEDDING_KINDS)[number];

/** A service that is reached over HTTP. */
export interface HttpUpstreamConfig extends ConnectionConfig, HttpSettings, Partial<ConverseAbilities> {
  readonly kind: (typeof HTTP_KINDS)[number];
  /** A secret. */
  readonly apiKey: string | undefined;
  /** Variable that its key refers to, and that is not set. */
  readonly missingKey?: string | undefined;
  /** The facts of its server on the route of its kind; absent: it is a server that is not known. */
  readonly profile?: UpstreamProfile | undefined;
}

type HttpSettings = Pick<ParsedHttpUpstream, "baseUrl" | "apiKeys" | "ask" | "timeouts" | "limits" | "headers">;

/** The facts of an upstream, and their origin. */
export interface UpstreamProfile extends Partial<ServerFacts> {
  /** Name of the built-in profile that it is based on. */
  readonly name: ServerName;
  /** True if that is guessed from its address. */
  readonly isGuessed: boolean;
}

/** The sandbox has nothing to configure. */
interface SandboxUpstreamConfig {
  readonly kind: "sandbox";
}

import { formatAddress } from "../format-address.ts";
import { type Parameters, readOneOf, readParameters, SESSION_KINDS, SSL_MODES, TLS_VERSIONS } from "./parameters.ts";

/** A place where PostgreSQL listens. */
export interface PostgresHost {
  /** Name or address; a path is the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** The encryption of connections. */
export interface PostgresTls {
  readonly mode: (typeof SSL_MODES)[number];
  /** A file, or `system`: the authorities that the system trusts. */
  readonly rootCert: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Of the key. */
  readonly password: string | undefined;
  readonly crl: string | undefined;
  readonly minVersion: (typeof TLS_VERSIONS)[number] | undefined;
  readonly maxVersion: (typeof TLS_VERSIONS)[number] | undefined;
}

/** A PostgreSQL database, and how it is connected to. */
export interface PostgresServer {
  /** At least one; they are tried in this order. */
  readonly hosts: readonly PostgresHost[];
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly tls: PostgresTls;
  readonly sessionKind: (typeof SESSION_KINDS)[number];
  /** True if a password is bound to the certificate of the server that it is sent to, where the server can do so. */
  readonly channelBinding: boolean;
  readonly applicationName: string | undefined;
  /** Of each host. */
  readonly connectTimeoutMs: number | undefined;
  readonly options: string | undefined;
}

const DEFAULT_HOST = "localhost";
const DEFAULT_PORT = "5432";

/** The last @ before the path ends user and password. */
const SHAPE =
  /^postgres(?:ql)?:\/\/(?:(?<credentials>[^/?]*)@)?(?<hosts>[^/?@]*)(?:\/(?<database>[^?]*))?(?:\?(?<query>.*))?$/is;

/**
 * Parses the URL of a PostgreSQL database as libpq does, and takes what it leaves out from libpq's environment
 * variables. Throws an Error whose message says what the URL must be; nothing that may be a password reaches it.
 */
export function parsePostgresUrl(url: string, environment: NodeJS.ProcessEnv): PostgresServer {
  const parts = SHAPE.exec(url)?.groups;
  if (parts === undefined) throw new Error("must be postgresql://user:password@host:5432/database");
  const { credentials = "", hosts = "", database = "", query = "" } = parts;
  if (database.includes("@")) throw new Error("has a / or ? in its password: write them as %2F and %3F");
  const parameters = readParameters(splitQuery(query), environment);
  const [user = "", ...password] = credentials.split(":");
  const name = parameters.get("dbname") ?? decode(database);
  if (name === "") throw new Error("names no database: add one, such as .../attune");
  return {
    hosts: readHosts(hosts, parameters, splitQuery(query)),
    database: name,
    user: parameters.get("user") ?? (decode(user) || undefined),
    password: parameters.get("password") ?? (decode(password.join(":")) || undefined),
    tls: readTls(parameters),
    sessionKind: readOneOf(SESSION_KINDS, parameters.get("target_session_attrs")) ?? "any",
    channelBinding: parameters.get("channel_binding") !== "disable",
    applicationName: parameters.get("application_name"),
    connectTimeoutMs: parameters.has("connect_timeout") ? Number(parameters.get("connect_timeout")) * 1000 : undefined,
    options: parameters.get("options"),
  };
}

/** Writes where a database is, without user and password. */
export function describePostgresServer({ hosts, database }: PostgresServer): string {
  const isSocket = hosts.some(({ host }) => host.startsWith("/"));
  const places = hosts.map(({ host, port }) => formatAddress(host, port)).join(",");
  return isSocket ? `postgresql:///${database}?host=${places}` : `postgresql://${places}/${database}`;
}

function splitQuery(query: string): (readonly [string, string])[] {
  return query
    .split("&")
    .filter(Boolean)
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      if (value.length === 0) throw new Error("has a parameter without a value: write NAME=VALUE");
      return [decode(name), decode(value.join("="))];
    });
}

/** Reads the hosts of a URL and of its parameters; without any, those of the environment. */
function readHosts(
  written: string,
  parameters: Parameters,
  pairs: readonly (readonly [string, string])[],
): PostgresHost[] {
  const own = new Map(pairs);
  const places = written.split(",").map(splitPlace);
  const hosts = own.get("host")?.split(",") ?? places.map(({ host }) => host);
  const ports = own.get("port")?.split(",") ?? (own.has("host") ? [] : places.map(({ port }) => port));
  if (ports.length > 1 && ports.length !== hosts.length) throw new Error("must have one port, or one for each host");
  const environmentHosts = hosts.every((host) => host === "") ? parameters.get("host")?.split(",") : undefined;
  const environmentPorts = ports.every((port) => port === "") ? parameters.get("port")?.split(",") : undefined;
  const allPorts = environmentPorts ?? ports;
  return (environmentHosts ?? hosts).map((host, at) => ({
    host: host || DEFAULT_HOST,
    port: readPort((allPorts.length > 1 ? allPorts[at] : allPorts[0]) || DEFAULT_PORT),
  }));
}

/** `host`, `host:port`, `[address]:port`; a folder is written with %2F. */
function splitPlace(place: string): { host: string; port: string } {
  const {
    address,
    host = "",
    port = "",
  } = /^(?:\[(?<address>[^\]]*)\]|(?<host>[^:]*))(?::(?<port>.*))?$/.exec(place)?.groups ?? {};
  return { host: decode(address ?? host), port };
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new Error("must have ports from 1 to 65535");
  return port;
}

function readTls(parameters: Parameters): PostgresTls {
  const rootCert = parameters.get("sslrootcert");
  const isSystem = rootCert === "system";
  const mode = readOneOf(SSL_MODES, parameters.get("sslmode")) ?? (isSystem ? "verify-full" : "prefer");
  // Anybody may have a certificate of an authority that all systems trust.
  if (isSystem && mode !== "verify-full") throw new Error("must have sslmode=verify-full with sslrootcert=system");
  return {
    mode,
    rootCert,
    cert: parameters.get("sslcert"),
    key: parameters.get("sslkey"),
    password: parameters.get("sslpassword"),
    crl: parameters.get("sslcrl"),
    minVersion: readOneOf(TLS_VERSIONS, parameters.get("ssl_min_protocol_version")),
    maxVersion: readOneOf(TLS_VERSIONS, parameters.get("ssl_max_protocol_version")),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error("has a % without two hexadecimal digits after it: write it as %25");
  }
}

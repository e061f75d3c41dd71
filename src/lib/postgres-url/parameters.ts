/** Values that a parameter may have, and the environment variable that stands in for it, as libpq names it. */
interface Parameter {
  readonly variable?: string;
  readonly oneOf?: readonly string[];
  readonly pattern?: RegExp;
  /** Describes the pattern in an error. */
  readonly must?: string;
}

/** Values of `sslmode`: from no encryption to a certificate that is checked in full. */
export const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
/** Kinds of server that a session may be on: the values of `target_session_attrs`. */
export const SESSION_KINDS = ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"] as const;
/** Versions of TLS. */
export const TLS_VERSIONS = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const;

/** Parameters that a URL may have: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS */
const PARAMETERS = {
  host: { variable: "PGHOST" },
  port: { variable: "PGPORT" },
  // The driver takes these two from their variables, or a password from ~/.pgpass.
  user: {},
  password: {},
  dbname: {},
  sslmode: { variable: "PGSSLMODE", oneOf: SSL_MODES },
  sslrootcert: { variable: "PGSSLROOTCERT" },
  sslcert: { variable: "PGSSLCERT" },
  sslkey: { variable: "PGSSLKEY" },
  sslpassword: {},
  sslcrl: { variable: "PGSSLCRL" },
  ssl_min_protocol_version: { variable: "PGSSLMINPROTOCOLVERSION", oneOf: TLS_VERSIONS },
  ssl_max_protocol_version: { variable: "PGSSLMAXPROTOCOLVERSION", oneOf: TLS_VERSIONS },
  // The driver cannot require it: it would not notice a server that does not ask for the password at all.
  channel_binding: { variable: "PGCHANNELBINDING", oneOf: ["disable", "prefer"] },
  // There is no GSS encryption here, which is what "prefer" falls back to.
  gssencmode: { variable: "PGGSSENCMODE", oneOf: ["disable", "prefer"] },
  target_session_attrs: { variable: "PGTARGETSESSIONATTRS", oneOf: SESSION_KINDS },
  application_name: { variable: "PGAPPNAME" },
  connect_timeout: {
    variable: "PGCONNECT_TIMEOUT",
    pattern: /^(?:[1-9]\d?|[1-5]\d\d|600)$/,
    must: "a whole number of seconds from 1 to 600",
  },
  options: { variable: "PGOPTIONS" },
} as const satisfies Record<string, Parameter>;

/** A parameter of a URL. */
type ParameterName = keyof typeof PARAMETERS;

/** Parameters that are set; an empty text is not set. */
export type Parameters = ReadonlyMap<ParameterName, string>;

const NAMES = Object.keys(PARAMETERS) as ParameterName[];

/**
 * Checks the parameters of a URL, and adds those of the environment that it does not set. Throws an Error that names a
 * parameter that is not known, or has no such value; the value itself never reaches it.
 */
export function readParameters(
  pairs: readonly (readonly [name: string, value: string])[],
  environment: NodeJS.ProcessEnv,
): Parameters {
  const parameters = new Map<ParameterName, string>();
  for (const name of NAMES) {
    const { variable }: Parameter = PARAMETERS[name];
    const value = variable === undefined ? undefined : environment[variable];
    if (variable !== undefined && value) parameters.set(name, checkValue(variable, PARAMETERS[name], value));
  }
  for (const [name, value] of pairs.map(translate)) {
    if (!isKnown(name)) {
      throw new Error(`the parameter '${name}' is not known here; the parameters are ${NAMES.join(", ")}`);
    }
    if (value !== "") parameters.set(name, checkValue(`the parameter '${name}'`, PARAMETERS[name], value));
  }
  return parameters;
}

/** Reads one of several values; the table has made sure that it is one. */
export function readOneOf<Value extends string>(values: readonly Value[], text: string | undefined) {
  return values.find((value) => value === text);
}

/** JDBC's spelling, which libpq takes too. */
function translate(pair: readonly [string, string]): readonly [string, string] {
  return pair[0] === "ssl" && pair[1] === "true" ? ["sslmode", "require"] : pair;
}

function isKnown(name: string): name is ParameterName {
  return Object.hasOwn(PARAMETERS, name);
}

function checkValue(name: string, { oneOf, pattern, must }: Parameter, value: string): string {
  if (oneOf !== undefined && !oneOf.includes(value)) throw new Error(`${name} must be one of ${oneOf.join(", ")}`);
  if (pattern !== undefined && !pattern.test(value)) throw new Error(`${name} must be ${must}`);
  return value;
}

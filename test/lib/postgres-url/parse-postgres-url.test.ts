import { describe, expect, it } from "vitest";
import { describePostgresServer, parsePostgresUrl } from "../../../src/lib/postgres-url/parse-postgres-url.ts";

const hostsOf = (url: string, environment: NodeJS.ProcessEnv = {}) =>
  parsePostgresUrl(url, environment).hosts.map(({ host, port }) => `${host} ${port}`);

describe("parsePostgresUrl()", () => {
  it("reads all that a URL may say", () => {
    const url =
      "postgresql://us%40er:p@ss:w%2Ford@h:5433/da%20ta?sslmode=verify-ca&sslrootcert=ca.crt&sslcert=c.crt&sslkey=c.key" +
      "&sslpassword=a%26b&sslcrl=c.crl&ssl_min_protocol_version=TLSv1.2&ssl_max_protocol_version=TLSv1.3" +
      "&channel_binding=disable&gssencmode=disable&target_session_attrs=primary&application_name=a+b&connect_timeout=7" +
      "&options=-c%20geqo%3Doff";
    expect(parsePostgresUrl(url, {})).toEqual({
      hosts: [{ host: "h", port: 5433 }],
      database: "da ta",
      user: "us@er",
      password: "p@ss:w/ord",
      tls: {
        mode: "verify-ca",
        rootCert: "ca.crt",
        cert: "c.crt",
        key: "c.key",
        password: "a&b",
        crl: "c.crl",
        minVersion: "TLSv1.2",
        maxVersion: "TLSv1.3",
      },
      sessionKind: "primary",
      channelBinding: false,
      applicationName: "a+b",
      connectTimeoutMs: 7000,
      options: "-c geqo=off",
    });
  });

  it.each([
    ["postgres:///d", ["localhost 5432"]],
    ["postgres://one,two:5433,[::1]:5434/d", ["one 5432", "two 5433", "::1 5434"]],
    ["postgres://one,two/d?port=5433", ["one 5433", "two 5433"]],
    ["postgres://ignored:1/d?host=one,two&port=5433,5434", ["one 5433", "two 5434"]],
    ["postgres://%2Frun%2Fpostgresql:5433/d", ["/run/postgresql 5433"]],
    ["postgres:///d?host=/run/postgresql", ["/run/postgresql 5432"]],
  ])("reads the hosts of %s", (url, hosts) => {
    expect(hostsOf(url)).toEqual(hosts);
  });

  it("takes what the URL leaves out from the environment, and nothing else", () => {
    const environment = {
      PGHOST: "far",
      PGPORT: "5433",
      PGSSLMODE: "require",
      PGAPPNAME: "reports",
      PGCONNECT_TIMEOUT: "",
    };
    expect(hostsOf("postgres:///d", environment)).toEqual(["far 5433"]);
    expect(hostsOf("postgres://h:1/d", environment)).toEqual(["h 1"]);
    const { tls, applicationName, connectTimeoutMs } = parsePostgresUrl("postgres://h/d?sslmode=disable", environment);
    expect([tls.mode, applicationName, connectTimeoutMs]).toEqual(["disable", "reports", undefined]);
    expect(() => parsePostgresUrl("postgres://h/d", { PGSSLMODE: "s3cret" })).toThrow(
      new Error("PGSSLMODE must be one of disable, allow, prefer, require, verify-ca, verify-full"),
    );
  });

  it.each([
    ["", "prefer"],
    ["?ssl=true", "require"],
    ["?sslrootcert=system", "verify-full"],
  ])("has with '%s' the mode %s", (query, mode) => {
    expect(parsePostgresUrl(`postgres://h/d${query}`, {}).tls.mode).toBe(mode);
  });

  const NAMES =
    "host, port, user, password, dbname, sslmode, sslrootcert, sslcert, sslkey, sslpassword, sslcrl, ssl_min_protocol_version, " +
    "ssl_max_protocol_version, channel_binding, gssencmode, target_session_attrs, application_name, connect_timeout, options";
  it.each([
    ["h/d?sslMode=require", `the parameter 'sslMode' is not known here; the parameters are ${NAMES}`],
    ["h/d?ssl=s3cret", `the parameter 'ssl' is not known here; the parameters are ${NAMES}`],
    ["h/d?channel_binding=require", "the parameter 'channel_binding' must be one of disable, prefer"],
    [
      "h/d?sslmode=no-verify",
      "the parameter 'sslmode' must be one of disable, allow, prefer, require, verify-ca, verify-full",
    ],
    ["h/d?connect_timeout=0", "the parameter 'connect_timeout' must be a whole number of seconds from 1 to 600"],
    ["h/d?connect_timeout=601", "the parameter 'connect_timeout' must be a whole number of seconds from 1 to 600"],
    ["h/d?sslmode", "has a parameter without a value: write NAME=VALUE"],
    ["h/d?sslmode=require&sslrootcert=system", "must have sslmode=verify-full with sslrootcert=system"],
    ["u:s3cret/word@h/d", "has a / or ? in its password: write them as %2F and %3F"],
    ["u:s3cret?word@h/d", "has a parameter without a value: write NAME=VALUE"],
    ["u:s3cret%word@h/d", "has a % without two hexadecimal digits after it: write it as %25"],
    ["h:0/d", "must have ports from 1 to 65535"],
    ["h:65536/d", "must have ports from 1 to 65535"],
    ["one,two,three/d?port=1,2", "must have one port, or one for each host"],
    ["h", "names no database: add one, such as .../attune"],
  ])("refuses postgresql://%s", (rest, message) => {
    expect(() => parsePostgresUrl(`postgresql://${rest}`, {})).toThrow(new Error(message));
  });
});

describe("describePostgresServer()", () => {
  it.each([
    ["postgres://u:s3cret@one:1,[::1]/d?sslpassword=s3cret", "postgresql://one:1,[::1]:5432/d"],
    ["postgres://u:s3cret@/d?host=/tmp", "postgresql:///d?host=/tmp:5432"],
  ])("shows %s without its secrets", (url, shown) => {
    expect(describePostgresServer(parsePostgresUrl(url, {}))).toBe(shown);
  });
});

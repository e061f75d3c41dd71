import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { parsePostgresUrl } from "../../../../src/lib/postgres-url/parse-postgres-url.ts";
import { clientOptions } from "../../../../src/store/database/orm.ts";
import { ServerSocket } from "../../../../src/store/database/postgres/server-socket.ts";
import { type PostgresServer, startPostgres } from "../../../support/postgres.ts";
import { certificate, portOf, startTlsPostgres } from "../../../support/tls-postgres.ts";

/** Connects as all connections of the store are made. Resolves to how it is encrypted, or to the error. */
async function connect(url: string): Promise<string> {
  const server = parsePostgresUrl(url, {});
  const client = new Client({ ...clientOptions(server), database: server.database });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    return rows[0].ssl ? "encrypted" : "plain";
  } catch (error) {
    return String(error);
  } finally {
    await client.end();
  }
}

const REFUSED_PLAIN = expect.stringMatching(/no pg_hba\.conf entry .*, no encryption$/);
const REFUSED_TLS = expect.stringMatching(/pg_hba\.conf rejects connection .*, SSL encryption$/);
const NO_TLS = expect.stringMatching(/the server doesn't support TLS, which sslmode=[a-z-]+ requires$/);
const UNKNOWN = expect.stringMatching(/self-signed certificate in certificate chain$/);
const WRONG_NAME = expect.stringMatching(/IP: 127\.0\.0\.1 is not in the cert's list/);
const NEEDS_ROOT = expect.stringMatching(/sslmode=[a-z-]+ needs sslrootcert=FILE, or sslrootcert=system$/);

/** As https://www.postgresql.org/docs/current/libpq-ssl.html says, and psql 15 does. */
const TABLE = [
  // sslmode, and then: its CA, wrong name, another CA, no CA, a database for both, one for plain text, a server without
  // TLS
  ["disable", REFUSED_PLAIN, REFUSED_PLAIN, REFUSED_PLAIN, REFUSED_PLAIN, "plain", "plain", "plain"],
  ["allow", "encrypted", "encrypted", REFUSED_PLAIN, "encrypted", "plain", "plain", "plain"],
  ["prefer", "encrypted", "encrypted", REFUSED_PLAIN, "encrypted", "encrypted", "plain", "plain"],
  ["require", "encrypted", "encrypted", UNKNOWN, "encrypted", "encrypted", REFUSED_TLS, NO_TLS],
  ["verify-ca", "encrypted", "encrypted", UNKNOWN, NEEDS_ROOT, "encrypted", REFUSED_TLS, NO_TLS],
  ["verify-full", "encrypted", WRONG_NAME, UNKNOWN, NEEDS_ROOT, "encrypted", REFUSED_TLS, NO_TLS],
] as const;

const AUTHORITY = `sslrootcert=${certificate("authority.crt")}`;

// TLS was asked for in the URL, and what was sent was plain text.
describe("connections to PostgreSQL with TLS", () => {
  let server: PostgresServer;
  let without: PostgresServer;
  let home: string;

  beforeAll(async () => {
    [server, without] = await Promise.all([startTlsPostgres(), startPostgres()]);
  });

  afterAll(() => Promise.all([server.stop(), without.stop()]));

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "attune-home-"));
    vi.stubEnv("HOME", home);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(home, { recursive: true });
  });

  const url = (
    parameters: string,
    { host = "localhost", database = "postgres", to = server, user = "postgres" } = {},
  ) => `postgresql://${user}@${host}:${portOf(to)}/${database}?connect_timeout=60&${parameters}`;

  it.each(TABLE)("does with sslmode=%s what libpq does", async (mode, ...expected) => {
    const parameters = `sslmode=${mode}&${AUTHORITY}`;
    const urls = [
      url(parameters),
      url(parameters, { host: "127.0.0.1" }),
      url(`sslmode=${mode}&sslrootcert=${certificate("other-authority.crt")}`),
      url(`sslmode=${mode}`),
      url(parameters, { database: "either" }),
      url(parameters, { database: "plain" }),
      url(parameters, { to: without }),
    ];
    const found: string[] = [];
    for (const each of urls) found.push(await connect(each));
    expect(found).toEqual(expected);
  });

  it("prefers TLS where nothing is said of it", async () => {
    expect([await connect(url("")), await connect(url("", { to: without }))]).toEqual(["encrypted", "plain"]);
  });

  it("takes the authority from ~/.postgresql where none is named, and then checks by it", async () => {
    mkdirSync(join(home, ".postgresql"));
    copyFileSync(certificate("other-authority.crt"), join(home, ".postgresql", "root.crt"));
    expect(await connect(url("sslmode=require"))).toEqual(UNKNOWN);
    copyFileSync(certificate("authority.crt"), join(home, ".postgresql", "root.crt"));
    expect(await connect(url("sslmode=verify-full"))).toBe("encrypted");
  });

  it("trusts with sslrootcert=system those whom the system trusts", async () => {
    expect(await connect(url("sslrootcert=system"))).toEqual(UNKNOWN);
  });

  it("refuses a certificate that was revoked, and versions of TLS that the server does not have", async () => {
    const revoked = `sslmode=verify-ca&${AUTHORITY}&sslcrl=${certificate("server-revoked.crl")}`;
    expect(await connect(url(revoked))).toMatch(/certificate revoked$/);
    expect(
      await connect(url("sslmode=require&ssl_max_protocol_version=TLSv1.1&ssl_min_protocol_version=TLSv1")),
    ).toMatch(/ConnectError: TLS: /);
  });

  it("names a file that cannot be read", async () => {
    expect(await connect(url("sslmode=require&sslrootcert=/nowhere.crt"))).toBe(
      "ConnectError: sslrootcert: the file cannot be read (ENOENT)",
    );
  });

  it("shows its own certificate to a server that asks for one", async () => {
    const to = { database: "certified" };
    const own = `sslmode=require&sslcert=${certificate("client.crt")}`;
    expect(await connect(url("sslmode=require", to))).toMatch(/connection requires a valid client certificate$/);
    expect(await connect(url(`${own}&sslkey=${certificate("client.key")}`, to))).toBe("encrypted");
    const locked = `${own}&sslkey=${certificate("encrypted-client.key")}`;
    expect(await connect(url(`${locked}&sslpassword=passphrase`, to))).toBe("encrypted");
    expect(await connect(url(`${locked}&sslpassword=s3cret`, to))).toMatch(/^ConnectError: TLS: (?!.*s3cret)/);
  });

  it("binds the password to the server's certificate", async () => {
    const read = vi.spyOn(ServerSocket.prototype, "getPeerCertificate");
    const to = { database: "password", user: "reader:s3cret" };
    expect(await connect(url("sslmode=require&channel_binding=disable", to))).toBe("encrypted");
    expect(read).not.toHaveBeenCalled();
    expect(await connect(url("sslmode=require", to))).toBe("encrypted");
    expect(read).toHaveBeenCalled();
  });

  // libpq does, and is let in.
  it("does not send a password in plain text that was refused over TLS", async () => {
    expect(await connect(url("sslmode=prefer", { database: "password", user: "reader:wrong-s3cret" }))).toBe(
      'error: password authentication failed for user "reader"',
    );
  });

  it("asks for no TLS on a Unix socket", async () => {
    const place = `host=${server.socketFolder}&port=${portOf(server)}&user=postgres`;
    expect(await connect(`postgresql:///postgres?sslmode=verify-full&${place}`)).toBe("plain");
  });

  it("takes nothing for the server's that came before TLS", async () => {
    const liar = createServer((socket) => socket.once("data", () => socket.write("Sinjected")));
    await new Promise<void>((done) => liar.listen(0, "127.0.0.1", done));
    const { port } = liar.address() as AddressInfo;
    expect(await connect(`postgresql://u@127.0.0.1:${port}/d?sslmode=require`)).toBe(
      "ConnectError: the server's answer to the request for TLS is not one letter",
    );
    await new Promise((done) => liar.close(done));
  });
});

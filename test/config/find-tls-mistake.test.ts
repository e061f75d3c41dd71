import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expiryProblem } from "../../src/config/find-tls-mistake.ts";
import { certificate } from "../support/tls-postgres.ts";
import { folder, load, useFolder } from "./harness.ts";

useFolder();

/** Loads a configuration whose TLS has these files. */
function loadTls(files: Readonly<Record<string, string>>) {
  for (const name of Object.values(files)) copyFileSync(certificate(name), join(folder, name));
  const members = Object.entries(files).map(([member, name]) => `${member}: "\${file:${name}}"`);
  return load(`server: { tls: { ${members.join(", ")} } }`);
}

const PAIR = { cert: "server.crt", key: "server.key" };

describe("server.tls", () => {
  it("has the texts of files", () => {
    const { server } = loadTls({ ...PAIR, clientCa: "authority.crt" });
    const text = (name: string) => readFileSync(certificate(name), "utf8").trim();
    expect(server.tls?.cert.trim()).toBe(text("server.crt"));
    expect(server.tls?.clientCa?.trim()).toBe(text("authority.crt"));
    expect(load("").server.tls).toBeUndefined();
  });

  it.each([
    [{ ...PAIR, key: "client.key" }, "server.tls.key is not the key of server.tls.cert: the two must be a pair"],
    [{ ...PAIR, key: "encrypted-client.key" }, "server.tls.key must be a key in PEM, without a passphrase"],
    [{ ...PAIR, key: "server.crt" }, "server.tls.key must be a key in PEM, without a passphrase"],
    [{ ...PAIR, cert: "server.key" }, "server.tls.cert must be a certificate in PEM"],
    [{ ...PAIR, clientCa: "client.key" }, "server.tls.clientCa must be a certificate in PEM"],
    [{ cert: "server.crt" }, "server.tls.key"],
  ])("names what is wrong with %j", (files, message) => {
    expect(() => loadTls(files)).toThrow(message);
    expect(() => loadTls(files)).not.toThrow("PRIVATE KEY");
  });

  it.each(["cert", "clientCa"])("names a certificate that is damaged behind the first of %s", (member) => {
    const [cert, key] = [certificate(PAIR.cert), certificate(PAIR.key)].map((file) => readFileSync(file, "utf8"));
    const damaged = `${cert}-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n`;
    const tls = JSON.stringify({ cert, key, [member]: damaged });
    expect(() => load(`server: { tls: ${tls} }`)).toThrow(`server.tls.${member} must be a certificate in PEM`);
    const short = JSON.stringify({ cert, key, [member]: damaged.slice(0, -30) });
    expect(() => load(`server: { tls: ${short} }`)).toThrow(`server.tls.${member} must be a certificate in PEM`);
  });

  it("is told to have expired, or to be of later", () => {
    const { server } = loadTls(PAIR);
    if (server.tls === undefined) throw new Error("there is no TLS");
    expect(expiryProblem(server.tls, new Date("2026-11-27"))).toBeUndefined();
    expect(expiryProblem(server.tls, new Date("2121-01-01"))).toContain("has expired on Jan  1 00:00:00 2120 GMT");
    expect(expiryProblem(server.tls, new Date("2019-01-01"))).toContain("is valid from Jan  1 00:00:00 2020 GMT on");
  });
});

describe("tls of an upstream", () => {
  const read = (name: string) => readFileSync(certificate(name), "utf8");
  const loadUpstream = (tls: Readonly<Record<string, string>>) =>
    load(`upstreams: { a: { kind: openai-chat, baseUrl: https://a.example/v1, tls: ${JSON.stringify(tls)} } }`);

  it("is taken with a pair and authorities, and named where it is wrong", () => {
    const pair = { cert: read("client.crt"), key: read("client.key") };
    const ca = read("authority.crt") + read("other-authority.crt");
    expect(loadUpstream({ ...pair, ca }).upstreams["a"]).toMatchObject({ tls: { ca: expect.any(String) } });
    expect(() => loadUpstream({ ...pair, key: read("server.key") })).toThrow(
      "upstreams.a.tls.key is not the key of upstreams.a.tls.cert: the two must be a pair",
    );
    expect(() => loadUpstream({ ca: read("client.key") })).toThrow("upstreams.a.tls.ca must be a certificate in PEM");
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";

const PACKAGING = join(import.meta.dirname, "..", "..", "packaging");

interface Platform {
  readonly variables: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** Reads where a platform starts Attune, and with which variables. */
function readPlatform(file: string, folder: RegExp, variables: RegExp): Platform {
  const text = readFileSync(join(PACKAGING, file), "utf8");
  const words = [...text.matchAll(variables)].flatMap(([, line = ""]) => line.split(" "));
  const pairs = words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)] as const);
  // The last stage of an image counts.
  const folders = [...text.matchAll(folder)].map(([, path = ""]) => path);
  return { variables: Object.fromEntries(pairs), folder: folders.at(-1) ?? "" };
}

const IMAGE = readPlatform("Dockerfile", /^WORKDIR (.+)$/gm, /^ENV (.+)$/gm);
const UNIT = readPlatform("attune.service", /^WorkingDirectory=(.+)$/gm, /^Environment=(.+)$/gm);

describe.each([
  ["the image", IMAGE, "/data"],
  ["the systemd unit", UNIT, "/var/lib/attune/data"],
])("%s", (_name, { variables, folder }, data) => {
  let place: string;

  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), "attune-config-"));
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  /** Loads what the platform would, from a file that has a text. */
  function load(text: string) {
    const file = join(place, "attune.yaml");
    writeFileSync(file, text);
    return loadConfig({ ...variables, ATTUNE_CONFIG: file }, place);
  }

  it("reads /etc/attune/attune.yaml, which says where the database is", () => {
    expect(variables["ATTUNE_CONFIG"]).toBe("/etc/attune/attune.yaml");
    const url = "postgresql://attune:secret@database:5432/attune";
    expect(load(`database: { url: "${url}" }\n`).database.url).toBe(url);
  });

  it("writes to its volume where the file says nothing", () => {
    const { database, spool } = load("# nothing\n");
    expect(resolve(folder, database.url.replace(/^sqlite:/, ""))).toBe(`${data}/attune.db`);
    expect(resolve(folder, spool.folder)).toBe(`${data}/spool`);
  });
});

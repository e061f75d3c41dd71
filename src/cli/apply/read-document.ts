import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Document, DocumentSchema } from "../../../gen/attune/admin/v1/document_pb.ts";
import { readSecret } from "../../config/load-config.ts";
import { ConfigError, type Mistake, type Path } from "../../config/mistake.ts";
import { type ProjectsFile, readProjects } from "../../config/read-projects.ts";
import { nameCleared } from "../../facade/administration/name-cleared.ts";
import { toCamelCase } from "../../lib/letter-case.ts";
import { hashKey, isKey } from "../../store/keys/key-format.ts";
import { toPublicId } from "../key-options.ts";
import { fail } from "../output.ts";
import { type JsonMembers, messageFromJson } from "./document-json.ts";

/** A file of projects, as the service takes it. */
export interface DocumentFile {
  readonly document: Document;
  /** Returns what is wrong at a place of the document, as a line that names the place in the file. */
  describe(place: string, problem: string): string;
}

/** Reads a file of projects, or with - standard input; ends the command with every mistake in it. */
export function readDocument(file: string): DocumentFile {
  const name = file === "-" ? "standard input" : file;
  try {
    const source = readFileSync(file === "-" ? 0 : file, "utf8");
    const references = { environment: process.env, readReferenced: (path: string) => readSecret(resolve(path)) };
    const read = readProjects(name, source, references);
    const document = messageFromJson(DocumentSchema, nameCleared(withHashes(name, read))) as Document;
    return { document, describe: (place, problem) => describe(name, read, { place, problem }) };
  } catch (thrown) {
    if (thrown instanceof ConfigError) fail(`${name} has mistakes\n${thrown.message}`);
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code === undefined) throw thrown;
    fail(`${name} cannot be read (${code})`);
  }
}

/** Returns what a file says, with ids and hashes in place of the secrets of keys. Throws ConfigError. */
function withHashes(name: string, { value, mistake }: ProjectsFile): JsonMembers {
  const mistakes: Mistake[] = [];
  const projects = listOf(value["projects"]).map((project, at) => ({
    ...project,
    keys: listOf(project["keys"]).map((key, position) => {
      const path = ["projects", at, "keys", position];
      const problem = secretProblem(key);
      if (problem !== undefined) mistakes.push(mistake([...path, problem.member], problem.message));
      return hashed(key);
    }),
  }));
  if (mistakes.length > 0) throw new ConfigError(name, mistakes);
  return { ...value, projects };
}

function listOf(value: unknown): readonly JsonMembers[] {
  return Array.isArray(value) ? value : [];
}

function secretProblem({ secret, id, hash }: JsonMembers): { member: string; message: string } | undefined {
  if (secret === undefined) {
    if (hash === undefined || id !== undefined) return undefined;
    return { member: "hash", message: "goes with id, the public id of the same key" };
  }
  if (id !== undefined || hash !== undefined)
    return { member: "secret", message: "has id and hash in it: leave them out" };
  if (isKey(String(secret))) return undefined;
  return { member: "secret", message: "must be a whole key: att_, 12 letters and digits, _ and at least 32 of them" };
}

function hashed({ secret, ...key }: JsonMembers): JsonMembers {
  if (secret === undefined) return key;
  const whole = String(secret);
  return { ...key, id: toPublicId(whole), hash: hashKey(whole) };
}

/** Names of places in requests are those of protos: document.projects[0].limits.usd_per_day. */
function describe(
  name: string,
  { mistake }: ProjectsFile,
  { place, problem }: { readonly place: string; readonly problem: string },
): string {
  if (!place.startsWith("document.")) return place === "" ? problem : `${place}: ${problem}`;
  const path: Path = [...place.slice("document.".length).matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, position]) =>
    position === undefined ? toCamelCase(step) : Number(position),
  );
  return new ConfigError(name, [mistake(path, problem)]).message;
}

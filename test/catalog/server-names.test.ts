import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SERVER_NAMES } from "../../src/catalog/server-facts.ts";

const SRC = join(import.meta.dirname, "..", "..", "src");

/** Files that compare with a word that is a server's name too and means something else, with that. */
const OTHER_MEANINGS: Readonly<Record<string, string>> = {
  "upstream/auth/create-signer.ts": "a type of credentials",
  "dashboard/features/datasets/dataset-export.ts": "a form of exports",
  "dashboard/features/datasets/training-example.ts": "a form of exports",
};

/** Imports read the names that other products have. */
const ROOMS = ["catalog/servers/", "imports/"];

const names = SERVER_NAMES.filter((name) => name !== "unknown").map((name) => name.replaceAll(".", "\\."));
const COMPARED = new RegExp(`(?:[!=]==|\\bcase)\\s*"(?:${names.join("|")})"|"(?:${names.join("|")})"\\s*[!=]==`);

describe("what is known of servers", () => {
  const files = globSync("**/*.{ts,tsx}", { cwd: SRC }).map((file) => file.replaceAll("\\", "/"));
  const comparing = files.filter(
    (file) => !ROOMS.some((room) => file.startsWith(room)) && COMPARED.test(readFileSync(join(SRC, file), "utf8")),
  );

  it("is found where a file branches on a name", () => {
    expect(
      ['if (name === "deepseek")', 'case "llama.cpp":', 'if ("vllm" !== name)'].every((code) => COMPARED.test(code)),
    ).toBe(true);
  });

  it("stands in the files of facts: no other file branches on a server's name", () => {
    expect(comparing.toSorted()).toEqual(Object.keys(OTHER_MEANINGS).toSorted());
  });
});

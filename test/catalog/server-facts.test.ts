import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FACT_ROUTES, ROUTES, UNKNOWN_SERVER } from "../../src/catalog/facts.ts";
import { findServer, findServerFacts, guessServer, SERVER_NAMES } from "../../src/catalog/server-facts.ts";

const folder = join(import.meta.dirname, "..", "..", "src", "catalog", "servers");

/** The facts of a server, by the routes that they are of. */
function factsByRoute(name: (typeof SERVER_NAMES)[number]) {
  const { facts, routes = {} } = findServer(name);
  return [["all", facts] as const, ...Object.entries(routes)];
}

describe("built-in servers", () => {
  it("are all files of their folder", () => {
    const files = readdirSync(folder).map((file) => file.replace(/\.ts$/, ""));
    const named = SERVER_NAMES.map((name) => name.replaceAll(".", "-"));
    expect(files.filter((file) => file !== "all").toSorted()).toEqual(named.toSorted());
  });

  it.each(SERVER_NAMES)("%s has a source for each fact, and no source without one", (name) => {
    const told = findServer(name).sources.flatMap(({ tells }) => tells);
    const facts = factsByRoute(name).flatMap(([, said]) => Object.keys(said));
    expect(new Set(told)).toEqual(new Set(facts));
    for (const { on, at, basis } of findServer(name).sources) {
      expect(on).toMatch(/^20\d\d-\d\d-\d\d$/);
      // Who says that a server was run says which version.
      if (basis === "run") expect(at).toMatch(/\d+\.\d+|b\d+/);
    }
  });

  it.each(SERVER_NAMES)("%s says nothing that an unknown server has too, and only what bears on a route", (name) => {
    for (const [route, said] of factsByRoute(name)) {
      for (const [fact, value] of Object.entries(said)) {
        if (route === "all") expect(UNKNOWN_SERVER).not.toHaveProperty(fact, value);
        else expect(FACT_ROUTES).toHaveProperty(fact, expect.arrayContaining([route]));
      }
    }
    for (const route of ROUTES) {
      expect(Object.keys(findServerFacts(name, route)).toSorted()).toEqual(Object.keys(UNKNOWN_SERVER).toSorted());
    }
  });

  it.each([
    ["ollama", "messages", ["reasoning.effort", "output_format"]],
    ["llama.cpp", "messages", ["output_format"]],
    ["llama.cpp", "responses", ["output_format"]],
    ["transformers", "chat", ["stop_sequences"]],
  ] as const)("%s ignores on %s what was seen to be ignored", (name, route, fields) => {
    expect(findServerFacts(name, route).ignored).toEqual(fields);
  });

  it("read a turn in its order, but for those that were seen to read its text before its results", () => {
    const others = SERVER_NAMES.filter((name) => !findServerFacts(name, "messages").mixesResults);
    expect(others.toSorted()).toEqual(["llama.cpp", "ollama"]);
  });

  it("take stream_options, but for those that were seen to refuse it", () => {
    const refusing = SERVER_NAMES.filter((name) => !findServerFacts(name, "chat").streamOptions);
    expect(refusing).toEqual(["mistral", "databricks"]);
  });

  it("say the same by the same word", () => {
    const ends = SERVER_NAMES.flatMap((name) =>
      factsByRoute(name).flatMap(([, { ends: said = {} }]) => Object.entries(said)),
    );
    for (const [word, end] of ends) expect(findServerFacts("unknown", "chat").ends).toHaveProperty(word, end);
  });

  it("are guessed from a host or what is below it, and from a port of any host", () => {
    expect(guessServer("https://api.mistral.ai/v1")).toBe("mistral");
    expect(guessServer("https://mistral.ai.example/v1")).toBe("unknown");
    expect(guessServer("https://max.ai/v1")).toBe("unknown");
    expect(guessServer("http://gpu-box:1234/v1")).toBe("lm-studio");
  });
});

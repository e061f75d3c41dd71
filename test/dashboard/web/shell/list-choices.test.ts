import { describe, expect, it } from "vitest";
import { listChoices } from "../../../../src/dashboard/web/shell/palette/list-choices.ts";

const FOUND = {
  pages: [
    { title: "Overview", to: "/projects/p/overview" },
    { title: "Models", to: "/projects/p/models" },
  ],
  shortcuts: [{ kind: "Action", label: "Create an API key", to: "/projects/p/keys?new" }] as const,
  docs: [{ label: "Cut cost at equal quality: cost", target: "cost" }],
  models: ["gpt-6-astra", "claude-haiku-5-5"],
  keys: [{ name: "production backend", publicId: "abc" }],
  history: "/projects/p/history",
  sessions: "/projects/p/sessions",
};

const list = (text: string, changes: Partial<typeof FOUND> = {}) =>
  listChoices(text, { ...FOUND, keys: [], ...changes }).map(({ kind, label, to }) => `${kind}: ${label} ${to}`);

describe("listChoices()", () => {
  it("lists pages before anything is typed", () => {
    expect(list(" ")).toEqual(["Page: Overview /projects/p/overview", "Page: Models /projects/p/models"]);
  });

  it("finds pages, models and keys by a part of their names, and a search last", () => {
    expect(list("ODE", { keys: FOUND.keys })).toEqual([
      "Page: Models /projects/p/models",
      "Key: production backend /projects/p/history?key=abc",
      "Search: Find “ODE” in History /projects/p/history?q=ODE",
    ]);
    expect(list("haiku")).toEqual([
      "Model: claude-haiku-5-5 /projects/p/history?model=claude-haiku-5-5",
      "Search: Find “haiku” in History /projects/p/history?q=haiku",
    ]);
  });

  it("finds what pages do, once something is typed", () => {
    expect(list("create")[0]).toBe("Action: Create an API key /projects/p/keys?new");
  });

  it("finds pages of the documentation by what they are for, and by their files", () => {
    const found = "Docs: Cut cost at equal quality: cost /docs/cost";
    expect([list("equal quality")[0], list("COST")[0]]).toEqual([found, found]);
  });

  it("opens the request of an id", () => {
    const id = "01900000-0000-7000-8000-00000000000a";
    expect(list(id.toUpperCase())[0]).toBe(`Request: Open the request ${id} /projects/p/history/${id}`);
  });

  it("opens the session of what may be one's id", () => {
    expect(list("run-7/a")).toEqual([
      "Search: Find “run-7/a” in History /projects/p/history?q=run-7%2Fa",
      "Session: Open the session run-7/a /projects/p/sessions/run-7%2Fa",
    ]);
    for (const text of ["zimtstern", "run 7", "-7"]) {
      expect(list(text).filter((choice) => choice.startsWith("Session"))).toEqual([]);
    }
  });

  it("has no history without a project", () => {
    const account = {
      pages: [{ title: "Account", to: "/account" }],
      shortcuts: [],
      docs: [],
      models: [],
      keys: [],
      history: undefined,
      sessions: undefined,
    };
    expect(listChoices("acc", account)).toEqual([{ kind: "Page", label: "Account", to: "/account" }]);
  });
});

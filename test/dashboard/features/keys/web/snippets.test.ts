import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { snippetsFor } from "../../../../../src/dashboard/features/keys/web/snippets.ts";
import { hasPython, runSnippet } from "../../../../support/run-snippet.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

const FACTS = { origin: "http://localhost:8080", key: "att_example", model: "attune/gpt-6-astra" };

describe("the first call of a new key", () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });

  afterAll(() => service.close());

  it.each(["curl", "TypeScript", ...(hasPython("openai") ? ["Python"] : [])])(
    "is answered with %s",
    async (language) => {
      const snippets = snippetsFor({ ...FACTS, origin: service.url, key: service.key });
      const { code = "" } = snippets.find((snippet) => snippet.language === language) ?? {};
      expect(await runSnippet(language, code)).toContain("You said: Hello");
    },
  );

  it("is written for curl and SDKs in three languages, with address, key and model", () => {
    const snippets = snippetsFor(FACTS);
    expect(snippets.map(({ language }) => language)).toEqual(["curl", "Python", "TypeScript", "Go"]);
    for (const { code } of snippets) {
      for (const fact of Object.values(FACTS)) expect(code).toContain(fact);
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { feedbackSnippets } from "../../../../../src/dashboard/features/feedback/web/feedback-snippets.ts";
import { hasPython, runSnippet } from "../../../../support/run-snippet.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";

describe("the snippets of the first feedback", () => {
  let service: TestService;
  let inferenceId: string;

  beforeAll(async () => {
    service = await startTestService();
    const body = JSON.stringify({ model: "attune/gpt-6-astra", input: "Hello" });
    const response = await fetch(`${service.url}/v1/responses`, { method: "POST", headers: service.headers, body });
    inferenceId = ((await response.json()) as { id: string }).id;
  });

  afterAll(() => service.close());

  it.each(["curl", "TypeScript", ...(hasPython("openai") ? ["Python"] : [])])(
    "call and send feedback with %s",
    async (language) => {
      const facts = { origin: service.url, model: "attune/gpt-6-astra", inferenceId };
      const { code = "" } = feedbackSnippets(facts).find((one) => one.language.startsWith(language)) ?? {};
      const stdout = await runSnippet(language, code, { ATTUNE_KEY: service.key });
      expect(stdout).toMatch(/["']?error["']?: ?(null|None)/);
    },
  );

  it("say where the id goes while there is none", () => {
    const [curl] = feedbackSnippets({ origin: "http://localhost:8080", model: "m", inferenceId: undefined });
    expect(curl?.code).toContain('"id": "ID OF AN ANSWER"');
  });
});

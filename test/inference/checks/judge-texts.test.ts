import { expect, it } from "vitest";
import type { TextToJudge } from "../../../src/inference/checks/check-thread.ts";
import { createJudge } from "../../../src/inference/checks/judge-texts.ts";

it("has each text judged by whom it is for, and says so in their order", async () => {
  const bySchema = (text: string): TextToJudge => ({ text, schemaJson: undefined, root: "any" });
  const byWebhook = (body: string): TextToJudge => {
    const webhook = { url: "http://h/", deadlineMs: 1, concurrency: 1, headers: {}, sendPrompt: false };
    return { webhook, body: () => body };
  };
  const asker = { projectId: "project", signal: new AbortController().signal };
  const askers: unknown[] = [];
  const judge = createJudge({
    bySchema: async (texts) => texts.map(({ text }) => (text === "1" ? "fits" : "invalid")),
    byWebhook: async (texts, given) => {
      askers.push(given);
      return texts.map(({ body }) => (body() === "a" ? "mismatch" : undefined));
    },
  });
  expect(await judge([byWebhook("a"), bySchema("1"), bySchema("2"), byWebhook("b")], asker)).toEqual([
    ...["mismatch", "fits", "invalid", undefined],
  ]);
  expect(askers).toEqual([asker]);
});

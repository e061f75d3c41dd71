import { actsAtProvider } from "../hub/request-traits.ts";
import { askedForm } from "../inference/checks/asked-form.ts";
import { checkAnswer } from "../inference/checks/check-answer.ts";
import type { JudgeTextsFor } from "../inference/checks/check-thread.ts";
import { askInBackground } from "../inference/run/ask-in-background.ts";
import { isReadable } from "../inference/run/triable-answer.ts";
import type { RunModels } from "../learning/dataset-runs/ports.ts";
import { Signer } from "../lib/signer.ts";
import { createShadowModels, type ModelResources } from "./create-trials.ts";

/** Creates the models that runs of datasets ask; `judge` holds answers against the form that was asked for. */
export function createRunModels(resources: ModelResources, judge: JudgeTextsFor): RunModels {
  const { catalog, signingKey } = resources;
  return {
    ...createShadowModels(resources),
    answer(planned, { input, projectId }, signal) {
      const prompt = { input, historyLength: 0, previousId: undefined, signer: new Signer(signingKey, projectId) };
      return askInBackground(prompt, { planned, streamed: false, projectId }, signal);
    },
    problemOf(input) {
      if (input.embedding !== undefined) return "it asks for embeddings";
      if (input.compact) return "it asks for a summary of its conversation";
      if (input.n > 1) return "it asks for several answers";
      if (actsAtProvider(input)) return "its provider does or keeps something for it";
      return isReadable(input) ? undefined : "it has pictures, files or state of its model";
    },
    async check(base, { input, response, projectId }, signal) {
      const form = askedForm(input, catalog.find(base)?.checks);
      const { failed } = await checkAnswer(response, form, (texts) => judge(texts, { projectId, signal }));
      return failed;
    },
  };
}

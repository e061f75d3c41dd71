import type { Asker, JudgeTextsFor, TextBySchema, TextByWebhook, TextJudgements, TextToJudge } from "./check-thread.ts";

/** The judges of an answer. */
export interface Judges {
  readonly bySchema: (texts: readonly TextBySchema[], asker: Asker) => Promise<TextJudgements>;
  readonly byWebhook: (texts: readonly TextByWebhook[], asker: Asker) => Promise<TextJudgements>;
}

/** Has each text judged by whom it is for. */
export function createJudge({ bySchema, byWebhook }: Judges): JudgeTextsFor {
  return async (texts, asker) => {
    const [some, others] = await Promise.all([
      bySchema(
        texts.flatMap((text) => (isByWebhook(text) ? [] : [text])),
        asker,
      ),
      byWebhook(texts.filter(isByWebhook), asker),
    ]);
    const [schemas, webhooks] = [some.values(), others.values()];
    return texts.map((text) => (isByWebhook(text) ? webhooks : schemas).next().value);
  };
}

function isByWebhook(text: TextToJudge): text is TextByWebhook {
  return "webhook" in text;
}

import type { JudgeTexts, TextBySchema, TextByWebhook, TextJudgements, TextToJudge } from "./check-thread.ts";

/** Who judges what. */
export interface Judges {
  readonly bySchema: (texts: readonly TextBySchema[]) => Promise<TextJudgements>;
  readonly byWebhook: (texts: readonly TextByWebhook[], signal: AbortSignal | undefined) => Promise<TextJudgements>;
}

/** Has each text judged by whom it is for. */
export function createJudge({ bySchema, byWebhook }: Judges): JudgeTexts {
  return async (texts, signal) => {
    const [some, others] = await Promise.all([
      bySchema(texts.flatMap((text) => (isByWebhook(text) ? [] : [text]))),
      byWebhook(texts.filter(isByWebhook), signal),
    ]);
    const [schemas, webhooks] = [some.values(), others.values()];
    return texts.map((text) => (isByWebhook(text) ? webhooks : schemas).next().value);
  };
}

function isByWebhook(text: TextToJudge): text is TextByWebhook {
  return "webhook" in text;
}

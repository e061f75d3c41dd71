import type { AnswerWebhook, CatalogModel } from "../../../catalog/model.ts";
import type { Asker, TextByWebhook, TextJudgements } from "../check-thread.ts";
import { WebhookCaller, type WebhookPorts } from "./webhook-caller.ts";

/** All webhooks that the models of a service are configured with. Those that are written alike are one. */
export class Webhooks {
  readonly #callers = new Map<AnswerWebhook, WebhookCaller>();

  constructor(models: readonly Pick<CatalogModel, "checks">[], ports: WebhookPorts) {
    const known = new Map<string, WebhookCaller>();
    for (const webhook of models.flatMap(({ checks = [] }) => checks.flatMap(({ webhook = [] }) => webhook))) {
      const key = JSON.stringify(webhook);
      const caller = known.get(key) ?? new WebhookCaller(webhook, ports);
      known.set(key, caller);
      this.#callers.set(webhook, caller);
    }
  }

  /**
   * Asks all at once whether answers pass; undefined where that is not found out within their deadlines. Never rejects.
   */
  readonly judge = (texts: readonly TextByWebhook[], asker: Asker): Promise<TextJudgements> =>
    Promise.all(texts.map(async ({ webhook, body }) => await this.#callers.get(webhook)?.judge(body, asker)));

  /** Ends what is under way. */
  async close(): Promise<void> {
    await Promise.all([...new Set(this.#callers.values())].map((caller) => caller.close()));
  }
}

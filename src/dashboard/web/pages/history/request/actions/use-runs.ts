import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../../../api/client.ts";
import { errorText } from "../../../../api/errors.ts";
import { type Exchange, newExchange, type PlaygroundRequest } from "../../../playground/exchange.ts";
import { NO_ANSWER } from "../../../playground/formats/answer.ts";
import type { JsonObject } from "../../../playground/formats/json.ts";
import type { PlaygroundModel } from "../../../playground/read-models.ts";
import { send } from "../../../playground/send.ts";
import { useRequestPlace } from "../use-request.ts";

/** A further call with the same request. */
export interface Run {
  readonly key: number;
  readonly model: string;
  readonly exchange: Exchange;
}

/** The model to ask; one without an id is that of the request. */
export type AskedModel = Pick<PlaygroundModel, "id" | "name">;

/** Marks such calls in the history, and has the chosen model answer, whatever was learned. */
const HEADERS = { "attune-tags": "dashboard=rerun", "attune-optimize": "off" };

/** Sends the request of the page again, to a model, as often as asked for; leaving the page stops what runs. */
export function useRuns() {
  const place = useRequestPlace();
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const start = useCallback(
    async (model: AskedModel) => {
      controller.current ??= new AbortController();
      const { signal } = controller.current;
      const key = Date.now();
      const change = (exchange: Exchange) =>
        setRuns((old) => [...old.filter((run) => run.key !== key), { key, model: model.name, exchange }]);
      const begun = { ...place, format: "chat", workload: "", body: {} } as const;
      change(newExchange(begun));
      try {
        await send(await readRequest(place, model), signal, change);
      } catch (error) {
        change({ ...newExchange(begun), state: "failed", answer: { ...NO_ANSWER, error: errorText(error) } });
      }
    },
    [place],
  );
  return { runs, start };
}

async function readRequest(
  place: { readonly projectId: string; readonly id: string },
  { id }: AskedModel,
): Promise<PlaygroundRequest> {
  const model = id === "" ? undefined : id;
  const { format, workload, text } = await api.history.asSent.query({ ...place, model });
  const body = JSON.parse(text) as JsonObject;
  return { projectId: place.projectId, format, workload, body, text, headers: HEADERS };
}

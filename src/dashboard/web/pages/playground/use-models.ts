import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../shell/session.ts";
import { arrayAt, at, textAt } from "./formats/json.ts";
import { playgroundUrl } from "./send.ts";

/** A model that can be called. */
export interface PlaygroundModel {
  readonly id: string;
  readonly name: string;
  /** chat, responses or messages: Messages takes only models of its own family. */
  readonly family: string;
  readonly purpose: string;
}

/** Reads the models that answer, from the public route too. */
export function useModels(isAllowed: boolean) {
  const { id } = useProject();
  return useQuery({
    queryKey: ["playground-models", id],
    queryFn: () => readModels(id),
    staleTime: 60_000,
    enabled: isAllowed,
  });
}

async function readModels(projectId: string): Promise<PlaygroundModel[]> {
  const response = await fetch(playgroundUrl(projectId, "/v1/models?limit=1000"));
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(textAt(body, "error", "message"));
  return arrayAt(body, "data")
    .filter((model) => at(model, "embeddings") !== true)
    .map((model) => ({
      id: textAt(model, "id"),
      name: textAt(model, "display_name"),
      family: textAt(model, "family"),
      purpose: textAt(model, "purpose"),
    }));
}

import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../../web/shell/session.ts";
import { textAt } from "./formats/json.ts";
import { type PlaygroundModel, readModels } from "./read-models.ts";
import { playgroundUrl } from "./send.ts";

/** Reads the models that answer, from the public route too. */
export function useModels(isAllowed: boolean) {
  const { id } = useProject();
  return useQuery({
    queryKey: ["playground-models", id],
    queryFn: () => askModels(id),
    staleTime: 60_000,
    enabled: isAllowed,
  });
}

async function askModels(projectId: string): Promise<PlaygroundModel[]> {
  const response = await fetch(playgroundUrl(projectId, "/v1/models?limit=1000"));
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(textAt(body, "error", "message"));
  return readModels(body);
}

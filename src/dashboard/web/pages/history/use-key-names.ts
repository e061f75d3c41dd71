import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { nameText } from "../../parts/name-text.ts";
import { useProject } from "../../shell/session.ts";

/** Returns what writes the public id of a key as people know it. */
export function useKeyNames(): (publicId: string) => string {
  const { id: projectId } = useProject();
  const keys = useQuery({
    queryKey: ["keys", projectId],
    queryFn: () => api.keys.list.query({ projectId }),
    staleTime: 60_000,
  });
  const names = new Map(keys.data?.map(({ publicId, name }) => [publicId, name]));
  return (publicId) => nameText(names.get(publicId) ?? publicId);
}

import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { trpc } from "../../../web/api/trpc.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { useProject } from "../../../web/shell/session.ts";
import type { ApiKey } from "./types.ts";

/** Returns what pauses an active key, and resumes a paused one: immediately, since either takes the other back. */
export function usePauseKey(): (key: Pick<ApiKey, "publicId" | "name" | "state">) => void {
  const { id: projectId } = useProject();
  const update = useMutation(trpc.keys.update.mutationOptions());
  return ({ publicId, name, state }) => {
    const paused = state !== "paused";
    update.mutate(
      { projectId, publicId, paused },
      {
        onSuccess: () => {
          const what = paused ? "paused: calls with it are refused within a second" : "active again";
          notifications.show({ color: "teal", message: `${nameText(name)} is ${what}` });
        },
      },
    );
  };
}

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconMessageCode } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api } from "../../../../api/client.ts";
import { useProject } from "../../../../shell/session.ts";
import { leaveDraft } from "../../../playground/use-draft.ts";
import { useRequestPlace } from "../use-request.ts";
import { toDraft } from "./to-draft.ts";

/** Opens the playground with the request. */
export function PlaygroundButton() {
  const project = useProject();
  const place = useRequestPlace();
  const navigate = useNavigate();
  const load = useMutation({
    mutationFn: async () => {
      const [own, chat] = await Promise.all([
        api.history.asSent.query(place),
        api.history.asSent.query({ ...place, format: "chat" }),
      ]);
      return toDraft(JSON.parse(chat.text), own.format, own.workload);
    },
    onSuccess: ({ draft, leftOut }) => {
      leaveDraft(project.id, draft);
      if (leftOut > 0) {
        const what = leftOut === 1 ? "One part is" : `${leftOut} parts are`;
        notifications.show({
          message: `${what} left out: the playground takes texts, and no pictures or tool results.`,
        });
      }
      void navigate(`/projects/${project.id}/playground`);
    },
  });
  return (
    <Button
      variant="default"
      loading={load.isPending}
      onClick={() => load.mutate()}
      leftSection={<IconMessageCode size={16} aria-hidden />}
    >
      Open in the playground
    </Button>
  );
}

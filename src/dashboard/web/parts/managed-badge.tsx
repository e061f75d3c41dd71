import { Badge } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Outputs, trpc } from "../api/trpc.ts";
import { useProject } from "../shell/session.ts";

type Managed = Outputs["managed"]["list"][number];

/** Labels what a file of `attune apply` manages: what is changed here is changed back by the next apply. */
export function ManagedBadge({ kind, name }: Managed) {
  const { id: projectId } = useProject();
  const managed = useQuery(
    trpc.managed.list.queryOptions(
      { projectId },
      { select: (items) => new Set(items.map((item) => `${item.kind} ${item.name}`)) },
    ),
  );
  if (!managed.data?.has(`${kind} ${name}`)) return null;
  return (
    <Badge
      variant="default"
      size="sm"
      tt="none"
      fw={500}
      style={{ flexShrink: 0 }}
      title="Managed by a file of attune apply: the next apply reverts changes made here"
    >
      Managed by apply
    </Badge>
  );
}

import { Badge } from "@mantine/core";

const COLORS: Readonly<Record<string, string>> = { completed: "teal.9", failed: "red.9", canceled: "gray.7" };

interface Props {
  readonly status: string;
  /** Why it failed. */
  readonly reason?: string | null | undefined;
}

/** The outcome of a request. */
export function StatusBadge({ status, reason }: Props) {
  const words = reason?.replaceAll("_", " ");
  return (
    <Badge variant="filled" color={COLORS[status] ?? "gray.7"} size="sm" tt="none" fw={500}>
      {status === "failed" && words !== undefined ? `failed: ${words}` : status}
    </Badge>
  );
}

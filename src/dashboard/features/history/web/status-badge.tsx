import { Badge, Group, Text } from "@mantine/core";

interface Props {
  readonly status: string;
  /** Why it failed. */
  readonly reason?: string | null | undefined;
}

/** The outcome of a request: a quiet dot, or a badge where it failed or was canceled. */
export function StatusBadge({ status, reason }: Props) {
  if (status === "completed") return <Quiet text={status} />;
  const words = reason?.replaceAll("_", " ");
  const isFailed = status === "failed";
  return (
    <Badge variant="filled" color={isFailed ? "red.9" : "gray.7"} size="sm">
      {isFailed && words !== undefined ? `failed: ${words}` : status}
    </Badge>
  );
}

function Quiet({ text }: { readonly text: string }) {
  return (
    <Group component="span" gap={6} wrap="nowrap" display="inline-flex">
      <span
        aria-hidden
        style={{ flex: "none", width: 8, height: 8, borderRadius: "50%", background: "var(--attune-good)" }}
      />
      <Text span fz="xs" c="dimmed" className="attune-capital">
        {text}
      </Text>
    </Group>
  );
}

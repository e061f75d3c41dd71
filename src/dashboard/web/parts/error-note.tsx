import { Alert, Button, Group } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { errorText } from "../api/errors.ts";

interface Props {
  /** Nothing is shown where there is none. */
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Says what went wrong, where it went wrong. */
export function ErrorNote({ error, onRetry }: Props) {
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} aria-hidden />} role="alert">
      <Group justify="space-between">
        {errorText(error)}
        {onRetry !== undefined && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconKeyOff } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { trpc } from "../../../api/trpc.ts";
import { useProject } from "../../../shell/session.ts";

/** Lists whose playground key was revoked, and takes that back. Nothing is shown where there is nobody. */
export function RevokedPart() {
  const { id: projectId } = useProject();
  const revoked = useQuery(trpc.playground.revoked.queryOptions({ projectId }));
  const allow = useMutation(
    trpc.playground.allow.mutationOptions({ meta: { changes: [trpc.playground.revoked.pathFilter()] } }),
  );
  if (revoked.data === undefined || revoked.data.length === 0) return null;
  return (
    <Alert color="gray" icon={<IconKeyOff size={18} aria-hidden />} title="Revoked playground keys">
      <Stack gap="xs">
        {revoked.data.map(({ userId, email }) => (
          <Group key={userId} justify="space-between">
            <Text fz="sm">{email} cannot call from here.</Text>
            <Button
              size="compact-sm"
              variant="default"
              loading={allow.isPending}
              onClick={() => allow.mutate({ projectId, userId })}
              aria-label={`Allow again: ${email}`}
            >
              Allow again
            </Button>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

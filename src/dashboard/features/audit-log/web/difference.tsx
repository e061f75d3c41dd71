import { Box, Stack, Text } from "@mantine/core";
import type { Outputs } from "../../../web/api/trpc.ts";
import { writeChange } from "./write-change.ts";

type AuditEntry = Outputs["auditLog"]["list"]["entries"][number];

/** Shows what a change changed, a member a line: what it was is struck through. */
export function Difference({ before, after }: Pick<AuditEntry, "before" | "after">) {
  return (
    <Stack gap={2} maw={560} miw={150}>
      {writeChange(before, after).map(({ label, from, to }, at) => (
        // Limits share their label, and the list never changes.
        // biome-ignore lint/suspicious/noArrayIndexKey: a change of the past has its members in one order
        <Text key={at} fz="xs" span style={{ overflowWrap: "anywhere" }}>
          <Box component="span" c="dimmed">
            {label}:{" "}
          </Box>
          {from !== undefined && <del>{from}</del>}{" "}
          {to !== undefined && <ins style={{ textDecoration: "none" }}>{to}</ins>}
        </Text>
      ))}
    </Stack>
  );
}

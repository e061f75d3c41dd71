import { Box, Stack, Text } from "@mantine/core";
import type { Outputs } from "../../api/trpc.ts";
import { writeLimit } from "../../parts/limits-draft.ts";
import { nameText } from "../../parts/name-text.ts";

type AuditEntry = Outputs["auditLog"]["list"]["entries"][number];

/** Longest text of a value; the export has all of it. */
const MOST_CHARACTERS = 120;

/** Shows what a change changed, a member a line: what it was is struck through. */
export function Difference({ before, after }: Pick<AuditEntry, "before" | "after">) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <Stack gap={2} maw={420} miw={180}>
      {names.map((name) => {
        const [from, to] = [before?.[name], after?.[name]].map((value) => writeLimit(name, value) ?? writeValue(value));
        if (from === undefined && to === undefined) return null;
        const isLimit = [before, after].some((state) => writeLimit(name, state?.[name]) !== undefined);
        return (
          <Text key={name} fz="xs" span style={{ overflowWrap: "anywhere" }}>
            <Box component="span" c="dimmed">
              {isLimit ? "limit" : nameText(name)}:{" "}
            </Box>
            {from !== undefined && <del>{from}</del>}{" "}
            {to !== undefined && <ins style={{ textDecoration: "none" }}>{to}</ins>}
          </Text>
        );
      })}
    </Stack>
  );
}

function writeValue(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return nameText(text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…`);
}

import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { formatAgo, formatTime } from "../../parts/format.ts";
import { nameText } from "../../parts/name-text.ts";
import { useProject } from "../../shell/session.ts";
import { describeEvent } from "../workloads/one/event-description.ts";
import type { Errors } from "./use-errors.ts";

type Change = Errors["changes"][number];

/** Changes that are shown: the latest. */
const MOST = 8;

/** Lists changes in the project in this time: often the cause of a failure. */
export function ChangesPart({ changes }: { readonly changes: readonly Change[] | undefined }) {
  const { id: projectId } = useProject();
  if (changes === undefined || changes.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Changed at that time" className="attune-card" p="md">
      <Title order={2} size="h5">
        Changed at that time
      </Title>
      {changes.slice(0, MOST).map((change) => {
        const { title, path } = describe(change);
        return (
          <Text key={`${change.at} ${change.kind} ${change.name}`} fz="sm">
            <Text span inherit c="dimmed" title={formatTime(change.at)}>
              {formatAgo(change.at)}
            </Text>
            {" · "}
            <Anchor component={Link} to={`/projects/${projectId}/${path}`} fz="sm">
              {title}
            </Anchor>
          </Text>
        );
      })}
      {changes.length > MOST && (
        <Text fz="sm" c="dimmed">
          and {changes.length - MOST} more
        </Text>
      )}
    </Stack>
  );
}

function describe({ kind, name, detail }: Change): { readonly title: string; readonly path: string } {
  if (kind === "key-created") return { title: `Key ${nameText(name)} created`, path: "keys" };
  if (kind === "key-revoked") return { title: `Key ${nameText(name)} revoked`, path: "keys" };
  const { title } = describeEvent({ kind, detail, isOfProject: name === "" });
  const path = name === "" ? "workloads" : `workloads/${encodeURIComponent(name)}`;
  return { title: name === "" ? title : `${nameText(name)}: ${title}`, path };
}

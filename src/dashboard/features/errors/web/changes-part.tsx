import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { formatAgo, formatTime } from "../../../web/parts/format.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { useProject } from "../../../web/shell/session.ts";
import { describeEvent } from "../../workloads/web/one/event-description.ts";
import type { Errors } from "./types.ts";

type Change = Errors["changes"][number];

/** Changes that are shown: the latest. */
const MOST = 8;

/** Lists changes in the project in this time: often the cause of a failure. */
export function ChangesPart({ changes }: { readonly changes: readonly Change[] | undefined }) {
  const { id: projectId } = useProject();
  if (changes === undefined || changes.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Changes in this period" className="attune-card" p="md">
      <Title order={2} size="h5">
        Changes in this period
      </Title>
      {changes.slice(0, MOST).map((change) => {
        const { title, path } = describe(change);
        return (
          <Text key={`${change.at} ${change.kind} ${change.name}`} fz="sm">
            <Text span inherit c="dimmed" title={formatTime(change.at)}>
              {formatAgo(change.at)}
            </Text>
            {" · "}
            {path === undefined ? (
              title
            ) : (
              <Anchor component={Link} to={`/projects/${projectId}/${path}`} fz="sm">
                {title}
              </Anchor>
            )}
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

/** The verbs of changes of keys. */
const KEY_VERBS: Readonly<Record<string, string>> = {
  "key-created": "created",
  "key-revoked": "revoked",
  "keys.update": "changed",
  "keys.rotate": "rotated",
  "keys.pause": "paused",
  "keys.resume": "resumed",
};

interface Description {
  readonly title: string;
  /** Its page in the project; undefined where it has none. */
  readonly path?: string;
}

function describe({ kind, name, detail }: Change): Description {
  const verb = KEY_VERBS[kind];
  if (verb !== undefined) return { title: `Key ${nameText(name)} ${verb}`, path: "keys" };
  if (kind === "quotas.set") return { title: `Limits of ${nameText(name)} changed`, path: "limits" };
  if (kind === "projectSettings.set") return { title: "Settings of the project changed", path: "settings" };
  if (kind === "configuration.serve") return { title: describeServed(detail) };
  const { title } = describeEvent({ kind, detail, isOfProject: name === "" });
  const path = name === "" ? "workloads" : `workloads/${encodeURIComponent(name)}`;
  return { title: name === "" ? title : `${nameText(name)}: ${title}`, path };
}

/** Says which version serves since then, and which sections of the configuration are others. */
function describeServed({ version, changed }: Change["detail"]): string {
  const sections = Array.isArray(changed) ? changed.join(", ") : "";
  return `Attune ${String(version)} started${sections === "" ? "" : ` with other settings: ${sections}`}`;
}

import { Alert, Radio, Stack } from "@mantine/core";
import { IconShieldLock } from "@tabler/icons-react";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { type Edited, ProjectSetting } from "../../../web/parts/project-setting.tsx";

type Bodies = Outputs["projectSettings"]["read"]["bodies"];

const CHOICES: readonly { readonly value: Bodies; readonly label: string; readonly text: string }[] = [
  { value: "full", label: "Keep", text: "Full requests and answers are stored." },
  {
    value: "redacted",
    label: "Redact texts",
    text: "Roles, tool names and text lengths are stored; texts and files are not.",
  },
  { value: "none", label: "Off", text: "Only facts are stored: model, tokens, cost, times, status." },
];

function writeLabel(bodies: Bodies | undefined): string {
  return `Texts: ${CHOICES.find(({ value }) => value === bodies)?.label.toLowerCase() ?? "…"}`;
}

/** Shows, and lets owners set, what is kept of requests and answers. */
export function BodiesSetting() {
  return (
    <ProjectSetting
      title="Storage of requests and answers"
      icon={<IconShieldLock size={16} aria-hidden />}
      label={writeLabel}
      read={({ bodies }) => bodies}
      operation={trpc.projectSettings.setBodies.mutationOptions()}
      toInput={(projectId, bodies) => ({ projectId, bodies })}
      note="Stored texts stay until they are deleted or expire."
    >
      {(edited) => <BodiesChoice {...edited} />}
    </ProjectSetting>
  );
}

function BodiesChoice({ value: bodies, mayChange, onChange }: Edited<Bodies>) {
  return (
    <>
      <Radio.Group
        value={bodies}
        onChange={(value) => onChange(CHOICES.find((choice) => choice.value === value)?.value ?? bodies)}
        label="From now on, in this project"
      >
        <Stack gap="sm" mt="xs">
          {CHOICES.map(({ value, label, text }) => (
            <Radio key={value} value={value} label={label} description={text} disabled={!mayChange} />
          ))}
        </Stack>
      </Radio.Group>
      {bodies !== "full" && (
        <Alert color="indigo" title="Responses can't be stored then">
          Without their texts, <code>previous_response_id</code> and <code>GET /v1/responses/…</code> don't work for
          later requests: clients have to send the whole conversation. You can't search their texts either.
        </Alert>
      )}
    </>
  );
}

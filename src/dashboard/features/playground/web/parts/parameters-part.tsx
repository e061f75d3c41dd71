import { Accordion, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { FORMATS } from "../formats/formats.ts";
import type { DraftErrors } from "../formats/settings.ts";
import type { PartProps } from "./part-props.ts";

interface Props extends PartProps {
  readonly errors: DraftErrors;
}

const TOOLS_EXAMPLE =
  `[{ "name": "get_weather", "parameters": { "type": "object", "properties": { "city": { "type": "string" } } ` +
  "} }]";
const SCHEMA_EXAMPLE = `{ "type": "object", "properties": { "city": { "type": "string" } } }`;

/** Sets the parameters that matter most; an empty one is not sent. */
export function ParametersPart({ draft, change, errors }: Props) {
  return (
    <Accordion variant="contained" radius="md" className="attune-card" order={2}>
      <Accordion.Item value="parameters" bd={0} bg="transparent">
        <Accordion.Control fz="sm" fw={500}>
          Parameters, tools, output schema
        </Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <Figures draft={draft} change={change} errors={errors} />
            <JsonField
              label="Tools"
              description="JSON: functions with name, description and parameters"
              placeholder={TOOLS_EXAMPLE}
              value={draft.tools}
              error={errors.tools}
              onChange={(tools) => change({ tools })}
            />
            <JsonField
              label="Output schema"
              description="JSON schema that the answer has to follow"
              placeholder={SCHEMA_EXAMPLE}
              value={draft.schema}
              error={errors.schema}
              onChange={(schema) => change({ schema })}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function Figures({ draft, change, errors }: Props) {
  return (
    <SimpleGrid cols={2} spacing="sm">
      <TextInput
        label="Most tokens"
        description="of the answer"
        inputMode="numeric"
        value={draft.maxTokens}
        error={errors.maxTokens}
        onChange={({ currentTarget }) => change({ maxTokens: currentTarget.value })}
      />
      <TextInput
        label="Temperature"
        description="0 to 2"
        placeholder="the model's own"
        inputMode="decimal"
        value={draft.temperature}
        error={errors.temperature}
        onChange={({ currentTarget }) => change({ temperature: currentTarget.value })}
      />
      <NativeSelect
        label="Reasoning effort"
        value={draft.effort}
        onChange={({ currentTarget }) => change({ effort: currentTarget.value })}
        data={[{ value: "", label: "the model's own" }, ...FORMATS[draft.format].efforts]}
      />
      <TextInput
        label="Workload"
        placeholder="none"
        value={draft.workload}
        maxLength={256}
        onChange={({ currentTarget }) => change({ workload: currentTarget.value })}
      />
    </SimpleGrid>
  );
}

interface JsonFieldProps {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function JsonField({ onChange, ...props }: JsonFieldProps) {
  return (
    <Textarea
      {...props}
      autosize
      minRows={2}
      maxRows={14}
      spellCheck={false}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8rem" } }}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

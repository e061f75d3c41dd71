import { Box, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { nameText } from "../../../../web/parts/name-text.ts";
import type { FormatName } from "../draft.ts";
import { FORMATS } from "../formats/formats.ts";
import type { PlaygroundModel } from "../read-models.ts";
import type { PartProps } from "./part-props.ts";

interface Props extends PartProps {
  /** Undefined while they are on their way. */
  readonly models: readonly PlaygroundModel[] | undefined;
}

/** Says what a model is good for, and which format is its own; the others are translated. */
function describe({ purpose, family }: PlaygroundModel): string {
  const own = Object.hasOwn(FORMATS, family) ? `Its own format: ${FORMATS[family as FormatName].label}.` : "";
  return [purpose.replace(/([^.])$/, "$1."), own].filter(Boolean).join(" ");
}

/** Chooses the format and the model. */
export function ModelPart({ draft, change, models = [] }: Props) {
  const chosen = models.find(({ id }) => id === draft.model);
  // What a draft was left with may be gone from the catalog; the service then says so.
  const unknown = chosen === undefined ? [{ value: draft.model, label: nameText(draft.model) }] : [];
  const setFormat = (format: FormatName) => {
    change({ format, effort: FORMATS[format].efforts.includes(draft.effort) ? draft.effort : "" });
  };
  return (
    <Stack gap="sm" className="attune-card" p="md">
      <Box>
        <Text component="div" fz="sm" fw={600} mb={4} id="playground-format">
          Format
        </Text>
        <SegmentedControl
          fullWidth
          aria-labelledby="playground-format"
          value={draft.format}
          onChange={(format) => setFormat(format as FormatName)}
          data={Object.entries(FORMATS).map(([value, { label }]) => ({ value, label }))}
        />
      </Box>
      <Select
        label="Model"
        description={chosen && describe(chosen)}
        inputWrapperOrder={["label", "input", "description"]}
        data={[...unknown, ...models.map(({ id, name }) => ({ value: id, label: name || id }))]}
        value={draft.model}
        onChange={(model) => model !== null && change({ model })}
        allowDeselect={false}
        searchable
        nothingFoundMessage="No model of this name"
      />
    </Stack>
  );
}

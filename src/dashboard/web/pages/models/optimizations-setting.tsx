import { Switch } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { api } from "../../api/client.ts";
import { type Edited, ProjectSetting } from "../../parts/project-setting.tsx";

type Name = Parameters<typeof api.projectSettings.setOptimizations.mutate>[0]["off"][number];

const CHOICES: Record<Name, { readonly label: string; readonly text: string }> = {
  choice: {
    label: "Choice of deployments",
    text: "Of a model's deployments the better one is asked: by speed, load, price and what its cache holds.",
  },
  failover: { label: "Failover", text: "The next deployment is asked where one fails before its answer began." },
  hedging: { label: "Hedging", text: "A second deployment is asked where the first is slow to begin a stream." },
  coalescing: {
    label: "Shared answers",
    text: "Identical requests at temperature 0 or with a seed that come at the same time are one call.",
  },
  cacheMarks: {
    label: "Cache marks",
    text: "Prompts that are likely to come again are marked for the caches of the Messages format.",
  },
  cacheKeys: {
    label: "Cache keys",
    text: "Prompts that begin alike have one key for the caches of the OpenAI formats.",
  },
  responseCache: {
    label: "Kept answers",
    text: "Identical requests at temperature 0 or with a seed are answered with what was answered before, for models that are configured so.",
  },
  checkedRetry: {
    label: "Retry by check",
    text: "Where an answer is not the JSON or the tool calls that were asked for, the model is asked once more, for models that are configured so.",
  },
};
const NAMES = Object.keys(CHOICES) as Name[];

function labelOf(off: readonly Name[] | undefined): string {
  return `Optimisations: ${off === undefined ? "…" : off.length === 0 ? "as configured" : `${off.length} off`}`;
}

/** Shows, and lets owners set, what may be done to answer the project's calls cheaper and faster with the same model. */
export function OptimizationsSetting() {
  return (
    <ProjectSetting
      title="Cheaper and faster, with the same model"
      icon={<IconBolt size={16} aria-hidden />}
      label={labelOf}
      read={({ optimizationsOff }) => NAMES.filter((name) => optimizationsOff.includes(name))}
      save={(projectId, off: readonly Name[]) =>
        api.projectSettings.setOptimizations.mutate({ projectId, off: [...off] })
      }
      note={
        <>
          What is on goes by the configuration of each model, and a call with <code>attune-optimize: off</code> has
          none.
        </>
      }
    >
      {(edited) => <Switches {...edited} />}
    </ProjectSetting>
  );
}

function Switches({ value: off, isOwner, onChange }: Edited<readonly Name[]>) {
  const change = (name: Name, isOn: boolean) =>
    onChange(NAMES.filter((each) => (each === name ? !isOn : off.includes(each))));
  return NAMES.map((name) => (
    <Switch
      key={name}
      label={CHOICES[name].label}
      description={CHOICES[name].text}
      checked={!off.includes(name)}
      disabled={!isOwner}
      onChange={(event) => change(name, event.currentTarget.checked)}
    />
  ));
}

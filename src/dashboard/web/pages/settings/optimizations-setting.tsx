import { Switch } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { type Inputs, trpc } from "../../api/trpc.ts";
import { type Edited, ProjectSetting } from "../../parts/project-setting.tsx";

type Name = Inputs["projectSettings"]["setOptimizations"]["off"][number];

const CHOICES: Record<Name, { readonly label: string; readonly text: string }> = {
  choice: {
    label: "Choice of deployments",
    text: "Attune chooses among a model's deployments by speed, load, price and cached prompts.",
  },
  failover: { label: "Failover", text: "Attune asks the next deployment when one fails before its answer begins." },
  hedging: { label: "Hedging", text: "Attune asks a second deployment when the first is slow to begin a stream." },
  coalescing: {
    label: "Coalescing",
    text: "Identical simultaneous requests at temperature 0 or with a seed share one call.",
  },
  cacheMarks: {
    label: "Cache marks",
    text: "Attune marks prompts that are likely to repeat for the prompt caches of the Messages format.",
  },
  cacheKeys: {
    label: "Cache keys",
    text: "Prompts with the same beginning get one cache key in the OpenAI formats.",
  },
  responseCache: {
    label: "Response cache",
    text:
      "Identical requests at temperature 0 or with a seed get an earlier answer from the cache, for models " +
      "with responseCache.",
  },
  checkedRetry: {
    label: "Checked retry",
    text:
      "Attune asks the model once more when an answer fails its checks (JSON, tool calls), for models with " +
      "checkedRetry.",
  },
};
const NAMES = Object.keys(CHOICES) as Name[];

function writeLabel(off: readonly Name[] | undefined): string {
  return `Optimisations: ${off === undefined ? "…" : off.length === 0 ? "as configured" : `${off.length} off`}`;
}

/**
 * Shows, and lets owners set, what may be done to answer the project's calls cheaper and faster with the same model.
 */
export function OptimizationsSetting() {
  return (
    <ProjectSetting
      title="Cheaper and faster, with the same model"
      icon={<IconBolt size={16} aria-hidden />}
      label={writeLabel}
      read={({ optimizationsOff }): readonly Name[] => NAMES.filter((name) => optimizationsOff.includes(name))}
      operation={trpc.projectSettings.setOptimizations.mutationOptions()}
      toInput={(projectId, off) => ({ projectId, off: [...off] })}
      note={
        <>
          Each model's configuration applies to what is on. A call with <code>attune-optimize: off</code> uses none of
          these.
        </>
      }
    >
      {(edited) => <Switches {...edited} />}
    </ProjectSetting>
  );
}

function Switches({ value: off, mayChange, onChange }: Edited<readonly Name[]>) {
  const change = (name: Name, isOn: boolean) =>
    onChange(NAMES.filter((each) => (each === name ? !isOn : off.includes(each))));
  return NAMES.map((name) => (
    <Switch
      key={name}
      label={CHOICES[name].label}
      description={CHOICES[name].text}
      checked={!off.includes(name)}
      disabled={!mayChange}
      onChange={(event) => change(name, event.currentTarget.checked)}
    />
  ));
}

import { Switch } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { type Inputs, trpc } from "../../../web/api/trpc.ts";
import { type Edited, ProjectSetting } from "../../../web/parts/project-setting.tsx";

type Name = Inputs["projectSettings"]["setOptimizations"]["off"][number];

const CHOICES: Record<Name, { readonly label: string; readonly text: string }> = {
  choice: {
    label: "Pick the best deployment",
    text: "Chooses by speed, load, price and cached prompts (choice).",
  },
  failover: {
    label: "Fail over to another deployment",
    text: "Asks the next deployment when one fails before its answer begins (failover).",
  },
  hedging: {
    label: "Ask a second deployment when one is slow",
    text: "Starts a second stream if the first is slow to begin, and uses the faster one (hedging).",
  },
  coalescing: {
    label: "Share identical requests",
    text: "Identical simultaneous requests at temperature 0 or with a seed share one call (coalescing).",
  },
  cacheMarks: {
    label: "Mark repeated prompts for caching",
    text: "Adds cache marks of the Messages format to prompts that are likely to repeat (cacheMarks).",
  },
  cacheKeys: {
    label: "Send cache keys",
    text: "Gives prompts with the same beginning one cache key in the OpenAI formats (cacheKeys).",
  },
  flexTier: {
    label: "Ask in the flex tier",
    text: "Improvements ask in the cheaper and slower tier of upstreams that have one (flexTier).",
  },
  responseCache: {
    label: "Reuse earlier answers",
    text:
      "Answers identical requests at temperature 0 or with a seed from a cache, for models configured with " +
      "responseCache.",
  },
  checkedRetry: {
    label: "Retry answers that fail checks",
    text:
      "Asks the model once more if an answer fails its JSON or tool checks, for models configured with " +
      "checkedRetry.",
  },
};
const NAMES = Object.keys(CHOICES) as Name[];

function writeLabel(off: readonly Name[] | undefined): string {
  return `Optimizations: ${off === undefined ? "…" : off.length === 0 ? "as configured" : `${off.length} off`}`;
}

/**
 * Shows, and lets owners set, what may be done to answer the project's calls cheaper and faster with the same model.
 */
export function OptimizationsSetting() {
  return (
    <ProjectSetting
      title="Failover, hedging and caches"
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

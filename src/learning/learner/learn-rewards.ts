import { learn } from "../bandit/learn.ts";
import type { FeedbackEvent } from "../events.ts";
import type { FeedbackTarget, HistoryEvent } from "../ports.ts";
import { earlierInSession, listEarlier, type RewardContext, weighValue } from "./answer-values.ts";
import { draftRewards, type RewardDraft } from "./draft-rewards.ts";
import { combineWorths, type Worth, weigh, worthNow } from "./metric-settings.ts";
import type { VotedReward } from "./rater-votes.ts";
import { LEAST_VOICE, type Voice } from "./voices.ts";
import type { WorkloadModel } from "./workload-model.ts";

/** Values of a reward that are kept with its vote: those of the most used metrics. */
const MOST_VOTED = 4;

/** The worths of a group's values in a workload, by their ids; a value that is absent counts for nothing. */
export type GroupWorths = ReadonlyMap<string, Worth>;

/** A reward as the policy learns it. */
interface Reward {
  readonly draft: RewardDraft;
  readonly memory: WorkloadModel;
  readonly arm: number;
  readonly family: string;
  readonly reward: number;
  readonly weight: number;
  readonly voice: Voice;
}

/** A reward before a group of values and with it. */
interface Change {
  readonly before: Reward | undefined;
  readonly after: Reward | undefined;
}

/** A group of values, and what they are worth in the workload of their call. */
interface RatedGroup {
  readonly group: readonly FeedbackEvent[];
  readonly target: FeedbackTarget;
  readonly memory: WorkloadModel;
  readonly worths: GroupWorths;
  readonly voice: Voice;
}

/**
 * Learns what a group of values changes in the rewards of its call, or of the calls of its session: the difference of
 * what is stored with it and before it; the other way round where it is taken back. So all changes add up to the same
 * in whichever process. Returns whether anything changed.
 */
export function learnRewards(rated: RatedGroup, context: RewardContext, history: HistoryEvent[]): boolean {
  const changes = getChanges(rated, context).filter((change) => !isSame(change));
  const isFirst = changes.every(({ before }) => before === undefined);
  for (const { before, after } of changes) {
    if (before === undefined || isOfSameArm(before, after)) continue;
    const { memory, ...reward } = before;
    learn(memory.state, { kind: "withdrawn", ...factsOf(reward) });
    memory.voices.votes.dropReward(reward.draft.call.id);
  }
  for (const { before, after } of changes) {
    if (after === undefined) continue;
    const replaces = isOfSameArm(after, before) ? before : undefined;
    learnReward(after, { replaces, isFirst }, history);
    keepVote(after);
    if (before === undefined && after.voice.weight >= LEAST_VOICE)
      context.onReward?.(after.reward, after.draft.call.id);
  }
  return changes.length > 0;
}

function learnReward(
  reward: Reward,
  { replaces, isFirst }: { readonly replaces: Reward | undefined; readonly isFirst: boolean },
  history: HistoryEvent[],
): void {
  const {
    memory,
    draft,
    arm,
    voice: { driftShare },
  } = reward;
  const { family: name } = draft.call;
  const facts = factsOf(reward);
  const divided = isFirst ? memory.familySplits.rewarded(name, facts) : undefined;
  if (divided !== undefined) history.push({ key: memory.key, kind: "divided", detail: { ...divided } });
  const family = memory.familyOf(name);
  const drifted = learn(memory.state, { kind: "rewarded", ...facts, family, arm, driftShare, replaces });
  memory.noteFamily(name);
  memory.selection?.reconsider(memory.state.rewards, drifted !== undefined);
  if (drifted === undefined) return;
  memory.latencies.forgetSeveral();
  history.push({ key: memory.key, kind: "drift", detail: { model: memory.state.arms[drifted], family } });
}

function keepVote({ memory, draft, arm, reward, weight, voice }: Reward): void {
  const { rater, weight: ofVoice, isEarly } = voice;
  const rated = getVotedValues(draft, memory);
  if (rater === undefined && rated.values === undefined) return;
  const { id, family } = draft.call;
  memory.voices.votes.keep(id, {
    rater: rater ?? "",
    weight: ofVoice,
    isEarly,
    reward: { family, arm, reward, weight: weight / ofVoice, ...rated },
  });
}

/** Returns the values of a reward that are kept to rate it again; none where all are booleans, which have no scale. */
function getVotedValues({ values }: RewardDraft, memory: WorkloadModel): Pick<VotedReward, "values" | "isPart"> {
  const voted = values
    .filter((value) => worthNow(value, memory) !== undefined)
    .map(({ name, value, optimize }) => ({ name, value, optimize }));
  if (!voted.some(({ value }) => typeof value === "number")) return {};
  if (voted.length <= MOST_VOTED) return { values: voted };
  const byUse = voted.toSorted((one, other) => memory.metrics.getUse(other.name) - memory.metrics.getUse(one.name));
  return { values: byUse.slice(0, MOST_VOTED), isPart: true };
}

function factsOf({ arm, family, reward, weight }: Omit<Reward, "memory" | "draft" | "voice">) {
  return { arm, family, reward, weight };
}

/** The rewards that a group of values touches, before it and with it. */
function getChanges({ group, target, memory, worths, voice }: RatedGroup, context: RewardContext): Change[] {
  const [{ inferenceId, projectId } = { inferenceId: "", projectId: "" }] = group;
  const { copies, judged, memoryOf } = context;
  const session = judged?.get(inferenceId);
  const calls = session ?? [{ id: inferenceId, ...target }];
  const stored = session === undefined ? listEarlier(group, context) : earlierInSession(group, context);
  const earlier = stored.filter(({ id }) => copies?.copies.has(id) !== true);
  const own = group.filter(({ id }) => copies?.copies.has(id) !== true);
  const [without, withOwn] = [draftRewards(calls, earlier), draftRewards(calls, [...earlier, ...own])];
  const isTakenBack = group[0]?.isTakenBack === true;
  const [before, after] = isTakenBack ? [withOwn, without] : [without, withOwn];
  // What is taken back was learned before.
  const fresh = isTakenBack ? [] : group;
  const known = new Map([[memory, worths]]);
  const toReward = (draft: RewardDraft | undefined): Reward | undefined => {
    const workload = draft && memoryOf(projectId, draft.call.model);
    if (draft === undefined || workload === undefined) return undefined;
    const ofGroup = known.get(workload) ?? worthsIn({ group: fresh, target, memory: workload, voice });
    known.set(workload, ofGroup);
    return getReward(draft, workload, { ofGroup, group: fresh, voice });
  };
  return [...new Set([...before.keys(), ...after.keys()])].map((key) => ({
    before: toReward(before.get(key)),
    after: toReward(after.get(key)),
  }));
}

/** Returns what a group's values are worth in another workload of their session. */
function worthsIn({ group, target, memory, voice }: Omit<RatedGroup, "worths">): GroupWorths {
  const isBase = memory.armOf(target.servedModel) === memory.state.base;
  return new Map(
    group.flatMap((entry) => {
      const worth = weighValue(entry, memory, { weight: voice.weight, isBase });
      return worth === undefined ? [] : [[entry.id, weigh(worth, entry, memory.rules)] as const];
    }),
  );
}

function getReward(
  draft: RewardDraft,
  memory: WorkloadModel,
  { ofGroup, group, voice }: Pick<RatedGroup, "group" | "voice"> & { readonly ofGroup: GroupWorths },
): Reward | undefined {
  const { call, values, share } = draft;
  const arm = memory.armOf(call.servedModel);
  const ids = new Set(group.map(({ id }) => id));
  const combined = combineWorths(
    values.flatMap((entry): Worth[] => {
      const known = ofGroup.get(entry.id);
      if (known !== undefined || ids.has(entry.id)) return known === undefined ? [] : [known];
      const worth = worthNow(entry, memory);
      return worth === undefined ? [] : [worth];
    }),
  );
  if (arm === undefined || combined === undefined) return undefined;
  const family = memory.familyOf(call.family);
  // A reward that changes is taken back with what it was learned with.
  const own = { ...voice, weight: memory.voices.votes.weightOf(call.id) ?? voice.weight };
  const weight = combined.weight * share * own.weight;
  return { draft, memory, arm, family, reward: combined.reward, weight, voice: own };
}

function isSame({ before, after }: Change): boolean {
  if (before === undefined || after === undefined) return before === after;
  return isOfSameArm(before, after) && before.reward === after.reward && before.weight === after.weight;
}

function isOfSameArm(one: Reward, other: Reward | undefined): boolean {
  return one.memory === other?.memory && one.arm === other.arm && one.family === other.family;
}

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  DecidingAnswerSchema,
  ImprovementEnd,
  ImprovementOfferSchema,
  ImprovementPlanSchema,
  ImprovementSchema,
  ImprovementState,
} from "../../gen/attune/admin/v1/admin_pb.ts";
import {
  ControlsSchema,
  FindingSchema,
  Hold,
  LearningMode,
  PromptFamilySchema,
  WorkloadSchema,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import { describeImprovement, describeOffer, describePlan, toReport } from "../../src/cli/improvement-text.ts";

const plan = create(ImprovementPlanSchema, {
  recorded: 500n,
  rated: 46n,
  judge: "attune/judge",
  models: ["attune/good", "attune/poor"],
  estimatedUsd: 1.234,
  highestUsd: 2.5,
  maxCalls: 300,
});
const improvement = create(ImprovementSchema, {
  state: ImprovementState.DONE,
  end: ImprovementEnd.CALLS,
  summary: "all calls were made",
  endedAt: timestampFromDate(new Date()),
  maxUsd: 2,
  maxCalls: 300,
  calls: 300n,
  checks: 1n,
  spentUsd: 0.0969,
});
const workload = create(WorkloadSchema, {
  model: "attune/base",
  controls: { mode: LearningMode.ON },
  hasRegretRoom: true,
  judge: { summary: "TPR 0.85, FPR 0.12" },
  finding: { summary: "attune/good answers 46% better", low: 0.2, high: 0.7 },
  recentUsage: { summary: "Other models gave 3 of 500 answers." },
  arms: [
    { model: "attune/base", isBase: true, estimate: { value: 0.66, low: 0.53, high: 0.79 }, relativePrice: 1 },
    { model: "attune/good", estimate: { value: 0.91, low: 0.8, high: 1 }, relativePrice: 0.333333 },
  ],
});

describe("describePlan()", () => {
  it("says the money first", () => {
    expect(describePlan(plan)).toEqual([
      "300 calls cost about 1.23 USD with their grades, 2.50 USD if only the most expensive model is asked",
      "recorded requests of 30 days: 500   rated answers to measure the judge by: 46",
      "judge: attune/judge",
      "may be asked: attune/good, attune/poor",
    ]);
  });

  it("says that one judge alone grades fewer than are wanted, and how many can be asked", () => {
    expect(describePlan(plan, 1000)[1]).toBe(
      "One judge alone may favor a model, so at most 300 requests are asked. To ask more, set a second judge, or judge 20 pairs blind first.",
    );
    const few = create(ImprovementPlanSchema, { ...plan, recorded: 40n });
    expect(describePlan(few)[0]).toContain("40 calls cost about");
  });

  it("says the price of the flex tier as that", () => {
    const flex = create(ImprovementPlanSchema, { ...plan, estimatedFlexUsd: 0.617 });
    expect(describePlan(flex)[0]).toBe(
      "300 calls cost about 1.23 USD with their grades, 2.50 USD if only the most expensive model is asked, " +
        "and about 0.62 USD if the flex tier has room",
    );
  });

  it("says what is missing", () => {
    const { estimatedUsd: _, highestUsd: __, ...others } = plan;
    const unpriced = create(ImprovementPlanSchema, { ...others, unpricedModels: ["attune/poor"] });
    expect(describePlan(unpriced, 10)[0]).toBe("the cost isn't known, because these have no price: attune/poor");
    const withoutJudge = create(ImprovementPlanSchema, { ...others, judge: "" });
    expect(describePlan(withoutJudge, 10)[0]).toBe("the cost isn't known, because there's no judge");
    expect(describePlan(create(ImprovementPlanSchema))).toEqual([
      "the cost isn't known, because nothing is recorded",
      "recorded requests of 30 days: 0   rated answers to measure the judge by: 0",
      "no judge: set one with 'attune workloads set --judge'",
      "no other model may be asked",
    ]);
  });
});

describe("describePlan() with a second judge", () => {
  it("names it", () => {
    const second = create(ImprovementPlanSchema, { ...plan, secondJudge: "attune/other" });
    expect(describePlan(second)[2]).toBe("judge: attune/judge, and attune/other when its grades are worth their price");
  });
});

describe("describeOffer()", () => {
  it("says what finding out about new models costs at most, and how", () => {
    const offer = create(ImprovementOfferSchema, {
      models: ["attune/new", "attune/newer"],
      maxCalls: 200,
      maxUsd: 2.1,
    });
    expect(describeOffer(offer, "base")).toBe(
      "not tried yet: attune/new, attune/newer. Find out for at most 2.10 USD: " +
        "attune improve base --ask attune/new --ask attune/newer --calls 200 --usd 2.1",
    );
  });
});

describe("describeImprovement()", () => {
  it("says how far it is, and how it ended", () => {
    const done = "300 of 300 requests asked, 1 answer checked, 0.097 USD of 2 spent";
    expect(describeImprovement(improvement)).toBe(`all calls were made (${done})`);
    expect(describeImprovement({ ...improvement, state: ImprovementState.CANCELED })).toBe(`canceled: ${done}`);
    expect(describeImprovement({ ...improvement, state: ImprovementState.RUNNING, summary: "" })).toBe(done);
  });
});

describe("toReport()", () => {
  it("is Markdown with what each model is worth", () => {
    expect(toReport(improvement, workload)).toBe(`## What other models would do for attune/base

All calls were made (300 of 300 requests asked, 1 answer checked, 0.097 USD of 2 spent).

Judge: TPR 0.85, FPR 0.12.

attune/good answers 46% better

| Model | Worth, 95% interval | Price relative to base |
| --- | --- | --- |
| attune/base (base) | 0.660 (0.530 to 0.790) | x1 |
| attune/good | 0.910 (0.800 to 1.000) | x0.333 |

Other models gave 3 of 500 answers.`);
  });

  it("shows the answers that decided as text, with the verdicts on them", () => {
    const decided = create(DecidingAnswerSchema, {
      model: "attune/good",
      isBetter: true,
      inferenceId: "0b",
      family: "tag:a_b",
      question: "6 x 7?",
      baseAnswer: "```\n\u001b[2J41",
      answer: "42\r\nSure.",
      baseVerdicts: { judge: true, person: false },
      verdicts: { judge: true, secondJudge: true, person: true },
    });
    const poor = create(DecidingAnswerSchema, { model: "attune/poor", verdicts: { judge: false } });
    const report = toReport(improvement, workload, [decided, decided, poor]);
    const one = `
Prompt (tag:a\\_b, request 0b):
\`\`\`text
6 x 7?
\`\`\`
Base, judge: good, person: bad:
\`\`\`\`text
\`\`\`
\ufffd[2J41
\`\`\`\`
attune/good, judge: good, second judge: good, person: good:
\`\`\`text
42
Sure.
\`\`\`
`;
    const heading = "### Answers that decided\n\n**attune/good**, which is better than base:\n";
    expect(report).toContain(`of 500 answers.\n\n${heading}${one}${one}\n**attune/poor**, which is worse than base:`);
  });

  it("has a table by kinds of prompts where these are told apart", () => {
    const [base, good] = [
      { value: 0.5, low: 0.4, high: 0.6 },
      { value: 0.75, low: 0.5, high: 1 },
    ];
    const promptFamilies = [
      { name: "tag:search|_all_", requests: 120.4, rewards: 12, base, model: "attune/good", estimate: good },
      { name: "auto:plain", requests: 7, rewards: 0, base, model: "attune/base", estimate: base },
    ];
    const report = (families: readonly MessageInitShape<typeof PromptFamilySchema>[]) =>
      toReport(improvement, {
        ...workload,
        promptFamilies: families.map((family) => create(PromptFamilySchema, family)),
      });
    expect(report(promptFamilies)).toContain(`| attune/good | 0.910 (0.800 to 1.000) | x0.333 |

| Prompts | Requests | Base, 95% interval | Choice | Its worth |
| --- | --- | --- | --- | --- |
| tag:search\\|\\_all\\_ | 120 | 0.500 (0.400 to 0.600) | attune/good | 0.750 (0.500 to 1.000) |
| auto:plain | 7 | 0.500 (0.400 to 0.600) | attune/base | 0.500 (0.400 to 0.600) |

From now on, attune/good answers 95% of the prompts, attune/base (base) answers 5% of the prompts. Other models gave`);
    const ofOneKind = report(promptFamilies.slice(1));
    expect(ofOneKind).not.toContain("| Prompts |");
    expect(ofOneKind).toContain("From now on, attune/base (base) answers. Other models gave");
  });

  it("promises nothing against a model that answers before enough is known of it", () => {
    const family = create(PromptFamilySchema, { name: "all", requests: 30, model: "attune/good" });
    const { finding: _, ...unknown } = workload;
    const report = toReport(improvement, create(WorkloadSchema, { ...unknown, promptFamilies: [family] }));
    expect(report).toContain(
      "\n\nNo other model has enough ratings and grades yet to be compared with base.\n\nTo be surer,",
    );
    expect(report).toContain("From now on, attune/good answers.");
    expect(report).not.toContain("known to do better");
  });

  it("says what makes a finding surer", () => {
    const open = create(WorkloadSchema, {
      ...workload,
      finding: create(FindingSchema, { summary: "attune/good may", low: -0.1, high: 0.7 }),
    });
    const next =
      "That isn't sure. To be surer, judge 20 pairs blind on the workload's page, and print this report again: " +
      "`attune improve attune/base --report`";
    expect(toReport(improvement, open)).toContain(`attune/good may\n\n${next}\n\n| Model |`);
    expect(toReport(improvement, workload)).not.toContain("That isn't sure");
  });

  it.each([
    [{ mode: LearningMode.ON, hold: Hold.FROZEN }, "Only base answers: the workload is frozen."],
    [{ mode: LearningMode.OFF }, "Only base answers: learning is off."],
    [
      { mode: LearningMode.OBSERVE },
      "Only base answers in the mode observe. `attune workloads mode on --model attune/base`",
    ],
  ])("says who answers: %o", (controls, text) => {
    const held = create(WorkloadSchema, { ...workload, controls: create(ControlsSchema, controls) });
    expect(toReport(improvement, held).split("\n").at(-1)).toBe(text);
  });
});

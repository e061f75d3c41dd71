// Written by scripts/make-migrations.ts.
import { Migration20261124000000_initial } from "./Migration20261124000000_initial.ts";
import { Migration20261126042633_change_notices } from "./Migration20261126042633_change_notices.ts";
import { Migration20261126214820_installation_key } from "./Migration20261126214820_installation_key.ts";
import { Migration20261128091148_workload_rebuild } from "./Migration20261128091148_workload_rebuild.ts";
import { Migration20261129010029_add_cost_gaps } from "./Migration20261129010029_add_cost_gaps.ts";
import { Migration20261129010833_feedback_rater } from "./Migration20261129010833_feedback_rater.ts";
import { Migration20261129021035_feedback_removal } from "./Migration20261129021035_feedback_removal.ts";
import { Migration20261129131557_workload_improvement } from "./Migration20261129131557_workload_improvement.ts";
import { Migration20261130010659_inference_item } from "./Migration20261130010659_inference_item.ts";
import { Migration20261130013809_reward_worth } from "./Migration20261130013809_reward_worth.ts";
import { Migration20261130051145_key_pause } from "./Migration20261130051145_key_pause.ts";
import { Migration20261130053050_second_judge } from "./Migration20261130053050_second_judge.ts";
import { Migration20261201033309_shadow_pair_verdicts } from "./Migration20261201033309_shadow_pair_verdicts.ts";

/** Migrations, oldest first. */
export const MIGRATIONS = [
  { name: "Migration20261124000000_initial", class: Migration20261124000000_initial },
  { name: "Migration20261126042633_change_notices", class: Migration20261126042633_change_notices },
  { name: "Migration20261126214820_installation_key", class: Migration20261126214820_installation_key },
  { name: "Migration20261128091148_workload_rebuild", class: Migration20261128091148_workload_rebuild },
  { name: "Migration20261129010029_add_cost_gaps", class: Migration20261129010029_add_cost_gaps },
  { name: "Migration20261129010833_feedback_rater", class: Migration20261129010833_feedback_rater },
  { name: "Migration20261129021035_feedback_removal", class: Migration20261129021035_feedback_removal },
  { name: "Migration20261129131557_workload_improvement", class: Migration20261129131557_workload_improvement },
  { name: "Migration20261130010659_inference_item", class: Migration20261130010659_inference_item },
  { name: "Migration20261130013809_reward_worth", class: Migration20261130013809_reward_worth },
  { name: "Migration20261130051145_key_pause", class: Migration20261130051145_key_pause },
  { name: "Migration20261130053050_second_judge", class: Migration20261130053050_second_judge },
  { name: "Migration20261201033309_shadow_pair_verdicts", class: Migration20261201033309_shadow_pair_verdicts },
];

import { Migration } from '@mikro-orm/migrations';

export class Migration20261129131558_workload_improvement extends Migration {

  override name = 'Migration20261129131558_workload_improvement';

  override up(): void | Promise<void> {
    this.addSql(`create table "workload_improvement" ("project_id" uuid not null, "model" text not null, "id" uuid not null, "actor_kind" text not null, "actor_id" text not null, "actor_label" text not null, "via" text not null, "requested_at" timestamptz(3) not null, "models" text not null, "most_nanos" bigint not null, "most_calls" int not null, "state" text not null, "holder" uuid null, "beat_at" timestamptz(3) null, "started_at" timestamptz(3) null, "ended_at" timestamptz(3) null, "ending" text null, "calls" int not null, "checks" int not null, "spent_nanos" bigint not null, primary key ("project_id", "model"));`);
    this.addSql(`create index "workload_improvement_state_index" on "workload_improvement" ("state");`);

    this.addSql(`alter table "shadow_trial" add "improvement_id" uuid null;`);
    this.addSql(`create index "shadow_trial_improvement_id_index" on "shadow_trial" ("improvement_id") where improvement_id is not null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "workload_improvement" cascade;`);

    this.addSql(`drop index "shadow_trial_improvement_id_index";`);
    this.addSql(`alter table "shadow_trial" drop column "improvement_id";`);
  }

}

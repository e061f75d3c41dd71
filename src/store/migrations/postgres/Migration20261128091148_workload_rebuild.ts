import { Migration } from '@mikro-orm/migrations';

export class Migration20261128091148_workload_rebuild extends Migration {

  override name = 'Migration20261128091148_workload_rebuild';

  override up(): void | Promise<void> {
    this.addSql(`create table "workload_rebuild" ("project_id" uuid not null, "actor_kind" text not null, "actor_id" text not null, "actor_label" text not null, "via" text not null, "requested_at" timestamptz(3) not null, "state" text not null, "started_at" timestamptz(3) null, "ended_at" timestamptz(3) null, "workloads" int not null, "events" bigint not null, "problem" text not null, primary key ("project_id"));`);
    this.addSql(`create index "workload_rebuild_state_index" on "workload_rebuild" ("state");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "workload_rebuild" cascade;`);
  }

}

import { Migration } from '@mikro-orm/migrations';

export class Migration20261123015056_learning extends Migration {

  override name = 'Migration20261123015056_learning';

  override up(): void | Promise<void> {
    this.addSql(`create table "workload_state" ("project_id" uuid not null, "model" text not null, "version" int not null, "updated_at" timestamptz(3) not null, "rewards" double precision not null, "snapshot" text null, primary key ("project_id", "model"));`);

    this.addSql(`create table "learning_batch" ("id" uuid not null, "due_at" timestamptz(3) not null, "size" int not null, "events" text not null, primary key ("id"));`);

    this.addSql(`create table "learning_mark" ("id" int not null, "generation" int not null, "paused_until" timestamptz(3) null, primary key ("id"));`);

    this.addSql(`create table "workload_control" ("project_id" uuid not null, "model" text not null, "mode" text null, "hold" text null, "pinned" text null, "excluded" jsonb null, "objective" text null, "feedback" text null, "updated_at" timestamptz(3) not null, primary key ("project_id", "model"));`);

    this.addSql(`create table "workload_event" ("id" uuid not null, "project_id" uuid not null, "model" text not null, "at" timestamptz(3) not null, "kind" text not null, "detail" jsonb not null, primary key ("id"));`);
    this.addSql(`create index "workload_event_project_id_model_id_index" on "workload_event" ("project_id", "model", "id");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "workload_state" cascade;`);
    this.addSql(`drop table if exists "learning_batch" cascade;`);
    this.addSql(`drop table if exists "learning_mark" cascade;`);
    this.addSql(`drop table if exists "workload_control" cascade;`);
    this.addSql(`drop table if exists "workload_event" cascade;`);
  }

}

import { Migration } from '@mikro-orm/migrations';

export class Migration20261122085414_retention_and_names extends Migration {

  override name = 'Migration20261122085414_retention_and_names';

  override up(): void | Promise<void> {
    this.addSql(`create table "retention_mark" ("kind" varchar(20) not null, "kept_days" int not null, "deleted_before" timestamptz(3) not null, "confirmed_before" timestamptz(3) null, "ran_at" timestamptz(3) not null, primary key ("kind"));`);

    this.addSql(`create table "rollup_name" ("project_id" uuid not null, "kind" varchar(10) not null, "name" text not null, primary key ("project_id", "kind", "name"));`);

    // What is told apart already stays so; names that are not used are given up in time.
    this.addSql(`insert into "rollup_name" ("project_id", "kind", "name") select distinct "project_id", 'workload', "workload" from "usage_day" where "workload" <> '';`);
    this.addSql(`insert into "rollup_name" ("project_id", "kind", "name") select distinct "project_id", 'metric', "name" from "feedback_day";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "retention_mark" cascade;`);
    this.addSql(`drop table if exists "rollup_name" cascade;`);
  }

}

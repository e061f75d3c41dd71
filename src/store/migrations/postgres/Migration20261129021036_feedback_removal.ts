import { Migration } from '@mikro-orm/migrations';

export class Migration20261129021036_feedback_removal extends Migration {

  override name = 'Migration20261129021036_feedback_removal';

  override up(): void | Promise<void> {
    this.addSql(`create table "feedback_removal" ("id" uuid not null, "project_id" uuid not null, "key_id" text not null, primary key ("id"));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "feedback_removal" cascade;`);
  }

}

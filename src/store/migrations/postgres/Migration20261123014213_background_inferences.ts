import { Migration } from '@mikro-orm/migrations';

export class Migration20261123014213_background_inferences extends Migration {

  override name = 'Migration20261123014213_background_inferences';

  override up(): void | Promise<void> {
    this.addSql(`create table "background_inference" ("id" uuid not null, "project_id" uuid not null, "key_id" text not null, "model" text not null, "streamed" boolean not null, "started_at" timestamptz(3) not null, "beat_at" timestamptz(3) not null, "previous_id" uuid null, "cancel_requested" boolean not null default false, "request" bytea not null, primary key ("id"));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "background_inference" cascade;`);
  }

}

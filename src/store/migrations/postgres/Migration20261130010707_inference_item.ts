import { Migration } from '@mikro-orm/migrations';

export class Migration20261130010707_inference_item extends Migration {

  override name = 'Migration20261130010707_inference_item';

  override up(): void | Promise<void> {
    this.addSql(`create table "inference_item" ("id" uuid not null, "inference_id" uuid not null, "project_id" uuid not null, "name" text not null, "asked" text not null, primary key ("id"));`);
    this.addSql(`create index "inference_item_project_id_name_inference_id_index" on "inference_item" ("project_id", "name", "inference_id");`);
    this.addSql(`create index "inference_item_inference_id_index" on "inference_item" ("inference_id");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "inference_item" cascade;`);
  }

}

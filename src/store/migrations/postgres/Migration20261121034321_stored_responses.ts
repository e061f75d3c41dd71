import { Migration } from '@mikro-orm/migrations';

export class Migration20261121034321_stored_responses extends Migration {

  override name = 'Migration20261121034321_stored_responses';

  override up(): void | Promise<void> {
    this.addSql(`alter table "inference" add "previous_id" uuid null, add "stored" boolean not null default false, add "deleted_at" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "inference" drop column "previous_id", drop column "stored", drop column "deleted_at";`);
  }

}

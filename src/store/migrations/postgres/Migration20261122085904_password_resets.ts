import { Migration } from '@mikro-orm/migrations';

export class Migration20261122085904_password_resets extends Migration {

  override name = 'Migration20261122085904_password_resets';

  override up(): void | Promise<void> {
    this.addSql(`create table "password_reset" ("user_id" uuid not null, "token_hash" varchar(64) not null, "made_by" uuid null, "expires_at" timestamptz(3) not null, primary key ("user_id"));`);
    this.addSql(`alter table "password_reset" add constraint "password_reset_token_hash_unique" unique ("token_hash");`);

    this.addSql(`alter table "password_reset" add constraint "password_reset_user_id_foreign" foreign key ("user_id") references "user_account" ("id") on update cascade on delete cascade;`);
    this.addSql(`alter table "password_reset" add constraint "password_reset_made_by_foreign" foreign key ("made_by") references "user_account" ("id") on delete cascade;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "password_reset" cascade;`);
  }

}

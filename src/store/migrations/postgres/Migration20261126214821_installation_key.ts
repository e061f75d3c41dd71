import { Migration } from '@mikro-orm/migrations';

export class Migration20261126214821_installation_key extends Migration {

  override name = 'Migration20261126214821_installation_key';

  override up(): void | Promise<void> {
    this.addSql(`create table "installation_key" ("id" int not null, "secret" varchar(43) not null, "created_at" timestamptz(3) not null, primary key ("id"));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "installation_key" cascade;`);
  }

}

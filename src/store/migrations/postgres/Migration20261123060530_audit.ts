import { Migration } from '@mikro-orm/migrations';

export class Migration20261123060530_audit extends Migration {

  override name = 'Migration20261123060530_audit';

  override up(): void | Promise<void> {
    this.addSql(`create table "deployment_audit" ("model" text not null, "upstream" text not null, "upstream_model" text not null, "version" int not null, "updated_at" timestamptz(3) not null, "standing" text not null, "state" text not null, primary key ("model", "upstream", "upstream_model"));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "deployment_audit" cascade;`);
  }

}

import { Migration } from '@mikro-orm/migrations';

export class Migration20261123122842_checked_retry extends Migration {

  override name = 'Migration20261123122842_checked_retry';

  override up(): void | Promise<void> {
    this.addSql(`alter table "inference_attempt" add "failed_checks" jsonb null;`);

    this.addSql(`alter table "usage_day" add "saved_retry_nanos" bigint not null default '0';`);

    this.addSql(`alter table "usage_hour" add "saved_retry_nanos" bigint not null default '0';`);

    this.addSql(`alter table "usage_week" add "saved_retry_nanos" bigint not null default '0';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "inference_attempt" drop column "failed_checks";`);

    this.addSql(`alter table "usage_day" drop column "saved_retry_nanos";`);

    this.addSql(`alter table "usage_hour" drop column "saved_retry_nanos";`);

    this.addSql(`alter table "usage_week" drop column "saved_retry_nanos";`);
  }

}

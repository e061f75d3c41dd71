import { Migration } from '@mikro-orm/migrations';

export class Migration20261123122839_checked_retry extends Migration {

  override name = 'Migration20261123122839_checked_retry';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`inference_attempt\` add column \`failed_checks\` json null;`);

    this.addSql(`alter table \`usage_day\` add column \`saved_retry_nanos\` bigint not null default '0';`);

    this.addSql(`alter table \`usage_hour\` add column \`saved_retry_nanos\` bigint not null default '0';`);

    this.addSql(`alter table \`usage_week\` add column \`saved_retry_nanos\` bigint not null default '0';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`inference_attempt\` drop column \`failed_checks\`;`);

    this.addSql(`alter table \`usage_day\` drop column \`saved_retry_nanos\`;`);

    this.addSql(`alter table \`usage_hour\` drop column \`saved_retry_nanos\`;`);

    this.addSql(`alter table \`usage_week\` drop column \`saved_retry_nanos\`;`);
  }

}

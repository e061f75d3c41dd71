import { Migration } from '@mikro-orm/migrations';

export class Migration20261123062400_optimizations extends Migration {

  override name = 'Migration20261123062400_optimizations';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`inference\` add column \`saved\` json null;`);
    this.addSql(`alter table \`inference\` add column \`twin_key\` text null;`);
    this.addSql(`create index \`inference_twin_key_id_index\` on \`inference\` (\`twin_key\`, \`id\`) where twin_key is not null;`);

    this.addSql(`alter table \`project_settings\` add column \`optimizations_off\` json null;`);

    this.addSql(`alter table \`usage_day\` add column \`saved_cache_marks_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_day\` add column \`saved_sharing_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_day\` add column \`saved_replay_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_day\` add column \`saved_choice_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_day\` add column \`saved_routing_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_day\` add column \`saved_failover_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_day\` add column \`saved_hedging_nanos\` bigint not null default '0';`);

    this.addSql(`alter table \`usage_hour\` add column \`saved_cache_marks_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_hour\` add column \`saved_sharing_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_hour\` add column \`saved_replay_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_hour\` add column \`saved_choice_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_hour\` add column \`saved_routing_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_hour\` add column \`saved_failover_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_hour\` add column \`saved_hedging_nanos\` bigint not null default '0';`);

    this.addSql(`alter table \`usage_week\` add column \`saved_cache_marks_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_week\` add column \`saved_sharing_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_week\` add column \`saved_replay_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_week\` add column \`saved_choice_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_week\` add column \`saved_routing_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_week\` add column \`saved_failover_nanos\` bigint not null default '0';`);
    this.addSql(`alter table \`usage_week\` add column \`saved_hedging_nanos\` bigint not null default '0';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index \`inference_twin_key_id_index\`;`);
    this.addSql(`alter table \`inference\` drop column \`saved\`;`);
    this.addSql(`alter table \`inference\` drop column \`twin_key\`;`);

    this.addSql(`alter table \`project_settings\` drop column \`optimizations_off\`;`);

    this.addSql(`alter table \`usage_day\` drop column \`saved_cache_marks_nanos\`;`);
    this.addSql(`alter table \`usage_day\` drop column \`saved_sharing_nanos\`;`);
    this.addSql(`alter table \`usage_day\` drop column \`saved_replay_nanos\`;`);
    this.addSql(`alter table \`usage_day\` drop column \`saved_choice_nanos\`;`);
    this.addSql(`alter table \`usage_day\` drop column \`saved_routing_nanos\`;`);
    this.addSql(`alter table \`usage_day\` drop column \`saved_failover_nanos\`;`);
    this.addSql(`alter table \`usage_day\` drop column \`saved_hedging_nanos\`;`);

    this.addSql(`alter table \`usage_hour\` drop column \`saved_cache_marks_nanos\`;`);
    this.addSql(`alter table \`usage_hour\` drop column \`saved_sharing_nanos\`;`);
    this.addSql(`alter table \`usage_hour\` drop column \`saved_replay_nanos\`;`);
    this.addSql(`alter table \`usage_hour\` drop column \`saved_choice_nanos\`;`);
    this.addSql(`alter table \`usage_hour\` drop column \`saved_routing_nanos\`;`);
    this.addSql(`alter table \`usage_hour\` drop column \`saved_failover_nanos\`;`);
    this.addSql(`alter table \`usage_hour\` drop column \`saved_hedging_nanos\`;`);

    this.addSql(`alter table \`usage_week\` drop column \`saved_cache_marks_nanos\`;`);
    this.addSql(`alter table \`usage_week\` drop column \`saved_sharing_nanos\`;`);
    this.addSql(`alter table \`usage_week\` drop column \`saved_replay_nanos\`;`);
    this.addSql(`alter table \`usage_week\` drop column \`saved_choice_nanos\`;`);
    this.addSql(`alter table \`usage_week\` drop column \`saved_routing_nanos\`;`);
    this.addSql(`alter table \`usage_week\` drop column \`saved_failover_nanos\`;`);
    this.addSql(`alter table \`usage_week\` drop column \`saved_hedging_nanos\`;`);
  }

}

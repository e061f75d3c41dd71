import { Migration } from '@mikro-orm/migrations';

export class Migration20261121230159_base_cost extends Migration {

  override name = 'Migration20261121230159_base_cost';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`feedback_entry\` add column \`model\` text not null default '';`);
    this.addSql(`alter table \`feedback_entry\` add column \`workload\` text not null default '';`);

    this.addSql(`alter table \`inference\` add column \`base_cost_nanos\` bigint null;`);

    // Until now every request was served as a plain call would have been.
    this.addSql(`update \`inference\` set \`base_cost_nanos\` = \`cost_nanos\` where \`cost_nanos\` is not null;`);
    this.addSql(`update \`feedback_entry\` set \`model\` = \`inference\`.\`model\`, \`workload\` = \`inference\`.\`workload\` from \`inference\` where \`inference\`.\`id\` = \`feedback_entry\`.\`inference_id\`;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`feedback_entry\` drop column \`model\`;`);
    this.addSql(`alter table \`feedback_entry\` drop column \`workload\`;`);

    this.addSql(`alter table \`inference\` drop column \`base_cost_nanos\`;`);
  }

}

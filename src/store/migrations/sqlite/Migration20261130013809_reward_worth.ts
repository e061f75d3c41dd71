import { Migration } from '@mikro-orm/migrations';

export class Migration20261130013809_reward_worth extends Migration {

  override name = 'Migration20261130013809_reward_worth';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`workload_control\` add column \`usd_per_reward\` double null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table \`workload_control\` drop column \`usd_per_reward\`;`);
  }

}

import { Migration } from '@mikro-orm/migrations';

export class Migration20261130053052_second_judge extends Migration {

  override name = 'Migration20261130053052_second_judge';

  override up(): void | Promise<void> {
    this.addSql(`alter table "shadow_trial" add "served_good_second" boolean null, add "trial_good_second" boolean null;`);

    this.addSql(`alter table "workload_control" add "shadow_second_judge" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "shadow_trial" drop column "served_good_second", drop column "trial_good_second";`);

    this.addSql(`alter table "workload_control" drop column "shadow_second_judge";`);
  }

}

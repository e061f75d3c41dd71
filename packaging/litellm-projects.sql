-- Writes the teams and keys of LiteLLM's database as a file for 'attune apply': a project for each team, a key for each
-- key that works. Lines that begin with '#' name what it leaves out. It reads, and changes nothing.
--   psql "$LITELLM_DATABASE_URL" -qXAt -f packaging/litellm-projects.sql > projects.yaml
-- Tables by LiteLLM's schema.prisma (1.80). No secret is read: LiteLLM has hashes of keys alone.
create temporary view owner as
  select 'team' as kind, t.team_id as id, t.team_id as team_id, null::timestamp as expires,
    coalesce(nullif(t.team_alias, ''), t.team_id) as label,
    t.max_budget, t.budget_duration, t.rpm_limit, t.tpm_limit, t.max_parallel_requests, t.models,
    t.blocked as is_out
  from "LiteLLM_TeamTable" t
  union all
  select 'key', k.token, k.team_id, k.expires,
    coalesce(nullif(k.key_alias, ''), 'litellm-' || left(k.token, 12)),
    coalesce(k.max_budget, b.max_budget), coalesce(k.budget_duration, b.budget_duration),
    coalesce(k.rpm_limit, b.rpm_limit), coalesce(k.tpm_limit, b.tpm_limit),
    coalesce(k.max_parallel_requests, b.max_parallel_requests), k.models,
    coalesce(k.blocked, false) or coalesce(k.expires <= now(), false)
  from "LiteLLM_VerificationToken" k
  left join "LiteLLM_BudgetTable" b on b.budget_id = k.budget_id
  where k.team_id is distinct from 'litellm-dashboard';

-- Two of one name get the beginning of their ids behind it.
create temporary view named as
  select *,
    kind = 'key' and team_id is not null
      and not exists (select from "LiteLLM_TeamTable" t where t.team_id = owner.team_id and not t.blocked) as is_alone,
    left(label, 80) || case
      when count(*) over (partition by kind, case when kind = 'key' then team_id end, left(label, 80)) > 1
      then ' ' || left(id, 12) else '' end as name,
    case when budget_duration is null then 'usdTotal'
      when budget_duration in ('1d', '24h') then 'usdPerDay'
      when budget_duration in ('30d', '1mo') then 'usdPerMonth' end as period,
    exists (select from unnest(models) m where m like 'all-%' or m like '%*%' or m = 'no-default-models') as is_special
  from owner;

create temporary view limited as
  select *, jsonb_strip_nulls(jsonb_build_object(
    'usdTotal', case when period = 'usdTotal' then max_budget end,
    'usdPerDay', case when period = 'usdPerDay' then max_budget end,
    'usdPerMonth', case when period = 'usdPerMonth' then max_budget end,
    'requestsPerMinute', rpm_limit,
    'concurrentCalls', max_parallel_requests,
    'models', case when cardinality(models) > 0 and not is_special then to_jsonb(models) end)) as limits
  from named;

select format('# %s %s: %s', kind, to_json(name), left_out.what)
from limited, lateral (values
  (is_out, 'is blocked or expired, and left out'),
  (is_alone, 'its team is blocked or deleted, and the key is left out'),
  (max_budget is not null and period is null,
    format('its budget of %s USD for %s is left out: budgets are for a day, a month or in all', max_budget, budget_duration)),
  (tpm_limit is not null,
    format('tpm_limit %s is left out: set inputTokensPerMinute and outputTokensPerMinute', tpm_limit)),
  (is_special and not models <@ array['all-team-models', 'all-proxy-models'],
    format('its models (%s) are left out: name each', array_to_string(models, ', ')))
) as left_out (holds, what)
where left_out.holds and (left_out.what like 'is blocked%' or not is_out)
order by kind desc, name, what;

select format('# budgets of end users are left out (%s): give them to the end users of a project', count(*))
from "LiteLLM_EndUserTable" where budget_id is not null having count(*) > 0;

select jsonb_pretty(jsonb_build_object('projects', coalesce(jsonb_agg(project order by project ->> 'name'), '[]')))
from (
  select jsonb_strip_nulls(jsonb_build_object(
    'name', p.name,
    'limits', nullif(p.limits, '{}'),
    'keys', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'name', k.name,
        'limits', nullif(k.limits, '{}'),
        'expiresAt', to_char(k.expires, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))) order by k.name)
      from limited k where k.kind = 'key' and not k.is_out and k.team_id is not distinct from p.team_id))) as project
  from (
    select name, limits, team_id from limited where kind = 'team' and not is_out
    union all
    select 'default', '{}', null
    where exists (select from limited where kind = 'key' and team_id is null and not is_out)
  ) p
) projects;

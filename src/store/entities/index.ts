import { AdminKey } from "./admin-key.ts";
import { Alert, AlertDelivery, AlertDestination, AlertLease, AlertRule, AlertSignal } from "./alert.ts";
import { ApiKey } from "./api-key.ts";
import { AuditChain, AuditEntry } from "./audit.ts";
import { BackgroundInference } from "./background-inference.ts";
import { ChangeNotice } from "./change-notice.ts";
import { Conversation, ConversationItem } from "./conversation.ts";
import { DashboardSession } from "./dashboard-session.ts";
import { Dataset, DatasetRow } from "./dataset.ts";
import { DatasetAnswer, DatasetAnswerText, DatasetRun } from "./dataset-run.ts";
import { DeploymentAudit } from "./deployment-audit.ts";
import { EndUserDeletion } from "./end-user-deletion.ts";
import { FeedbackEntry } from "./feedback-entry.ts";
import { FeedbackRemoval } from "./feedback-removal.ts";
import {
  FeedbackDay,
  FeedbackFactDay,
  FeedbackFactFourWeeks,
  FeedbackFactWeek,
  FeedbackHour,
} from "./feedback-rollup.ts";
import { FeedbackTag } from "./feedback-tag.ts";
import { IdempotentCall } from "./idempotent-call.ts";
import { Inference } from "./inference.ts";
import { InferenceAttempt } from "./inference-attempt.ts";
import { InferenceBody } from "./inference-body.ts";
import { InferenceItem } from "./inference-item.ts";
import { InferenceTag } from "./inference-tag.ts";
import { InstallationKey } from "./installation-key.ts";
import { Invitation } from "./invitation.ts";
import {
  LearnedState,
  LearningBatch,
  LearningMark,
  WorkloadControl,
  WorkloadEvent,
  WorkloadPoint,
} from "./learning.ts";
import { ManagedItem } from "./managed-item.ts";
import { Membership } from "./membership.ts";
import { PasswordReset } from "./password-reset.ts";
import { Project } from "./project.ts";
import { ProjectDeletion } from "./project-deletion.ts";
import { ProjectSettings } from "./project-settings.ts";
import { Quota } from "./quota.ts";
import { QuotaLease, QuotaProcess, QuotaWindow } from "./quota-window.ts";
import { RefusalHour, RefusalMinute, RefusedCall } from "./refusal.ts";
import { RetentionMark } from "./retention-mark.ts";
import { RollupName } from "./rollup-name.ts";
import { SavedView } from "./saved-view.ts";
import { SetupLink } from "./setup-link.ts";
import { ShadowDay, ShadowPair, ShadowTrial } from "./shadow-trial.ts";
import { SignInAttempt } from "./sign-in-attempt.ts";
import { UsageDay, UsageHour, UsageWeek } from "./usage.ts";
import { UsageFactDay, UsageFactFourWeeks, UsageFactWeek } from "./usage-fact.ts";
import { UserAccount } from "./user-account.ts";
import { UserIdentity } from "./user-identity.ts";
import { WorkloadImprovement } from "./workload-improvement.ts";
import { WorkloadRebuild } from "./workload-rebuild.ts";

/** The entities of both engines. */
export const ENTITIES = [
  InstallationKey,
  Project,
  ApiKey,
  AdminKey,
  Inference,
  InferenceBody,
  InferenceAttempt,
  InferenceItem,
  InferenceTag,
  FeedbackEntry,
  FeedbackRemoval,
  FeedbackTag,
  UsageHour,
  UsageDay,
  UsageWeek,
  UsageFactDay,
  UsageFactWeek,
  UsageFactFourWeeks,
  FeedbackHour,
  FeedbackDay,
  FeedbackFactDay,
  FeedbackFactWeek,
  FeedbackFactFourWeeks,
  UserAccount,
  UserIdentity,
  DashboardSession,
  Membership,
  Invitation,
  SetupLink,
  PasswordReset,
  SignInAttempt,
  ProjectSettings,
  SavedView,
  Dataset,
  DatasetRow,
  DatasetRun,
  DatasetAnswer,
  DatasetAnswerText,
  QuotaWindow,
  QuotaLease,
  QuotaProcess,
  Quota,
  ManagedItem,
  RefusalHour,
  RefusalMinute,
  RefusedCall,
  RetentionMark,
  RollupName,
  BackgroundInference,
  IdempotentCall,
  Conversation,
  ConversationItem,
  LearningBatch,
  LearningMark,
  LearnedState,
  WorkloadEvent,
  WorkloadPoint,
  WorkloadControl,
  WorkloadImprovement,
  WorkloadRebuild,
  DeploymentAudit,
  ShadowTrial,
  ShadowPair,
  ShadowDay,
  AuditEntry,
  AuditChain,
  EndUserDeletion,
  ProjectDeletion,
  AlertLease,
  AlertRule,
  AlertDestination,
  Alert,
  AlertSignal,
  AlertDelivery,
] as const;

/** The entities of SQLite alone: notices of recent changes, which are not moved with a database. */
export const SQLITE_ENTITIES = [ChangeNotice] as const;

/**
 * The types of all tables. Times are integer milliseconds (lucia's `sessions.expires_at`: seconds), booleans 0/1, ids UUIDs. The
 * migrations create the tables; `tables/` must match them. All code may read every table through these types; one feature writes
 * each (named above the table, checked by tests/guards).
 */
import type { ColumnType, SelectType } from 'kysely'
import type * as Accounts from './tables/accounts.ts'
import type * as Badges from './tables/badges.ts'
import type * as Contact from './tables/contact.ts'
import type * as Counts from './tables/counts.ts'
import type * as Dogs from './tables/dogs.ts'
import type * as Found from './tables/found.ts'
import type * as Lost from './tables/lost.ts'
import type * as Opinions from './tables/opinions.ts'
import type * as LostAlerts from './tables/lost-alerts.ts'
import type * as Sightings from './tables/sightings.ts'
import type * as System from './tables/system.ts'
import type * as Moderation from './tables/moderation.ts'
import type * as Notifications from './tables/notifications.ts'
import type * as Search from './tables/search.ts'
import type * as Years from './tables/years.ts'

export type * from './tables/accounts.ts'
export type * from './tables/badges.ts'
export type * from './tables/contact.ts'
export type * from './tables/counts.ts'
export type * from './tables/dogs.ts'
export type * from './tables/found.ts'
export type * from './tables/lost.ts'
export type * from './tables/opinions.ts'
export type * from './tables/lost-alerts.ts'
export type * from './tables/sightings.ts'
export type * from './tables/system.ts'
export type * from './tables/moderation.ts'
export type * from './tables/notifications.ts'
export type * from './tables/search.ts'
export type * from './tables/years.ts'

/** The rows of a view, which is read only. */
type Shown<Table> = { [Column in keyof Table]: ColumnType<SelectType<Table[Column]>, never, never> }

/** Views of the content that is not hidden (content.ts). */
interface Views {
  dogs: Shown<Dogs.DogsTable>
  dog_images: Shown<Dogs.DogImagesTable>
  dog_likes: Shown<Dogs.DogLikesTable>
  ownership_requests: Shown<Dogs.OwnershipRequestsTable>
  notifications: Shown<Notifications.NotificationsTable>
  comments: Shown<Dogs.CommentsTable>
  breed_opinions: Shown<Opinions.BreedOpinionsTable>
  profiles: Shown<Accounts.ProfilesTable>
  sightings: Shown<Sightings.SightingsTable>
  found_notices: Shown<Found.FoundNoticesTable>
}

export interface Schema extends Views {
  users: Accounts.UsersTable
  sessions: Accounts.SessionsTable
  sign_in_tokens: Accounts.SignInTokensTable
  oauth_accounts: Accounts.OauthAccountsTable
  passkeys: Accounts.PasskeysTable
  secrets: Accounts.SecretsTable
  email_changes: Accounts.EmailChangesTable
  account_devices: Accounts.AccountDevicesTable
  sign_in_alerts: Accounts.SignInAlertsTable
  security_log: Accounts.SecurityLogTable
  account_erasures: Accounts.AccountErasuresTable
  account_deletions: Accounts.AccountDeletionsTable
  left_roles: Accounts.LeftRolesTable
  profiles_all: Accounts.ProfilesTable
  dogs_all: Dogs.DogsTable
  dog_paths: Dogs.DogPathsTable
  dog_images_all: Dogs.DogImagesTable
  ownership_requests_all: Dogs.OwnershipRequestsTable
  idempotency_keys: Dogs.IdempotencyKeysTable
  dog_likes_all: Dogs.DogLikesTable
  comments_all: Dogs.CommentsTable
  notifications_all: Notifications.NotificationsTable
  member_dogs: Counts.MemberDogsTable
  member_breeds: Counts.MemberBreedsTable
  dog_tallies: Counts.DogTalliesTable
  dog_day_tallies: Counts.DogDayTalliesTable
  like_hour_tallies: Counts.LikeHourTalliesTable
  province_breeds: Counts.ProvinceBreedsTable
  totals: Counts.TotalsTable
  ranking_dogs: Counts.RankingDogsTable
  ranking_likes: Counts.RankingLikesTable
  dog_words: Search.NameWordsTable
  member_words: Search.NameWordsTable
  follows: Accounts.FollowsTable
  first_days: Accounts.FirstDaysTable
  riddles: System.RiddlesTable
  riddle_guesses: System.RiddleGuessesTable
  badges: Badges.BadgesTable
  challenge_entries: Badges.ChallengeEntriesTable
  member_years: Years.MemberYearsTable
  community_years: Years.CommunityYearsTable
  contact_threads: Contact.ContactThreadsTable
  contact_messages: Contact.ContactMessagesTable
  contact_mails: Contact.ContactMailsTable
  reported_messages: Contact.ReportedMessagesTable
  lost_cases: Lost.LostCasesTable
  lost_history: Lost.LostHistoryTable
  opinion_requests: Opinions.OpinionRequestsTable
  breed_opinions_all: Opinions.BreedOpinionsTable
  lost_alert_settings: LostAlerts.LostAlertSettingsTable
  lost_alerted_dogs: LostAlerts.LostAlertedDogsTable
  sightings_all: Sightings.SightingsTable
  sighting_photos: Sightings.SightingPhotosTable
  sighting_refusals: Sightings.SightingRefusalsTable
  sighting_keys: Sightings.SightingKeysTable
  found_notices_all: Found.FoundNoticesTable
  found_photos: Found.FoundPhotosTable
  found_matches: Found.FoundMatchesTable
  found_claims: Found.FoundClaimsTable
  found_reports: Found.FoundReportsTable
  found_scans: Found.FoundScansTable
  breed_overrides: System.BreedOverridesTable
  events: System.EventsTable
  jobs: System.JobsTable
  geocodes: System.GeocodesTable
  daily_budgets: System.DailyBudgetsTable
  push_subscriptions: Notifications.PushSubscriptionsTable
  notice_settings: Notifications.NoticeSettingsTable
  push_queue: Notifications.PushQueueTable
  push_keys: Notifications.PushKeysTable
  digests: Notifications.DigestsTable
  home_zones: Notifications.HomeZonesTable
  reports: Moderation.ReportsTable
  report_keys: Moderation.ReportKeysTable
  cases: Moderation.CasesTable
  decisions: Moderation.DecisionsTable
  decision_people: Moderation.DecisionPeopleTable
  admin_log: Moderation.AdminLogTable
  bans: Moderation.BansTable
  ban_digests: Moderation.BanDigestsTable
  ban_keys: Moderation.BanKeysTable
  blocks: Moderation.BlocksTable
}

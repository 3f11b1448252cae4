import type { Schema } from './schema.ts'

/**
 * Sessions, notifications, queues, secrets, limits and logs: a page that several readers share may not read them (`recordReads`), so that
 * nothing of them enters it, and their writes make none out of date. Other tables of people are not listed where such a page asks them for
 * what it leaves out or counts for everybody: blocks, sightings, accounts that wait for their deletion.
 */
const TABLES = [
  'account_devices',
  'admin_log',
  'contact_mails',
  'daily_budgets',
  'digests',
  'email_changes',
  'events',
  'idempotency_keys',
  'jobs',
  'notice_settings',
  'notifications_all',
  'oauth_accounts',
  'passkeys',
  'push_keys',
  'push_queue',
  'push_subscriptions',
  'report_keys',
  'riddle_guesses',
  'secrets',
  'security_log',
  'sessions',
  'sighting_keys',
  'sign_in_alerts',
  'sign_in_tokens',
] as const satisfies readonly (keyof Schema)[]

export const PRIVATE_TABLES: ReadonlySet<string> = new Set(TABLES)

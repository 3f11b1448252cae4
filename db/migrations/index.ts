import type { Migration } from 'kysely/migration'
import * as tables from './2026-11-20-tables.ts'
import * as counts from './2026-11-20-z-counts.ts'
import * as breedOverrides from './2026-11-20-zz-breed-overrides.ts'
import * as figureIndexes from './2026-11-20-zz-figure-indexes.ts'
import * as adminLists from './2026-11-21-admin-lists.ts'
import * as events from './2026-11-21-events.ts'
import * as mapChanges from './2026-11-21-map-changes.ts'
import * as ownershipRequests from './2026-11-21-ownership-requests.ts'
import * as rankingCounts from './2026-11-21-ranking-counts.ts'
import * as sessionDevices from './2026-11-21-session-devices.ts'
import * as geocodes from './2026-11-21-zz-geocodes.ts'
import * as push from './2026-11-22-push.ts'
import * as pushDigests from './2026-11-22-push-digests.ts'
import * as photoBlurs from './2026-11-23-photo-blurs.ts'
import * as trust from './2026-11-23-trust.ts'
import * as sitemap from './2026-11-24-sitemap.ts'
import * as dogProvinces from './2026-11-24-z-dog-provinces.ts'
import * as words from './2026-11-25-words.ts'
import * as alts from './2026-11-25-z-alts.ts'
import * as signIns from './2026-11-26-sign-ins.ts'
import * as eventSubjects from './2026-11-27-event-subjects.ts'
import * as doorNumbers from './2026-11-28-door-numbers.ts'
import * as likeBundles from './2026-11-28-like-bundles.ts'
import * as wholeKilograms from './2026-11-29-whole-kilograms.ts'
import * as photoMoves from './2026-11-30-photo-moves.ts'
import * as banDigests from './2026-11-30-z-ban-digests.ts'
import * as dailyBudgets from './2026-11-30-zz-daily-budgets.ts'
import * as likeHours from './2026-12-01-like-hours.ts'
import * as accountErasures from './2026-12-02-account-erasures.ts'

/** In order of name. Listed by hand, because a folder scan breaks once bundled. Never edit one that has landed: add. */
export const migrations: Record<string, Migration> = {
  '2026-11-20-tables': tables,
  '2026-11-20-z-counts': counts,
  '2026-11-20-zz-breed-overrides': breedOverrides,
  '2026-11-20-zz-figure-indexes': figureIndexes,
  '2026-11-21-admin-lists': adminLists,
  '2026-11-21-events': events,
  '2026-11-21-map-changes': mapChanges,
  '2026-11-21-ownership-requests': ownershipRequests,
  '2026-11-21-ranking-counts': rankingCounts,
  '2026-11-21-session-devices': sessionDevices,
  '2026-11-21-zz-geocodes': geocodes,
  '2026-11-22-push': push,
  '2026-11-22-push-digests': pushDigests,
  '2026-11-23-photo-blurs': photoBlurs,
  '2026-11-23-trust': trust,
  '2026-11-24-sitemap': sitemap,
  '2026-11-24-z-dog-provinces': dogProvinces,
  '2026-11-25-words': words,
  '2026-11-25-z-alts': alts,
  '2026-11-26-sign-ins': signIns,
  '2026-11-27-event-subjects': eventSubjects,
  '2026-11-28-door-numbers': doorNumbers,
  '2026-11-28-like-bundles': likeBundles,
  '2026-11-29-whole-kilograms': wholeKilograms,
  '2026-11-30-photo-moves': photoMoves,
  '2026-11-30-z-ban-digests': banDigests,
  '2026-11-30-zz-daily-budgets': dailyBudgets,
  '2026-12-01-like-hours': likeHours,
  '2026-12-02-account-erasures': accountErasures,
}

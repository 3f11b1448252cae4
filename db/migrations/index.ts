import type { Migration } from 'kysely/migration'
import * as tables from './base/2026-11-20-1643-tables.ts'
import * as counts from './base/2026-11-20-1644-counts.ts'
import * as breedOverrides from './base/2026-11-20-1721-breed-overrides.ts'
import * as weightAgeIndexes from './base/2026-11-20-1731-weight-age-indexes.ts'
import * as adminLists from './base/2026-11-21-1745-admin-lists.ts'
import * as events from './base/2026-11-21-1746-events.ts'
import * as dogsUpdatedIndex from './base/2026-11-21-1747-dogs-updated-index.ts'
import * as ownershipRequests from './base/2026-11-21-1805-ownership-requests.ts'
import * as rankingCounts from './base/2026-11-21-1806-ranking-counts.ts'
import * as sessionDevices from './base/2026-11-21-1807-session-devices.ts'
import * as geocodes from './base/2026-11-21-1934-geocodes.ts'
import * as push from './base/2026-11-21-2132-push.ts'
import * as weeklyDigests from './base/2026-11-21-2151-weekly-digests.ts'
import * as photoBlurs from './base/2026-11-22-0439-photo-blurs.ts'
import * as moderation from './base/2026-11-22-0440-moderation.ts'
import * as sitemap from './base/2026-11-22-0858-sitemap.ts'
import * as dogProvinces from './base/2026-11-22-0910-dog-provinces.ts'
import * as nameWords from './base/2026-11-22-0912-name-words.ts'
import * as photoAlts from './base/2026-11-22-1035-photo-alts.ts'
import * as signIns from './base/2026-11-22-1646-sign-ins.ts'
import * as eventSubjects from './base/2026-11-22-1647-event-subjects.ts'
import * as houseNumbers from './base/2026-11-22-1724-house-numbers.ts'
import * as groupedLikes from './base/2026-11-22-1730-grouped-likes.ts'
import * as kilogramIndexes from './base/2026-11-22-1754-kilogram-indexes.ts'
import * as photoMoves from './base/2026-11-22-1946-photo-moves.ts'
import * as banDigests from './base/2026-11-22-2006-ban-digests.ts'
import * as dailyBudgets from './base/2026-11-22-2007-daily-budgets.ts'
import * as likeHours from './base/2026-11-22-2039-like-hours.ts'
import * as accountErasures from './2026-11-23-0120-account-erasures.ts'
import * as namesAtRead from './2026-11-23-0340-names-at-read.ts'
import * as caseEdits from './2026-11-23-0345-case-edits.ts'
import * as quarantineRights from './2026-11-23-0500-quarantine-rights.ts'
import * as quarantinedRows from './2026-11-23-0510-quarantined-rows.ts'
import * as notificationTargets from './2026-11-23-0816-notification-targets.ts'
import * as unfinishedBlocks from './2026-11-23-0818-unfinished-blocks.ts'
import * as detachedLines from './2026-11-23-1234-detached-lines.ts'
import * as aliasKeys from './2026-11-23-1830-alias-keys.ts'
import * as unmarkedHouseNumbers from './2026-11-23-1855-unmarked-house-numbers.ts'
import * as wordsByWriters from './2026-11-24-0058-words-by-writers.ts'
import * as readNotificationsIndex from './2026-11-24-0135-read-notifications-index.ts'
import * as nodeMemory from './2026-11-24-0400-node-memory.ts'
import * as pushKeys from './2026-11-24-0405-push-keys.ts'
import * as passkeys from './2026-11-26-1142-passkeys.ts'
import * as accountDeletions from './2026-11-26-1810-account-deletions.ts'
import * as securityLog from './2026-11-26-1820-security-log.ts'
import * as mailsOfACode from './2026-11-26-1830-mails-of-a-code.ts'
import * as riddles from './2026-11-26-1930-riddles.ts'
import * as follows from './2026-11-26-2130-follows.ts'
import * as homeZones from './2026-11-26-2131-home-zones.ts'
import * as albumLinks from './2026-11-26-2132-album-links.ts'
import * as seasonalFrames from './2026-11-26-2133-seasonal-frames.ts'
import * as badges from './2026-11-26-2134-badges.ts'
import * as memberYears from './2026-11-26-2135-member-years.ts'
import * as firstDays from './2026-11-26-2136-first-days.ts'
import * as lostDogs from './2026-11-27-0100-lost-dogs.ts'
import * as lostAlerts from './2026-11-27-0101-lost-alerts.ts'
import * as lostHistoryOwners from './2026-11-27-0101-lost-history-owners.ts'
import * as sightings from './2026-11-27-0102-sightings.ts'
import * as contact from './2026-11-27-0103-contact.ts'
import * as foundNotices from './2026-11-27-0104-found-notices.ts'
import * as breedOpinions from './2026-11-27-0105-breed-opinions.ts'
import * as sightingThreads from './2026-11-27-0110-sighting-threads.ts'
import * as finderAddresses from './2026-11-27-0111-finder-addresses.ts'
import * as reportedMessages from './2026-11-27-0112-reported-messages.ts'
import * as alertedDogs from './2026-11-27-0120-alerted-dogs.ts'
import * as foundReports from './2026-11-27-0121-found-reports.ts'
import * as homecomings from './2026-11-27-0130-homecomings.ts'
import * as lostMailRetries from './2026-11-27-0130-lost-mail-retries.ts'
import * as nearAlerts from './2026-11-27-0130-near-alerts.ts'
import * as sightingsByCase from './2026-11-27-0130-sightings-by-case.ts'
import * as toldNotices from './2026-11-27-0130-told-notices.ts'
import * as reporterNetworks from './2026-11-27-1010-reporter-networks.ts'
import * as countsInOneOrder from './2026-11-27-1017-counts-in-one-order.ts'
import * as refusingNetworks from './2026-11-27-1340-refusing-networks.ts'
import * as likesCountedTogether from './2026-11-27-1345-likes-counted-together.ts'
import * as lostCircles from './2026-11-28-0900-lost-circles.ts'
import * as endedThreads from './2026-11-28-0910-ended-threads.ts'
import * as accountsInDispute from './2026-11-28-0917-accounts-in-dispute.ts'
import * as notificationBundles from './2026-11-28-2105-notification-bundles.ts'
import * as requestAnswers from './2026-11-28-2106-request-answers.ts'
import * as proposedTexts from './2026-11-29-0048-proposed-texts.ts'
import * as removedWays from './2026-11-29-0210-removed-ways.ts'
import * as changesInOrder from './2026-11-29-1730-changes-in-order.ts'
import * as hiddenContent from './2026-11-29-2140-hidden-content.ts'
import * as hiddenProfiles from './2026-11-29-2230-hidden-profiles.ts'
import * as hiddenDogs from './2026-11-30-0010-hidden-dogs.ts'
import * as returnedDogs from './2026-11-30-0011-returned-dogs.ts'
import * as notificationsOfLeaving from './2026-11-30-0020-notifications-of-leaving.ts'
import * as hiddenSightings from './2026-11-30-0030-hidden-sightings.ts'
import * as secrets from './2026-11-30-0040-secrets.ts'
import * as jobs from './2026-11-30-0050-jobs.ts'
import * as limitsByNode from './2026-11-30-0500-limits-by-node.ts'
import * as eventsWithoutContent from './2026-11-30-0510-events-without-content.ts'

/**
 * Every migration by the name that databases remember, in order of name. The list is written by hand, because a scan of the
 * folder finds nothing once the program is bundled. `base/` holds the oldest ones.
 */
export const migrations: Record<string, Migration> = {
  '2026-11-20-1643-tables': tables,
  '2026-11-20-1644-counts': counts,
  '2026-11-20-1721-breed-overrides': breedOverrides,
  '2026-11-20-1731-weight-age-indexes': weightAgeIndexes,
  '2026-11-21-1745-admin-lists': adminLists,
  '2026-11-21-1746-events': events,
  '2026-11-21-1747-dogs-updated-index': dogsUpdatedIndex,
  '2026-11-21-1805-ownership-requests': ownershipRequests,
  '2026-11-21-1806-ranking-counts': rankingCounts,
  '2026-11-21-1807-session-devices': sessionDevices,
  '2026-11-21-1934-geocodes': geocodes,
  '2026-11-21-2132-push': push,
  '2026-11-21-2151-weekly-digests': weeklyDigests,
  '2026-11-22-0439-photo-blurs': photoBlurs,
  '2026-11-22-0440-moderation': moderation,
  '2026-11-22-0858-sitemap': sitemap,
  '2026-11-22-0910-dog-provinces': dogProvinces,
  '2026-11-22-0912-name-words': nameWords,
  '2026-11-22-1035-photo-alts': photoAlts,
  '2026-11-22-1646-sign-ins': signIns,
  '2026-11-22-1647-event-subjects': eventSubjects,
  '2026-11-22-1724-house-numbers': houseNumbers,
  '2026-11-22-1730-grouped-likes': groupedLikes,
  '2026-11-22-1754-kilogram-indexes': kilogramIndexes,
  '2026-11-22-1946-photo-moves': photoMoves,
  '2026-11-22-2006-ban-digests': banDigests,
  '2026-11-22-2007-daily-budgets': dailyBudgets,
  '2026-11-22-2039-like-hours': likeHours,
  '2026-11-23-0120-account-erasures': accountErasures,
  '2026-11-23-0340-names-at-read': namesAtRead,
  '2026-11-23-0345-case-edits': caseEdits,
  '2026-11-23-0500-quarantine-rights': quarantineRights,
  '2026-11-23-0510-quarantined-rows': quarantinedRows,
  '2026-11-23-0816-notification-targets': notificationTargets,
  '2026-11-23-0818-unfinished-blocks': unfinishedBlocks,
  '2026-11-23-1234-detached-lines': detachedLines,
  '2026-11-23-1830-alias-keys': aliasKeys,
  '2026-11-23-1855-unmarked-house-numbers': unmarkedHouseNumbers,
  '2026-11-24-0058-words-by-writers': wordsByWriters,
  '2026-11-24-0135-read-notifications-index': readNotificationsIndex,
  '2026-11-24-0400-node-memory': nodeMemory,
  '2026-11-24-0405-push-keys': pushKeys,
  '2026-11-26-1142-passkeys': passkeys,
  '2026-11-26-1810-account-deletions': accountDeletions,
  '2026-11-26-1820-security-log': securityLog,
  '2026-11-26-1830-mails-of-a-code': mailsOfACode,
  '2026-11-26-1930-riddles': riddles,
  '2026-11-26-2130-follows': follows,
  '2026-11-26-2131-home-zones': homeZones,
  '2026-11-26-2132-album-links': albumLinks,
  '2026-11-26-2133-seasonal-frames': seasonalFrames,
  '2026-11-26-2134-badges': badges,
  '2026-11-26-2135-member-years': memberYears,
  '2026-11-26-2136-first-days': firstDays,
  '2026-11-27-0100-lost-dogs': lostDogs,
  '2026-11-27-0101-lost-alerts': lostAlerts,
  '2026-11-27-0101-lost-history-owners': lostHistoryOwners,
  '2026-11-27-0102-sightings': sightings,
  '2026-11-27-0103-contact': contact,
  '2026-11-27-0104-found-notices': foundNotices,
  '2026-11-27-0105-breed-opinions': breedOpinions,
  '2026-11-27-0110-sighting-threads': sightingThreads,
  '2026-11-27-0111-finder-addresses': finderAddresses,
  '2026-11-27-0112-reported-messages': reportedMessages,
  '2026-11-27-0120-alerted-dogs': alertedDogs,
  '2026-11-27-0121-found-reports': foundReports,
  '2026-11-27-0130-homecomings': homecomings,
  '2026-11-27-0130-lost-mail-retries': lostMailRetries,
  '2026-11-27-0130-near-alerts': nearAlerts,
  '2026-11-27-0130-sightings-by-case': sightingsByCase,
  '2026-11-27-0130-told-notices': toldNotices,
  '2026-11-27-1010-reporter-networks': reporterNetworks,
  '2026-11-27-1017-counts-in-one-order': countsInOneOrder,
  '2026-11-27-1340-refusing-networks': refusingNetworks,
  '2026-11-27-1345-likes-counted-together': likesCountedTogether,
  '2026-11-28-0900-lost-circles': lostCircles,
  '2026-11-28-0910-ended-threads': endedThreads,
  '2026-11-28-0917-accounts-in-dispute': accountsInDispute,
  '2026-11-28-2105-notification-bundles': notificationBundles,
  '2026-11-28-2106-request-answers': requestAnswers,
  '2026-11-29-0048-proposed-texts': proposedTexts,
  '2026-11-29-0210-removed-ways': removedWays,
  '2026-11-29-1730-changes-in-order': changesInOrder,
  '2026-11-29-2140-hidden-content': hiddenContent,
  '2026-11-29-2230-hidden-profiles': hiddenProfiles,
  '2026-11-30-0010-hidden-dogs': hiddenDogs,
  '2026-11-30-0011-returned-dogs': returnedDogs,
  '2026-11-30-0020-notifications-of-leaving': notificationsOfLeaving,
  '2026-11-30-0030-hidden-sightings': hiddenSightings,
  '2026-11-30-0040-secrets': secrets,
  '2026-11-30-0050-jobs': jobs,
  '2026-11-30-0500-limits-by-node': limitsByNode,
  '2026-11-30-0510-events-without-content': eventsWithoutContent,
}

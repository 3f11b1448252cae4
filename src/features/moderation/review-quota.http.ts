import type { Quota } from '#lib/quota.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '#lib/time.ts'
import { limit, limitSuccessful } from '#server/limits/rate-limit.ts'
import { MODERATION_TEXTS, NETWORK_REVIEWS_PER_DAY, REVIEWS_PER_DAY } from './moderation.ts'

// How much one account and one network may put before the admin.

const dayQuota = (name: string, caller: string, ip: string, text: string, networkText: string): Quota => {
  const ofCaller = limitSuccessful(name, caller, REVIEWS_PER_DAY, DAY_SECONDS, text)
  const ofNetwork = limitSuccessful(`${name}-network`, ip, NETWORK_REVIEWS_PER_DAY, DAY_SECONDS, networkText)
  // The caller's limit comes first: a request it refuses takes nothing from the network's.
  return (action, isCountable) => ofCaller(() => ofNetwork(action, isCountable), isCountable)
}

/**
 * The daily quota of a member's texts and dogs that are hidden for a review, and of all members of a network: deleting what waits
 * gives nothing back, and an account that is deleted and opened again stays within its network's.
 */
export const reviewQuota = (userId: string, ip: string): Quota =>
  dayQuota('review-add', userId, ip, MODERATION_TEXTS.tooManyReviewsToday, MODERATION_TEXTS.tooManyNetworkReviews)

/** What one caller tries to report in an hour: more than honest use needs. */
const REPORTS_PER_HOUR = 30

/**
 * The quota of reports, whatever they are about: tries of an hour, and what is reported in a day by the caller and by all of a network.
 * @param caller the member, or a visitor's network
 * @param text why not
 * @throws AppError 429
 */
export async function reportQuota(
  caller: string,
  ip: string,
  text: string = MODERATION_TEXTS.manyReports,
): Promise<Quota> {
  await limit('report', caller, REPORTS_PER_HOUR, HOUR_SECONDS, text)
  return dayQuota('report-day', caller, ip, text, text)
}

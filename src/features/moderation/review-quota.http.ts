import type { Quota } from '#lib/quota.ts'
import { DAY_SECONDS } from '#lib/time.ts'
import { limitSuccessful } from '#server/limits/rate-limit.ts'
import { MODERATION_TEXTS, NETWORK_REVIEWS_PER_DAY, REVIEWS_PER_DAY } from './moderation.ts'

/**
 * The daily quota of a member's texts and dogs that are hidden for a review, and of all members of a network: deleting what waits
 * gives nothing back, and an account that is deleted and opened again stays within its network's.
 */
export function reviewQuota(userId: string, ip: string, name = 'review-add'): Quota {
  const ofMember = limitSuccessful(name, userId, REVIEWS_PER_DAY, DAY_SECONDS, MODERATION_TEXTS.tooManyReviewsToday)
  const ofNetwork = limitSuccessful(
    `${name}-network`,
    ip,
    NETWORK_REVIEWS_PER_DAY,
    DAY_SECONDS,
    MODERATION_TEXTS.tooManyNetworkReviews,
  )
  // The member's limit comes first: a request it refuses takes nothing from the network's.
  return (action, isCountable) => ofMember(() => ofNetwork(action, isCountable), isCountable)
}

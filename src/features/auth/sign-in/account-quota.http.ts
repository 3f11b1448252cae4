import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { getEnv } from '#server/env.ts'
import { limitSuccessful } from '#server/limits/rate-limit.ts'
import { SIGN_IN_TEXTS } from './sign-in.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

/**
 * Whether somebody of this network may become a member now: ACCOUNTS_PER_DAY of one network, ACCOUNTS_PER_HOUR of all, 0 for
 * as many as come. Who is a member already is never asked.
 */
export function newAccountQuota(ip: string): Quota {
  const { accountsPerDay, accountsPerHour } = getEnv()
  const ofNetwork = accountsPerDay
    ? limitSuccessful('accounts of an ip a day', ip, accountsPerDay, DAY_SECONDS, SIGN_IN_TEXTS.manyAccounts)
    : unlimitedQuota
  const ofAll = accountsPerHour
    ? limitSuccessful('accounts an hour', 'all', accountsPerHour, HOUR_SECONDS, SIGN_IN_TEXTS.crowded)
    : unlimitedQuota
  // The network's own first: one that is refused takes nothing of what all share.
  return (deed, isDone) => ofNetwork(() => ofAll(deed, isDone), isDone)
}

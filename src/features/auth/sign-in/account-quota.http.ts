import { DAY_SECONDS, HOUR_SECONDS } from '#lib/time.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { getEnv } from '#server/env.ts'
import { countRefusals } from '#server/limits/network-conduct.ts'
import { limitSuccessful } from '#server/limits/rate-limit.ts'
import { MAIL_LIMIT_TEXTS } from './sign-in.ts'

/**
 * Limits new accounts: ACCOUNTS_PER_DAY per network and ACCOUNTS_PER_HOUR overall, each unlimited at 0. Sign-ins to existing
 * accounts do not count.
 */
export function newAccountQuota(network: string): Quota {
  const { accountsPerDay, accountsPerHour } = getEnv()
  const ofNetwork = accountsPerDay
    ? countRefusals(
        network,
        limitSuccessful('account-create', network, accountsPerDay, DAY_SECONDS, MAIL_LIMIT_TEXTS.manyAccounts),
      )
    : unlimitedQuota
  const ofAll = accountsPerHour
    ? limitSuccessful('account-create-total', 'all', accountsPerHour, HOUR_SECONDS, MAIL_LIMIT_TEXTS.crowded)
    : unlimitedQuota
  // The network's limit comes first: a request it refuses takes nothing from the shared one.
  return (action, isDone) => ofNetwork(() => ofAll(action, isDone), isDone)
}

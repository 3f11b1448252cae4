import { type Admit, admitAll } from '#lib/admit.ts'
import { getEnv } from '#server/env.ts'
import { limitDone } from '#server/rate.ts'
import { TEXTS } from './sign-in.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/**
 * Whether somebody of this network may become a member now: ACCOUNTS_PER_DAY of one network, ACCOUNTS_PER_HOUR of all, 0 for
 * as many as come. Who is a member already is never asked.
 */
export function admitFrom(ip: string): Admit {
  const { accountsPerDay, accountsPerHour } = getEnv()
  const ofNetwork = accountsPerDay
    ? limitDone('accounts of an ip a day', ip, accountsPerDay, DAY, TEXTS.manyAccounts)
    : admitAll
  const ofAll = accountsPerHour ? limitDone('accounts an hour', 'all', accountsPerHour, HOUR, TEXTS.crowded) : admitAll
  // The network's own first: one that is refused takes nothing of what all share.
  return (deed, isDone) => ofNetwork(() => ofAll(deed, isDone), isDone)
}

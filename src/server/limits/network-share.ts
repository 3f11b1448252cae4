import { DAY_SECONDS } from '#lib/time.ts'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { type Quota, unlimitedQuota } from '#lib/quota.ts'
import { limitAmount, limitSuccessful } from './rate-limit.ts'

/** What one network (of IPv6 a /48) may use of a budget or queue of everybody: four networks at least use it up. */
export const NETWORK_SHARE = 0.25

/**
 * Takes `cost` from the share that a network has of a daily budget, for its members and visitors together, counted as by
 * `limitAmount`: addresses are not stored.
 * @param name the limit's name, a constant
 * @param network the network (connections/client-network.ts)
 * @param budget of everybody in a day; 0: no limit
 * @param detail Spanish sentence for a network whose share is used up
 * @throws AppError 429 with Retry-After
 */
export async function limitNetworkShare(
  name: string,
  network: string,
  cost: number,
  budget: number,
  detail: string,
): Promise<void> {
  if (budget === 0) return
  await limitAmount(name, toSitePrefix(network), cost, shareOf(budget), DAY_SECONDS, detail)
}

/** The same for one action, which counts only when it succeeds. */
export const networkShareQuota = (name: string, network: string, budget: number, detail: string): Quota =>
  budget === 0 ? unlimitedQuota : limitSuccessful(name, toSitePrefix(network), shareOf(budget), DAY_SECONDS, detail)

const shareOf = (budget: number) => Math.max(1, Math.floor(budget * NETWORK_SHARE))

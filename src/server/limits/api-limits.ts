import { limit } from './rate-limit.ts'
import { MINUTE_SECONDS } from '#lib/time.ts'

/** Writes of one network and of one member, in addition to the limits of each route. A room full of people stays far below. */
const WRITES_PER_MINUTE_OF_NETWORK = 3000
const WRITES_PER_MINUTE_OF_MEMBER = 2000

export interface ApiCall {
  method: string
  /** Path of the address, without its query. */
  path: string
  /** The network (connections/client-network.ts). */
  network: string
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * The limit of every call of a network, in addition to the route's own, so that every route has one. It applies before the
 * session is looked up: a refused call costs no statement.
 * @param perMinute pages of one network (RENDERS_PER_MINUTE); 0 limits neither pages nor calls
 * @throws AppError 429
 */
export async function limitNetworkCall({ method, path, network }: ApiCall, perMinute: number): Promise<void> {
  if (perMinute === 0) return
  if (!isRead(method)) await limit('write-network', network, WRITES_PER_MINUTE_OF_NETWORK, MINUTE_SECONDS)
  else if (path.startsWith('/api/')) await limit('read-network', network, perMinute * 2, MINUTE_SECONDS)
}

/** The limit of every write of a member, over all networks. @param perMinute as `limitNetworkCall` @throws AppError 429 */
export async function limitMemberCall(method: string, userId: string | undefined, perMinute: number): Promise<void> {
  if (perMinute === 0 || isRead(method) || !userId) return
  await limit('write-member', userId, WRITES_PER_MINUTE_OF_MEMBER, MINUTE_SECONDS)
}

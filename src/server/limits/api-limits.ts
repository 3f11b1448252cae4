import { limit } from './rate-limit.ts'

const MINUTE_SECONDS = 60
/** Of one network and of one member, beside what each call counts for itself. A room full of people stays far below. */
const WRITES_PER_MINUTE_OF_NETWORK = 3000
const WRITES_PER_MINUTE_OF_MEMBER = 2000

export interface ApiCall {
  method: string
  /** Of the address, without its query. */
  path: string
  /** The network (ip.ts). */
  ip: string
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * The limit of every call of a network, whatever others it has of its own: no route is left without one. It comes before
 * the session is looked up, so that a call beyond it costs no statement.
 * @param perMinute pages of one network (RENDERS_PER_MINUTE); where they are not limited (0), calls are not either
 * @throws AppError 429
 */
export async function limitNetworkCall({ method, path, ip }: ApiCall, perMinute: number): Promise<void> {
  if (perMinute === 0) return
  if (!isRead(method)) await limit('writes of an ip', ip, WRITES_PER_MINUTE_OF_NETWORK, MINUTE_SECONDS)
  else if (path.startsWith('/api/')) await limit('reads of an ip', ip, perMinute * 2, MINUTE_SECONDS)
}

/** The limit of every write of a member, over all networks. @param perMinute as `limitNetworkCall` @throws AppError 429 */
export async function limitMemberCall(method: string, userId: string | undefined, perMinute: number): Promise<void> {
  if (perMinute === 0 || isRead(method) || !userId) return
  await limit('writes of a member', userId, WRITES_PER_MINUTE_OF_MEMBER, MINUTE_SECONDS)
}

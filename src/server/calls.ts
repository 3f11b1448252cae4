import { limit } from './rate.ts'

const MINUTE = 60
/** Of one network and of one member, beside what each call counts for itself. A room full of people stays far below. */
const WRITES_OF_AN_IP = 3000
const WRITES_OF_A_MEMBER = 2000

export interface Call {
  method: string
  /** Of the address, without its query. */
  path: string
  /** The network (ip.ts). */
  ip: string
  userId: string | undefined
}

/**
 * The limit of every call, whatever others it has of its own: no route is left without one.
 * @param perMinute pages of one network (RENDERS_PER_MINUTE); where they are not limited (0), calls are not either
 * @throws AppError 429
 */
export async function limitCall({ method, path, ip, userId }: Call, perMinute: number): Promise<void> {
  if (perMinute === 0) return
  if (method === 'GET' || method === 'HEAD') {
    if (path.startsWith('/api/')) await limit('reads of an ip', ip, perMinute * 2, MINUTE)
    return
  }
  await limit('writes of an ip', ip, WRITES_OF_AN_IP, MINUTE)
  if (userId) await limit('writes of a member', userId, WRITES_OF_A_MEMBER, MINUTE)
}

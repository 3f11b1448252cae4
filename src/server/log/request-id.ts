import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const REQUEST_ID_HEADER = 'X-Request-Id'

const requestIdStore = new AsyncLocalStorage<string>()
/** New at each start, so that a name in an old log is never taken for one of today. */
const PROCESS_PREFIX = randomBytes(4).toString('hex')
let count = 0

/** What a proxy may call a request: it ends in the log, so nothing that could pretend to be more of it. */
const ACCEPTED_PROXY_ID = /^[\w.-]{1,64}$/

/** A name for a request: ours, or under TRUST_PROXY the proxy's own, so that both logs say the same. */
export function createRequestId(req?: IncomingMessage, trustProxy = false): string {
  const given = trustProxy ? req?.headers['x-request-id'] : undefined
  if (typeof given === 'string' && ACCEPTED_PROXY_ID.test(given)) return given
  return `${PROCESS_PREFIX}-${(++count).toString(36)}`
}

/** Does `work` as that request: whatever is logged meanwhile carries its name. */
export const runWithRequestId = <T>(id: string, work: () => T): T => requestIdStore.run(id, work)

/** The name of the request that is being answered here; undefined outside of any. */
export const currentRequestId = (): string | undefined => requestIdStore.getStore()

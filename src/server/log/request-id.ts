import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const REQUEST_ID_HEADER = 'X-Request-Id'

const requestIdStore = new AsyncLocalStorage<string>()
/** New at each start, so that ids of an older log do not come again. */
const PROCESS_PREFIX = randomBytes(4).toString('hex')
let count = 0

/** Ids that are accepted from a proxy: they end in the log, so they hold nothing that could forge another line. */
const ACCEPTED_PROXY_ID = /^[\w.-]{1,64}$/

/** An id for a request: ours, or under TRUST_PROXY the proxy's own, so that both logs have the same. */
export function createRequestId(req?: IncomingMessage, trustProxy = false): string {
  const proxyId = trustProxy ? req?.headers['x-request-id'] : undefined
  if (typeof proxyId === 'string' && ACCEPTED_PROXY_ID.test(proxyId)) return proxyId
  return `${PROCESS_PREFIX}-${(++count).toString(36)}`
}

/** Runs `work` as that request: every line logged meanwhile has its id. */
export const runWithRequestId = <T>(id: string, work: () => T): T => requestIdStore.run(id, work)

/** The id of the request that is being answered here; undefined outside of any. */
export const currentRequestId = (): string | undefined => requestIdStore.getStore()

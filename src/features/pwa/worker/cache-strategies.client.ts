// Caches that hold at most so much: what came first goes first.

export interface CacheBounds {
  entries: number
  bytes: number
}

/** A full device is no reason for a page to fail: what cannot be kept is not. */
export async function putBounded(
  name: string,
  request: Request | string,
  response: Response,
  bounds: CacheBounds,
): Promise<void> {
  try {
    const cache = await caches.open(name)
    await cache.put(request, response)
    await trim(name, cache, bounds)
  } catch {
    // No room left (QuotaExceededError), or the answer broke off.
  }
}

const contentLength = (response: Response): number => Number(response.headers.get('content-length') ?? 0)

/** Counting costs a look at every entry, so it is done now and then; at first too, since no worker lives for long. */
const TRIM_INTERVAL = 20
/** By name: a cache is another object each time it is opened. */
const putCounts = new Map<string, number>()

async function trim(name: string, cache: Cache, { entries, bytes }: CacheBounds): Promise<void> {
  const keys = [...(await cache.keys())]
  const times = putCounts.get(name) ?? 0
  putCounts.set(name, times + 1)
  const spare = keys.splice(0, Math.max(0, keys.length - entries))
  if (bytes < Infinity && times % TRIM_INTERVAL === 0) {
    let sum = 0
    // From the newest back: what no longer fits goes.
    for (const key of keys.toReversed()) {
      const response = await cache.match(key)
      sum += response ? contentLength(response) : 0
      if (sum > bytes) spare.push(key)
    }
  }
  await Promise.all(spare.map((key) => cache.delete(key)))
}

/** What is kept, or the network's answer, which is kept from then on. For what never changes under its address. */
export async function cacheFirst(name: string, request: Request, bounds: CacheBounds): Promise<Response> {
  // Photos vary by what a browser reads, which here is always the same one.
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(request)
  if (response.status === 200) await putBounded(name, request, response.clone(), bounds)
  return response
}

/** What is kept, asked for again in the background; for what changes with a build. */
export async function staleWhileRevalidate(
  name: string,
  request: Request,
  bounds: CacheBounds,
  wait: (work: Promise<unknown>) => void,
): Promise<Response> {
  const kept = await caches.match(request)
  const fresh = fetch(request).then(async (response) => {
    if (response.status === 200) await putBounded(name, request, response.clone(), bounds)
    return response
  })
  if (!kept) return fresh
  wait(fresh.catch(() => undefined))
  return kept
}

/** The network's answer, or without one what is kept. For data that may have changed. @throws where there is neither */
export async function networkFirst(name: string, request: Request, bounds: CacheBounds): Promise<Response> {
  try {
    const response = await fetch(request)
    if (response.status === 200) await putBounded(name, request, response.clone(), bounds)
    return response
  } catch (error) {
    const kept = await caches.match(request)
    if (kept) return kept
    throw error
  }
}

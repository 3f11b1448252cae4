// Bounded caches: the oldest entries are evicted first.

export interface CacheBounds {
  entries: number
  bytes: number
}

/** Stores a response and evicts old ones. Errors are ignored: a full device must not make a page fail. */
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
    // The storage is full (QuotaExceededError), or the response was interrupted.
  }
}

const contentLength = (response: Response): number => Number(response.headers.get('content-length') ?? 0)

/** Bytes are counted once in so many puts, since that reads every entry; also at the first, since workers are short-lived. */
const TRIM_INTERVAL = 20
/** By cache name, because every `open` returns another object. */
const putCounts = new Map<string, number>()

async function trim(name: string, cache: Cache, { entries, bytes }: CacheBounds): Promise<void> {
  const keys = [...(await cache.keys())]
  const putCount = putCounts.get(name) ?? 0
  putCounts.set(name, putCount + 1)
  const evicted = keys.splice(0, Math.max(0, keys.length - entries))
  if (bytes < Infinity && putCount % TRIM_INTERVAL === 0) {
    let sum = 0
    // From the newest to the oldest: entries beyond the bound are evicted.
    for (const key of keys.toReversed()) {
      const response = await cache.match(key)
      sum += response ? contentLength(response) : 0
      if (sum > bytes) evicted.push(key)
    }
  }
  await Promise.all(evicted.map((key) => cache.delete(key)))
}

/** The cached response, or the network's, which is then cached. For resources that never change under their address. */
export async function cacheFirst(name: string, request: Request, bounds: CacheBounds): Promise<Response> {
  // Photos vary by Accept, which in one browser is always the same.
  const cached = await caches.match(request, { ignoreVary: true })
  if (cached) return cached
  const response = await fetch(request)
  if (response.status === 200) await putBounded(name, request, response.clone(), bounds)
  return response
}

/** The cached response, revalidated in the background. For resources that change with a build. */
export async function staleWhileRevalidate(
  name: string,
  request: Request,
  bounds: CacheBounds,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Response> {
  const cached = await caches.match(request)
  const fresh = fetch(request).then(async (response) => {
    if (response.status === 200) await putBounded(name, request, response.clone(), bounds)
    return response
  })
  if (!cached) return fresh
  waitUntil(fresh.catch(() => undefined))
  return cached
}

/** The network's response, or the cached one without network. For data that may have changed. @throws where there is neither */
export async function networkFirst(name: string, request: Request, bounds: CacheBounds): Promise<Response> {
  try {
    const response = await fetch(request)
    if (response.status === 200) await putBounded(name, request, response.clone(), bounds)
    return response
  } catch (error) {
    const cached = await caches.match(request)
    if (cached) return cached
    throw error
  }
}

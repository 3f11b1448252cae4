import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { matchesEtag, evaluateConditions } from '#lib/http/conditional-requests.ts'
import { readOriginal } from '#features/photos/original.server.ts'
import { type Box, BOXES, photoName } from '#features/photos/photos.ts'
import { isPhotoPublic } from '#features/photos/visibility.server.ts'
import { STORE_RETRY_SECONDS, StoreUnavailableError } from '#features/storage/store-unavailable.ts'
import { type Format, RenderQueueFull, RenderQuotaSpent, type Render, renderPhoto } from './render.server.ts'

/** The allow-list of renders, by size and quality as unpic writes them. Nothing else is rendered on request. */
const RENDERS_BY_MODIFIERS = new Map<string, Render>()
for (const box of Object.keys(BOXES) as Box[])
  for (const scale of [1, 2] as const) {
    const { width, height, quality } = BOXES[box]
    RENDERS_BY_MODIFIERS.set(`q_${quality},s_${width * scale}x${height * scale}`, { box, scale })
  }

interface PhotoRequest {
  name: string
  render: Render | null
}

/** Parses `/photos/{name}`, the photo itself, and `/_ipx/{size}/photos/{name}`, a render; null for anything else. */
function parsePhotoRequest(path: string): PhotoRequest | null {
  const original = photoName(path)
  if (original) return { name: original, render: null }
  const [, modifiers, url] = /^\/_ipx\/([a-z0-9_,]{1,60})(\/photos\/[^/]+)$/.exec(path) ?? []
  const name = url && photoName(url)
  // unpic's ipx writes the default format out; the order of the modifiers has no meaning.
  const parts = modifiers?.split(',').filter((part) => part !== 'f_auto')
  const render = parts && RENDERS_BY_MODIFIERS.get(parts.toSorted().join(','))
  return name && render ? { name, render } : null
}

/** The type is named, with a weight other than 0. */
const TAKES_AVIF = /image\/avif(?!\s*;\s*q=0(\.0*)?\s*(,|$))/
const TAKES_WEBP = /image\/webp(?!\s*;\s*q=0(\.0*)?\s*(,|$))/

/** The best format that `Accept` names. A client that only accepts any type may be an old program: it gets JPEG. */
function formatFor(accept: string, render: Render): Format {
  // At 24 pixels AVIF's container alone outweighs the picture.
  if (TAKES_AVIF.test(accept) && render.box !== 'blur') return 'avif'
  return TAKES_WEBP.test(accept) ? 'webp' : 'jpeg'
}

/** Recently served pictures: a few thousand covers. Slow readers of one picture share its buffer. */
const MEMORY_CACHE_BYTES = 24 * 1024 * 1024

/**
 * Answers `/photos/…` and `/_ipx/…` under `dataDir`; leaves every other request to `next`. It runs before Astro and its
 * middleware: pictures are the same for everyone and cached for ever, so no cookie may travel with them.
 * @param consumeQuota takes a render that has to be made from what a network has; false where nothing is left
 */
export function createPhotoHandler(dataDir: string, consumeQuota?: (network: string) => Promise<boolean>) {
  const memory = new LRUCache<string, Buffer>({
    maxSize: MEMORY_CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length || 1,
  })

  /** Whether the photo is still public: memory may hold one that was removed or hidden. */
  const isPublic = ({ name }: Picture) => isPhotoPublic(dataDir, name)

  /** Resolves a request to its photo, format and headers. */
  function resolvePicture({ name, render }: PhotoRequest, accept = ''): Picture {
    const type = render ? formatFor(accept, render) : 'jpeg'
    return {
      name,
      type,
      // The bytes of photo, box and format together never change.
      etag: render ? `"${name}-${render.box}-${render.scale}x-${type}"` : `"${name}"`,
      headers: { ...IMMUTABLE_HEADERS, 'Content-Type': `image/${type}`, ...(render && { Vary: 'Accept' }) },
    }
  }

  async function load(
    { name, render }: PhotoRequest,
    { type, etag }: Picture,
    network: string,
  ): Promise<Buffer | null> {
    const ofNetwork = consumeQuota && { consumeQuota: () => consumeQuota(network) }
    const body = render ? await renderPhoto(dataDir, name, render, type, ofNetwork) : await readOriginal(dataDir, name)
    if (body) memory.set(etag, body)
    return body
  }

  async function send(
    req: IncomingMessage,
    res: ServerResponse,
    request: PhotoRequest,
    picture: Picture,
    network: string,
  ): Promise<void> {
    if (!(await isPublic(picture))) {
      memory.delete(picture.etag)
      return sendMissing(res)
    }
    const kept = memory.get(picture.etag)
    if (kept) return sendPicture(req, res, picture, kept)
    if (matchesEtag(req.headers['if-none-match'], picture.etag)) return sendPicture(req, res, picture, EMPTY_BODY)
    try {
      const body = await load(request, picture, network)
      // The photo may have been hidden or removed while it was being rendered.
      if (body && (await isPublic(picture))) sendPicture(req, res, picture, body)
      else sendMissing(res)
    } catch (error) {
      if (!(error instanceof RenderQueueFull || error instanceof RenderQuotaSpent)) throw error
      const photo = await readOriginal(dataDir, picture.name)
      if (photo) sendOriginal(req, res, photo)
      else sendMissing(res)
    }
  }

  return (req: IncomingMessage, res: ServerResponse, network: string, next: () => void): void => {
    const path = req.url?.split('?', 1)[0] ?? ''
    const isPhotoPath = path.startsWith('/_ipx/') || path.startsWith('/photos/')
    if (!isPhotoPath || (req.method !== 'GET' && req.method !== 'HEAD')) return next()
    const request = parsePhotoRequest(path)
    if (!request) return sendMissing(res)
    const picture = resolvePicture(request, req.headers.accept)
    const fail = (error: unknown) => {
      const isStoreUnavailable = error instanceof StoreUnavailableError
      // The store logs its own failures, once.
      if (!isStoreUnavailable) console.error('perrario · una foto no se pudo enviar:', error)
      if (res.headersSent) return void res.destroy()
      if (isStoreUnavailable) res.setHeader('Retry-After', STORE_RETRY_SECONDS)
      sendMissing(res, isStoreUnavailable ? 503 : 500)
    }
    send(req, res, request, picture, network).catch(fail)
  }
}

interface Picture {
  name: string
  type: Format
  etag: string
  headers: Record<string, string>
}

/** The body of a 304. */
const EMPTY_BODY = Buffer.alloc(0)

function sendPicture(req: IncomingMessage, res: ServerResponse, { etag, headers }: Picture, body: Buffer): void {
  const {
    status,
    headers: evaluated,
    from,
    to,
  } = evaluateConditions(req.method ?? '', req.headers, { etag, size: body.length, headers })
  res.writeHead(status, evaluated).end(from === to ? undefined : body.subarray(from, to))
}

const IMMUTABLE_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
}

/**
 * Sends the photo itself where the render queue is full or the network's quota is spent: that needs no work, and the browser
 * requests the render next time.
 */
function sendOriginal(req: IncomingMessage, res: ServerResponse, photo: Buffer): void {
  const headers = { 'Content-Type': 'image/jpeg', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  res.writeHead(200, { ...headers, 'Content-Length': photo.length }).end(req.method === 'HEAD' ? undefined : photo)
}

/** Sends an error without a body, uncached: the page shows its placeholder and requests the photo next time. */
function sendMissing(res: ServerResponse, status = 404): void {
  res.setHeader('Cache-Control', 'no-store')
  res.writeHead(status).end()
}

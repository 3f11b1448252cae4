import { statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { matchesEtag, evaluateConditions } from '#lib/http/conditional-requests.ts'
import { photoFile } from '#features/photos/files.server.ts'
import { type Box, BOXES, photoName } from '#features/photos/photos.ts'
import { type Format, RenderQueueFull, type Render, renderPhoto } from './render.server.ts'

/** Every render there is, by size and quality as unpic writes them. What is not here is not made for anyone. */
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

/** What an address asks for: `/photos/{name}` the photo itself, `/_ipx/{size}/photos/{name}` a render. */
function parsePhotoRequest(path: string): PhotoRequest | null {
  const original = photoName(path)
  if (original) return { name: original, render: null }
  const [, modifiers, url] = /^\/_ipx\/([a-z0-9_,]{1,60})(\/photos\/[^/]+)$/.exec(path) ?? []
  const name = url && photoName(url)
  // unpic's ipx spells the default format out; the order of the parts means nothing.
  const parts = modifiers?.split(',').filter((part) => part !== 'f_auto')
  const render = parts && RENDERS_BY_MODIFIERS.get(parts.toSorted().join(','))
  return name && render ? { name, render } : null
}

/** A type that is named, and not with the weight 0. */
const TAKES_AVIF = /image\/avif(?!\s*;\s*q=0(\.0*)?\s*(,|$))/
const TAKES_WEBP = /image\/webp(?!\s*;\s*q=0(\.0*)?\s*(,|$))/

/** The best format the browser names. What only says «any type» may be an old program: it gets JPEG. */
function formatFor(accept: string, render: Render): Format {
  // At 24 pixels AVIF's frame alone outweighs the picture.
  if (TAKES_AVIF.test(accept) && render.box !== 'blur') return 'avif'
  return TAKES_WEBP.test(accept) ? 'webp' : 'jpeg'
}

/** Pictures asked for lately: a few thousand covers, and one copy of each for all who read it, however slowly. */
const MEMORY_CACHE_BYTES = 24 * 1024 * 1024

/**
 * Answers `/photos/…` and `/_ipx/…` under `dataDir`; leaves every other request to `next`. It stands before Astro and its
 * middleware: pictures are the same for everyone and kept by caches for ever, so no cookie may ever travel with them.
 */
export function createPhotoHandler(dataDir: string) {
  const memory = new LRUCache<string, Buffer>({
    maxSize: MEMORY_CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length || 1,
  })

  /** The picture of an address as this browser takes it. */
  function pictureOf({ name, render }: PhotoRequest, accept = ''): Picture {
    const type = render ? formatFor(accept, render) : 'jpeg'
    return {
      photo: photoFile(dataDir, name),
      type,
      // Photo, box and format, which together never change.
      etag: render ? `"${name}-${render.box}-${render.scale}x-${type}"` : `"${name}"`,
      headers: { ...IMMUTABLE_HEADERS, 'Content-Type': `image/${type}`, ...(render && { Vary: 'Accept' }) },
    }
  }

  async function load({ name, render }: PhotoRequest, { photo, type, etag }: Picture): Promise<Buffer | null> {
    const body = render ? await renderPhoto(dataDir, name, render, type) : await readIfThere(photo)
    if (body) memory.set(etag, body)
    return body
  }

  async function answer(
    req: IncomingMessage,
    res: ServerResponse,
    wanted: PhotoRequest,
    picture: Picture,
  ): Promise<void> {
    const isThere = await stat(picture.photo).then(
      (info) => info.isFile() && info.size > 0,
      () => false,
    )
    if (!isThere) return sendMissing(res)
    if (matchesEtag(req.headers['if-none-match'], picture.etag)) return sendPicture(req, res, picture, EMPTY_BODY)
    try {
      const body = await load(wanted, picture)
      // It may have been hidden or removed while it was being rendered.
      if (body && isPublic(picture)) sendPicture(req, res, picture, body)
      else sendMissing(res)
    } catch (error) {
      if (!(error instanceof RenderQueueFull)) throw error
      const photo = await readIfThere(picture.photo)
      if (photo) sendOriginal(req, res, photo)
      else sendMissing(res)
    }
  }

  return (req: IncomingMessage, res: ServerResponse, next: () => void): void => {
    const path = req.url?.split('?', 1)[0] ?? ''
    const ours = path.startsWith('/_ipx/') || path.startsWith('/photos/')
    if (!ours || (req.method !== 'GET' && req.method !== 'HEAD')) return next()
    const wanted = parsePhotoRequest(path)
    if (!wanted) return sendMissing(res)
    const picture = pictureOf(wanted, req.headers.accept)
    const body = memory.get(picture.etag)
    if (body && isPublic(picture)) return sendPicture(req, res, picture, body)
    if (body) memory.delete(picture.etag)
    answer(req, res, wanted, picture).catch((error: unknown) => {
      console.error(error)
      if (res.headersSent) res.destroy()
      else sendMissing(res, 500)
    })
  }
}

interface Picture {
  photo: string
  type: Format
  etag: string
  headers: Record<string, string>
}

/**
 * Nobody is shown a photo that was removed or is out of sight, whatever is in memory. Asked synchronously, as the database
 * beside it is: that takes microseconds, and the way over a thread as long as the rest of the answer.
 */
const isPublic = ({ photo }: Picture): boolean => (statSync(photo, { throwIfNoEntry: false })?.size ?? 0) > 0

/** Null for what was hidden or removed a moment ago. */
const readIfThere = (file: string): Promise<Buffer | null> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

/** What a 304 sends. */
const EMPTY_BODY = Buffer.alloc(0)

function sendPicture(req: IncomingMessage, res: ServerResponse, { etag, headers }: Picture, body: Buffer): void {
  const {
    status,
    headers: said,
    from,
    to,
  } = evaluateConditions(req.method!, req.headers, { etag, size: body.length, headers })
  res.writeHead(status, said).end(from === to ? undefined : body.subarray(from, to))
}

const IMMUTABLE_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
}

/** Too many wait for a render: this one gets the photo itself, which costs no work, and asks for the render next time. */
function sendOriginal(req: IncomingMessage, res: ServerResponse, photo: Buffer): void {
  const headers = { 'Content-Type': 'image/jpeg', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  res.writeHead(200, { ...headers, 'Content-Length': photo.length }).end(req.method === 'HEAD' ? undefined : photo)
}

/** Bare, and asked for again next time: the page shows its placeholder meanwhile. */
function sendMissing(res: ServerResponse, status = 404): void {
  res.setHeader('Cache-Control', 'no-store')
  res.writeHead(status).end()
}

import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { photoFile } from './files.server.ts'
import { type Box, BOXES, photoName } from './photos.ts'
import { type Format, type Render, renderPhoto } from './render.server.ts'

/** Every render there is, by size and quality as unpic writes them. What is not here is not made for anyone. */
const RENDERS = new Map<string, Render>()
for (const box of Object.keys(BOXES) as Box[])
  for (const scale of [1, 2] as const) {
    const { width, height, quality } = BOXES[box]
    RENDERS.set(`q_${quality},s_${width * scale}x${height * scale}`, { box, scale })
  }

interface Wanted {
  name: string
  render: Render | null
}

/** What an address asks for: `/photos/{name}` the photo itself, `/_ipx/{size}/photos/{name}` a render. */
function parse(path: string): Wanted | null {
  const original = photoName(path)
  if (original) return { name: original, render: null }
  const [, modifiers, url] = /^\/_ipx\/([a-z0-9_,]{1,60})(\/photos\/[^/]+)$/.exec(path) ?? []
  const name = url && photoName(url)
  // unpic's ipx spells the default format out; the order of the parts means nothing.
  const parts = modifiers?.split(',').filter((part) => part !== 'f_auto')
  const render = parts && RENDERS.get(parts.toSorted().join(','))
  return name && render ? { name, render } : null
}

/** The best format the browser names. What only says «any type» may be an old program: it gets JPEG. */
function formatFor(accept: string, render: Render): Format {
  const names = (type: string) => new RegExp(`image/${type}(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accept)
  // At 24 pixels AVIF's frame alone outweighs the picture.
  if (names('avif') && render.box !== 'blur') return 'avif'
  return names('webp') ? 'webp' : 'jpeg'
}

/**
 * Answers `/photos/…` and `/_ipx/…` under `dataDir`; leaves every other request to `next`. It stands before Astro and its
 * middleware: pictures are the same for everyone and kept by caches for ever, so no cookie may ever travel with them.
 */
export function deliverPhotos(dataDir: string) {
  return async (req: IncomingMessage, res: ServerResponse, next: () => void): Promise<void> => {
    const path = req.url?.split('?')[0] ?? ''
    const ours = path.startsWith('/_ipx/') || path.startsWith('/photos/')
    if (!ours || (req.method !== 'GET' && req.method !== 'HEAD')) return next()
    try {
      const wanted = parse(path)
      const found = wanted && (await load(dataDir, wanted, req.headers.accept ?? ''))
      if (found) send(req, res, found)
      else missing(res)
    } catch (error) {
      console.error(error)
      missing(res, 500)
    }
  }
}

interface Picture {
  body: Buffer
  type: Format
  /** Names photo, box and format, which together never change. */
  etag: string
  varies: boolean
}

async function load(dataDir: string, { name, render }: Wanted, accept: string): Promise<Picture | null> {
  if (!render) {
    const body = await readFile(photoFile(dataDir, name)).catch(() => null)
    return body && { body, type: 'jpeg', etag: `"${name}"`, varies: false }
  }
  const type = formatFor(accept, render)
  const body = await renderPhoto(dataDir, name, render, type)
  return body && { body, type, etag: `"${name}-${render.box}-${render.scale}x-${type}"`, varies: true }
}

function send(req: IncomingMessage, res: ServerResponse, { body, type, etag, varies }: Picture): void {
  res.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
  res.setHeader('ETag', etag)
  res.setHeader('X-Content-Type-Options', 'nosniff')
  if (varies) res.setHeader('Vary', 'Accept')
  const known = req.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.includes(etag) || known?.includes('*')) return void res.writeHead(304).end()
  res.setHeader('Content-Type', `image/${type}`)
  res.setHeader('Content-Length', body.length)
  res.writeHead(200).end(req.method === 'HEAD' ? undefined : body)
}

/** Bare, and asked for again next time: the page shows its placeholder meanwhile. */
function missing(res: ServerResponse, status = 404): void {
  res.setHeader('Cache-Control', 'no-store')
  res.writeHead(status).end()
}

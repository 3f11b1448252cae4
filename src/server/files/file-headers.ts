import { SESSION_HEADER } from '#lib/offline.ts'

const CONTENT_TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  rules: 'application/speculationrules+json',
  webmanifest: 'application/manifest+json',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
}

/** How long a file of the build may be kept without asking. */
function cacheControlFor(path: string): string {
  // Its name changes with its content.
  if (path.startsWith('/_astro/')) return 'public, max-age=31536000, immutable'
  // Drawings of an album's spread and the map's coasts, dozens of them, change only with a build: asked about once an hour,
  // and then in the background.
  if (/^\/(retratos|dibujos|mapa)\//.test(path)) return 'public, max-age=3600, stale-while-revalidate=604800'
  return 'public, max-age=0, must-revalidate'
}

/** What every answer says, and the content policies of what has one: pages and drawings. Scripts have none: a worker's would bind it. */
export interface SecurityHeaderSets {
  headers: Record<string, string>
  page: Record<string, string>
  drawing: Record<string, string>
}

/** What an answer says about the file at `path`, whatever its encoding. */
export function buildFileHeaders(path: string, trust: SecurityHeaderSets): Record<string, string> {
  const ending = /\.(\w+)$/.exec(path)?.[1] ?? ''
  const headers: Record<string, string> = {
    'Content-Type': CONTENT_TYPES[ending] ?? 'application/octet-stream',
    'Cache-Control': cacheControlFor(path),
    ...trust.headers,
  }
  // Prerendered pages are the same for everyone.
  if (ending === 'html') Object.assign(headers, trust.page, { [SESSION_HEADER]: 'any' })
  if (ending === 'svg') Object.assign(headers, trust.drawing)
  return headers
}

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

/** `Cache-Control` of a file of the build. */
function cacheControlFor(path: string): string {
  // The name contains a hash of the content.
  if (path.startsWith('/_astro/')) return 'public, max-age=31536000, immutable'
  // An album's spread and the map request dozens of drawings, which change only with a build: revalidated once an hour, and
  // then in the background.
  if (/^\/(retratos|dibujos|mapa)\//.test(path)) return 'public, max-age=3600, stale-while-revalidate=604800'
  return 'public, max-age=0, must-revalidate'
}

/** Headers of every file, and in addition those of pages and of drawings. Scripts have no content policy: a worker would inherit it. */
export interface SecurityHeaderSets {
  headers: Record<string, string>
  page: Record<string, string>
  drawing: Record<string, string>
}

/** The headers of the file at `path` in every encoding. */
export function buildFileHeaders(path: string, security: SecurityHeaderSets): Record<string, string> {
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? ''
  const headers: Record<string, string> = {
    'Content-Type': CONTENT_TYPES[extension] ?? 'application/octet-stream',
    'Cache-Control': cacheControlFor(path),
    ...security.headers,
  }
  // Prerendered pages are the same for everyone.
  if (extension === 'html') Object.assign(headers, security.page, { [SESSION_HEADER]: 'any' })
  if (extension === 'svg') Object.assign(headers, security.drawing)
  return headers
}

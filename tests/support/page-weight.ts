import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { call } from './api.ts'
import type { TestServer } from './server.ts'

/** What a page weighs, bytes gzipped, file by file as browsers fetch them. */
export interface PageWeight {
  /** Without the code of inline scripts. */
  html: number
  /** The whole HTML before compression. */
  raw: number
  /** The whole HTML in brotli of quality 5, as the page cache compresses it. */
  brotli: number
  css: number
  /** Stylesheets of one kind of screen, for which no other waits. */
  mediaCss: number
  /** Before anybody touches the page: what it loads, what that imports, what follows by itself, and islands that wake by themselves. */
  script: number
  /** What the first touch brings at most: every island of the page. */
  islands: number
  /** As they are: fonts are compressed. */
  fonts: number
  /** The files of `script`. */
  files: string[]
}

/** What pages import once they are there, unasked (layouts/deferred-loads.client.ts). */
const SELF_LOADING = /^loading-frame\.client\./
/** How islands wake that wait for nobody. */
const EAGER_ISLAND = /client="(load|idle|visible|settled|only)"/

const gzipBytes = (text: string) => gzipSync(text).length
const matchAllGroups = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!)

/** Follows a page's files from its HTML on, as a visitor's browser does. */
export async function measurePageWeight(server: TestServer, path: string): Promise<PageWeight> {
  const html: string = (await call(server, path)).body
  const inline = matchAllGroups(html, /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g).join('')
  const bare = html.replace(/<script(?![^>]*\bsrc=)[^>]*>[\s\S]*?<\/script>/g, '')
  const bodies = new Map<string, string>()
  const read = async (src: string) => {
    if (!bodies.has(src)) bodies.set(src, (await call(server, src)).body)
    return bodies.get(src)!
  }
  // What a module imports statically comes along; what it imports later only where it does so by itself.
  const follow = async (src: string, seen: Set<string>): Promise<void> => {
    if (seen.has(src)) return
    seen.add(src)
    const body = await read(src)
    for (const name of matchAllGroups(body, /(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g))
      await follow(`/_astro/${name}`, seen)
    for (const name of matchAllGroups(body, /\.\/([\w.-]+\.js)/g))
      if (SELF_LOADING.test(name)) await follow(`/_astro/${name}`, seen)
  }
  const first = new Set<string>()
  for (const src of matchAllGroups(html, /<script[^>]*\ssrc="([^"]+)"/g)) await follow(src, first)
  const islands = new Set(first)
  for (const tag of html.match(/<astro-island[^>]*>/g) ?? [])
    for (const src of matchAllGroups(tag, /(?:component|renderer)-url="([^"]+)"/g)) {
      if (EAGER_ISLAND.test(tag)) await follow(src, first)
      await follow(src, islands)
    }
  const sum = (files: Iterable<string>) => [...files].reduce((bytes, src) => bytes + gzipBytes(bodies.get(src)!), 0)
  let css = matchAllGroups(html, /<style[^>]*>([\s\S]*?)<\/style>/g).reduce((bytes, text) => bytes + gzipBytes(text), 0)
  for (const href of matchAllGroups(html, /<link rel="stylesheet" href="([^"]+)"/g))
    css += gzipBytes((await call(server, href)).body)
  let mediaCss = 0
  for (const href of matchAllGroups(html, /<link rel="stylesheet" media="[^"]+" href="([^"]+)"/g))
    mediaCss += gzipBytes((await call(server, href)).body)
  let fonts = 0
  for (const href of matchAllGroups(html, /<link rel="preload" href="([^"]+)" as="font"/g))
    fonts += Number((await call(server, href)).headers.get('content-length'))
  return {
    html: gzipBytes(bare),
    raw: Buffer.byteLength(html),
    brotli: brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length,
    css,
    mediaCss,
    script: gzipBytes(inline) + sum(first),
    islands: sum(islands),
    fonts,
    files: [...first],
  }
}

/** Whether React's own code is among the files of `script`. */
export const loadsReact = async (server: TestServer, { files }: PageWeight): Promise<boolean> => {
  for (const src of files)
    if (String((await call(server, src)).body).includes('react.transitional.element')) return true
  return false
}

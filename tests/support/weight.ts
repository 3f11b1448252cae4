import { gzipSync } from 'node:zlib'
import { call } from './api.ts'
import type { TestServer } from './server.ts'

/** What a page weighs, bytes gzipped, file by file as browsers fetch them. */
export interface PageWeight {
  /** Without the code of inline scripts. */
  html: number
  css: number
  /** Before anybody touches the page: what it loads, what that imports, what follows by itself, and islands that wake by themselves. */
  script: number
  /** What the first touch brings at most: every island of the page. */
  islands: number
  /** As they are: fonts are compressed. */
  fonts: number
  /** The files of `script`. */
  files: string[]
}

/** What pages import once they are there, unasked (layouts/form.client.ts). */
const BY_ITSELF = /^frame\.client\./
/** How islands wake that wait for nobody. */
const UNASKED = /client="(load|idle|visible|settled|only)"/

const weigh = (text: string) => gzipSync(text).length
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!)

/** Follows a page's files from its HTML on, as a visitor's browser does. */
export async function pageWeight(server: TestServer, path: string): Promise<PageWeight> {
  const html: string = (await call(server, path)).body
  const inline = all(html, /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g).join('')
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
    for (const name of all(body, /(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) await follow(`/_astro/${name}`, seen)
    for (const name of all(body, /\.\/([\w.-]+\.js)/g)) if (BY_ITSELF.test(name)) await follow(`/_astro/${name}`, seen)
  }
  const first = new Set<string>()
  for (const src of all(html, /<script[^>]*\ssrc="([^"]+)"/g)) await follow(src, first)
  const islands = new Set(first)
  for (const tag of html.match(/<astro-island[^>]*>/g) ?? [])
    for (const src of all(tag, /(?:component|renderer)-url="([^"]+)"/g)) {
      if (UNASKED.test(tag)) await follow(src, first)
      await follow(src, islands)
    }
  const sum = (files: Iterable<string>) => [...files].reduce((bytes, src) => bytes + weigh(bodies.get(src)!), 0)
  let css = all(html, /<style[^>]*>([\s\S]*?)<\/style>/g).reduce((bytes, text) => bytes + weigh(text), 0)
  for (const href of all(html, /<link rel="stylesheet" href="([^"]+)"/g)) css += weigh((await call(server, href)).body)
  let fonts = 0
  for (const href of all(html, /<link rel="preload" href="([^"]+)" as="font"/g))
    fonts += Number((await call(server, href)).headers.get('content-length'))
  return {
    html: weigh(bare),
    css,
    script: weigh(inline) + sum(first),
    islands: sum(islands),
    fonts,
    files: [...first],
  }
}

/** Whether React's own code is among the files of `script`. */
export const bringsReact = async (server: TestServer, { files }: PageWeight): Promise<boolean> => {
  for (const src of files)
    if (String((await call(server, src)).body).includes('react.transitional.element')) return true
  return false
}

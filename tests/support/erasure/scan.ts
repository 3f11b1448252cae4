import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { PAGES } from '#tests/support/matrix/page-reads.ts'
import { READS } from '#tests/support/matrix/reads.ts'
import type { MatrixWorld } from '#tests/support/matrix/world.ts'
import type { TestServer } from '#tests/support/server.ts'
import { openEventStream } from '#tests/support/live/event-stream.ts'
import { unzip } from '#tests/support/zip.ts'
import { CANARIES, type Canary } from './canaries.ts'
import { clientHeaders } from './action-context.ts'
import { type Cast, markedNumber, type World } from './world.ts'

/** A word found somewhere, and whose it is. */
export interface CanaryHit {
  where: string
  world: World
  canary: Canary
}

/** In the key of an alias i is l (`aliasKey`). */
const foldKeyLetters = (text: string) => text.toLowerCase().replaceAll('l', 'i')

/** Finds every canary word of the contract in a text, in any case and in keys of aliases. */
export function createFinder(worlds: readonly World[]) {
  const owners = new Map(worlds.map((world) => [foldKeyLetters(prefixOf(world)), world]))
  const canaries = new Map(CANARIES.map((canary) => [foldKeyLetters(canary), canary]))
  const words = CANARIES.toSorted((a, b) => b.length - a.length).join('|')
  const token = new RegExp(`(zq[a-jl]{3})x(${words.replace(/[il]/g, '[il]')})`, 'gi')
  return (where: string, text: string): CanaryHit[] => {
    const seen = new Map<string, CanaryHit>()
    for (const [whole, prefix, word] of text.matchAll(token)) {
      const world = owners.get(foldKeyLetters(prefix!))
      const canary = canaries.get(foldKeyLetters(word!))
      if (world && canary) seen.set(foldKeyLetters(whole), { where, world, canary })
    }
    return [...seen.values()]
  }
}
export const prefixOf = ({ words }: World) => words.name.slice(0, 5)

/** What a world's row of the access matrix asks for. */
const toMatrixWorld = (world: World): MatrixWorld =>
  ({
    dog: world.toby,
    found: world.toby,
    stray: world.toby,
    held: world.toby,
    loved: world.luna,
    owner: world.ana,
    photo: world.toby.images[0]!.url,
    comment: world.comment,
    mark: prefixOf(world),
  }) as unknown as MatrixWorld

/** Signing in is asked of others' servers; streams are read to their end; drawn cards have no text to read (cards.ts). */
const UNREAD_PATHS = /^\/(api\/(auth|events)|tarjetas\/)/

/** Every address that is read, of the access matrix, once; with whose address it comes from. */
export function collectAddresses(worlds: readonly World[]): Map<string, World> {
  const found = new Map<string, World>()
  for (const world of worlds) {
    const own = [
      ...Object.values({ ...READS, ...PAGES }).map(({ path }) => path(toMatrixWorld(world))),
      `/buscar?q=${prefixOf(world)}&tipo=perros`,
      `/buscar?q=${prefixOf(world)}&tipo=personas`,
      '/razas/mestizo',
      '/razas/mestizo/novedades.atom',
      '/api/dogs?limit=100',
    ]
    for (const path of own) if (!UNREAD_PATHS.test(path) && !found.has(path)) found.set(path, world)
  }
  return found
}

/** What stands at an address, as text; of pictures nothing. Lists are read to their end, sitemaps with their parts. */
async function fetchText(server: TestServer, path: string, headers: Record<string, string>): Promise<string> {
  // Of thousands of answers, compressing and unpacking would take most of the time.
  const asTheyAre = { ...headers, 'Accept-Encoding': 'identity' }
  const response = await fetch(server.url + path, { headers: asTheyAre, redirect: 'manual' })
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('image/')) return response.arrayBuffer().then(() => '')
  if (type === 'application/zip') {
    const files = await unzip(new Uint8Array(await response.arrayBuffer()))
    return [...files].map(([name, bytes]) => `${name}\n${bytes.toString('latin1')}`).join('\n')
  }
  const text = `${response.headers.get('location') ?? ''}\n${await response.text()}`
  const cursor = path.startsWith('/api/dogs?') && /"nextCursor":"([^"]+)"/.exec(text)?.[1]
  const next = cursor ? [`/api/dogs?limit=100&cursor=${encodeURIComponent(cursor)}`] : []
  const parts =
    path === '/sitemap.xml' ? [...text.matchAll(/<loc>[^<]*?(\/sitemap\/[^<]+)<\/loc>/g)].map(([, at]) => at!) : []
  return [text, ...(await Promise.all([...next, ...parts].map((each) => fetchText(server, each, headers))))].join('\n')
}

/** Reads all addresses as `cookie`, and the stream from its beginning. @returns by address what it said */
export async function fetchAll(
  server: TestServer,
  addresses: ReadonlyMap<string, World>,
  cookie?: string,
): Promise<Map<string, string>> {
  const said = new Map<string, string>()
  const left = [...addresses]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [path, world] = next
      said.set(path, await fetchText(server, path, { ...clientHeaders(world), ...(cookie && { Cookie: cookie }) }))
    }
  }
  await Promise.all(Array.from({ length: 6 }, work))
  const stream = await openEventStream(`${server.url}/api/events?after=0`, cookie ? { Cookie: cookie } : {})
  said.set('/api/events?after=0', JSON.stringify(stream.told))
  stream.close()
  return said
}

/** Has the server keep what it keeps of each world: pages, and photos in other sizes. */
export async function warmCaches(server: TestServer, worlds: readonly World[]): Promise<void> {
  for (const { toby, ana } of worlds) {
    const sizes = toby.images.map(({ url }) => `/_ipx/q_90,s_120x120${url}`)
    const paths = [toby.path, `/usuario/${ana.id}`, ...sizes]
    await Promise.all(paths.map(async (path) => (await fetch(server.url + path)).arrayBuffer()))
  }
}

/** The addresses that a world's photos have now for everyone. */
export const publicPhotos = async ({ db }: Cast, { toby }: World): Promise<string[]> =>
  (
    await db
      .selectFrom('dog_images as i')
      .innerJoin('dogs as d', 'd.id', 'i.dog_id')
      .select('i.url')
      .where('d.id', '=', toby.id)
      .execute()
  ).map(({ url }) => url)

/** Records the photos' current addresses, public or hidden: any of them may be cached elsewhere. */
export async function recordPhotoAddresses({ db }: Cast, worlds: readonly World[]): Promise<void> {
  for (const { toby, addresses } of worlds) {
    const images = await db.selectFrom('dog_images_all').select('url').where('dog_id', '=', toby.id).execute()
    for (const { url } of images) addresses.add(url)
  }
}

/** All addresses of a photo: itself, in another size, and as a hidden photo. */
const photoPaths = (url: string) => [
  url,
  `/_ipx/q_90,s_120x120${url}`,
  `/_ipx/q_90,s_800x600${url}`,
  `/api/held-photos/${url.slice('/photos/'.length)}`,
]

/** Addresses of photos that answer though they should not, or do not though they should. */
export async function photoFaults(server: TestServer, cast: Cast, worlds: readonly World[], cookie?: string) {
  const faults: string[] = []
  for (const world of worlds) {
    const open = await publicPhotos(cast, world)
    for (const url of world.addresses) {
      const paths = open.includes(url) ? [url] : photoPaths(url)
      const headers = { ...clientHeaders(world), ...(cookie && { Cookie: cookie }) }
      const statuses = await Promise.all(
        paths.map(async (path) => (await fetch(server.url + path, { headers })).status),
      )
      const isRight = statuses.every((status) =>
        open.includes(url) ? status === 200 : status === 404 || status === 410,
      )
      if (!isRight) faults.push(`${world.name}: ${url} answers ${statuses.join(', ')}`)
    }
  }
  return faults
}

/** Every file under `dir` with what it holds: words of the contract, and marked photos by their number. */
export async function scanFiles(dir: string, find: (where: string, text: string) => CanaryHit[]) {
  const found: CanaryHit[] = []
  const pictures: { where: string; number: number }[] = []
  const paths: string[] = []
  for (const name of readdirSync(dir, { recursive: true }).map(String)) {
    const file = join(dir, name)
    if (!statSync(file).isFile()) continue
    const where = relative(dir, file)
    const bytes = readFileSync(file)
    paths.push(where)
    found.push(...find(where, bytes.toString('latin1')), ...find(where, where))
    if (where.startsWith('perrario.db')) continue
    const number = await markedNumber(bytes).catch(() => null)
    if (number !== null) pictures.push({ where, number })
  }
  return { found, pictures, paths }
}

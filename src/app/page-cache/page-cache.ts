import type { IncomingMessage, ServerResponse } from 'node:http'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, sqliteOf } from '#db/client.ts'
import { sessionCookie } from '#features/auth/auth.ts'
import type { Env } from '#server/env.ts'
import { clientIp } from '#server/ip.ts'
import { nameRequest } from '#server/log/request.ts'
import { DATA_POLICY } from '#server/policy.ts'
import { mayRender } from '#server/render-limit.ts'
import { documentHeaders } from '#server/trust.ts'
import type { Watch } from '#server/watch.ts'
import { type Holo, watchChanges } from './changes.ts'
import { openFront } from './front.ts'
import { usePages } from './provider.ts'
import type { PageStore, Rendered } from './store.ts'
import { tag } from '#server/page-tags.ts'

export interface PageCache {
  /** Answers a visitor's page; false where the request is not for one. */
  answer: (req: IncomingMessage, res: ServerResponse) => boolean
  pages: PageStore
  close: () => void
}

interface Settings {
  env: Env
  render: (url: string, cookie: string | undefined) => Promise<Rendered>
  holo: Holo
  watch: Watch
  pages: PageStore
}

/** How often the operator's folder of photos is looked at, ms: as often as pages themselves look (features/breeds/operator). */
const LOOK_AT_PHOTOS = 10_000

/** The page cache over the open database. `render` makes the page of an address for nobody in particular (astro.ts). */
export function openPageCache(db: Db, { env, render, holo, watch, pages }: Settings): PageCache {
  const sqlite = sqliteOf(db)
  const isWrittenElsewhere = watchChanges(sqlite, (name) => pages.invalidate(name), holo)
  const look = () => {
    if (isWrittenElsewhere()) pages.clear()
  }
  const looking = env.pageCacheLook > 0 ? setInterval(look, env.pageCacheLook).unref() : undefined
  const findPath = sqlite.prepare('SELECT 1 FROM dog_paths WHERE breed_slug = ? AND slug = ?')
  const findDog = sqlite.prepare('SELECT 1 FROM dogs WHERE id = ?')
  // For a refusal; a page brings its own.
  const said = new Headers({ ...documentHeaders(env), 'Content-Security-Policy': DATA_POLICY })
  const front = openFront({
    pages,
    known: {
      path: (breed, slug) => pages.has(`/${breed}/${slug}`) || findPath.get(breed, slug) !== undefined,
      dog: (id) => findDog.get(id) !== undefined,
    },
    render,
    sessionCookie: sessionCookie(env.siteUrl?.startsWith('https:') ?? false),
    watch(req, res) {
      const watched = watch(req, res, nameRequest(req, env.trustProxy))
      watched.kind = 'page'
      res.setHeaders(said)
      return watched.id
    },
    mayRender: (req, res) => mayRender(clientIp(req, env.trustProxy), env.rendersPerMinute, res),
  })

  const answer: PageCache['answer'] = looking
    ? front
    : (req, res) => {
        look()
        return front(req, res)
      }

  let photos = ''
  const timer = setInterval(async () => {
    const now = await listing(join(env.dataDir, 'razas'))
    // Twice: a page rendered just after the change may still have been told of the photos before it.
    if (now !== photos)
      for (const wait of [0, LOOK_AT_PHOTOS + 1000]) setTimeout(() => pages.invalidate(tag.breeds), wait).unref()
    photos = now
  }, LOOK_AT_PHOTOS)
  timer.unref()
  void listing(join(env.dataDir, 'razas')).then((now) => (photos = now))

  usePages(pages)
  return {
    answer,
    pages,
    close() {
      clearInterval(looking)
      clearInterval(timer)
      usePages(undefined)
    },
  }
}

/** What lies in a folder and since when, as one text; empty where there is no such folder. */
async function listing(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [] as string[])
  const times = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (s) => s.mtimeMs,
        () => 0,
      ),
    ),
  )
  return names.map((name, i) => `${name} ${times[i]}`).join('\n')
}

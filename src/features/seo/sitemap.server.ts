import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { listsByKind } from '#features/guide/breed-lists.server.ts'
import { getCatalogue } from '#features/breeds/current-catalogue.server.ts'
import { breedImageUrl, type OperatorPhoto } from '#features/breeds/operator-photos.server.ts'
import { challengePaths } from '#features/challenges/challenge-paths.ts'
import { visibleTo } from '#features/moderation/visibility.server.ts'
import { photoName } from '#features/photos/photos.ts'
import { listCommunityYears } from '#features/years/community-year.server.ts'
import { yearPaths } from '#features/years/year-paths.ts'
import { countProfiles } from '#features/profiles/profiles.server.ts'
import { roundPaths } from '#features/riddle/round/round-paths.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import {
  type SitemapKind,
  PART_LIMIT,
  partName,
  idPrefixes,
  idRangeOf,
  type SitemapEntry,
  prefixLengthFor,
} from './sitemap.ts'

// Hidden and deleted dogs and members have no rows in `dogs` and `profiles`: all that is read here is public.

/** The number of dogs from dog_tallies, which has one row per breed and size. */
async function countDogs(db: Db): Promise<number> {
  const row = await db
    .selectFrom('dog_tallies')
    .select((eb) => eb.fn.sum<number>('dogs').as('dogs'))
    .executeTakeFirst()
  return Number(row?.dogs ?? 0)
}

const COUNT_BY_KIND = { perros: countDogs, miembros: countProfiles }

/** The newest change for each two-digit prefix of ids: 256 look-ups at the end of an index range, however many rows there are. */
async function newestByPart(db: Db, kind: 'perros' | 'miembros'): Promise<Map<string, number>> {
  const parts = sql.join(idPrefixes(2).map((part) => sql`(${part})`))
  const newest =
    kind === 'perros'
      ? sql`SELECT max(updated_at) FROM dogs WHERE substr(id, 1, 2) = part`
      : sql`SELECT max(created_at) FROM member_dogs WHERE substr(user_id, 1, 2) = part`
  const { rows } = await sql<{
    part: string
    changed: number | null
  }>`WITH parts(part) AS (VALUES ${parts}) SELECT part, (${newest}) AS changed FROM parts`.execute(db)
  return new Map(rows.flatMap(({ part, changed }) => (changed === null ? [] : [[part, changed] as const])))
}

/** The current files of dogs or members, each with the time of its last change. */
async function listParts(db: Db, kind: 'perros' | 'miembros') {
  const newest = await newestByPart(db, kind)
  return idPrefixes(prefixLengthFor(await COUNT_BY_KIND[kind](db))).flatMap((prefix) => {
    const times = [...newest].filter(([part]) => part.startsWith(prefix)).map(([, changed]) => changed)
    if (times.length === 0) return []
    return [{ path: paths.sitemapPart(partName(kind, prefix)), changed: Math.max(...times) }]
  })
}

/** The entries of the index: fixed pages, breeds, and as many files of dogs and members as they need. */
export async function listSitemapParts(db: Db): Promise<{ path: string; changed?: number | undefined }[]> {
  const breeds = await breedEntries(db, new Map())
  const changes = breeds.flatMap(({ changed }) => changed ?? [])
  return [
    { path: paths.sitemapPart('paginas'), changed: await findNewestDogTime(db) },
    { path: paths.sitemapPart('razas'), changed: changes.length > 0 ? Math.max(...changes) : undefined },
    ...(await listParts(db, 'perros')),
    ...(await listParts(db, 'miembros')),
  ]
}

/** The entries of one file; null where it does not exist. A file of another split than today's does not exist. */
export async function readSitemapEntries(
  db: Db,
  { kind, prefix }: { kind: SitemapKind; prefix: string },
  operator: ReadonlyMap<string, OperatorPhoto>,
  now = Date.now(),
): Promise<SitemapEntry[] | null> {
  if (kind === 'perros' || kind === 'miembros') {
    if (prefixLengthFor(await COUNT_BY_KIND[kind](db)) !== prefix.length) return null
    return kind === 'perros' ? dogEntries(db, prefix) : memberEntries(db, prefix, now)
  }
  if (prefix) return null
  return kind === 'razas' ? breedEntries(db, operator) : fixedEntries(db)
}

async function findNewestDogTime(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('dogs')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** When the newest open case was opened, by lost_cases_opened. */
async function findNewestCaseTime(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('lost_cases')
    .select('opened_at')
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.opened_at
}

async function fixedEntries(db: Db): Promise<SitemapEntry[]> {
  const changed = await findNewestDogTime(db)
  return [
    { path: paths.home, changed },
    { path: paths.breeds, changed },
    { path: `${paths.dogs}?view=map`, changed },
    { path: paths.community },
    ...(await listCommunityYears(db)).map((year) => ({ path: yearPaths.community(year) })),
    { path: paths.apiDocs },
    { path: paths.terms },
    { path: paths.privacy },
    { path: paths.breedGuide },
    { path: paths.breedQuiz },
    { path: paths.riddle },
    { path: roundPaths.start },
    { path: challengePaths.badges },
    { path: lostPaths.lostDogs, changed: await findNewestCaseTime(db) },
    { path: lostPaths.lostHelp },
    { path: paths.foundForm },
    { path: paths.compareBreeds() },
    ...listsByKind(await getCatalogue(db)).flatMap(({ lists }) =>
      lists.map(({ kind, slug }) => ({ path: paths.breedList(kind, slug) })),
    ),
  ]
}

/** All breeds, changed when the admin last edited their texts or their newest dog was added. */
async function breedEntries(db: Db, operator: ReadonlyMap<string, OperatorPhoto>): Promise<SitemapEntry[]> {
  const { rows } = await sql<{
    slug: string
    changed: number | null
  }>`SELECT breed_slug AS slug, (SELECT max(created_at) FROM dogs WHERE dogs.breed_slug = tallied.breed_slug) AS changed
      FROM (SELECT DISTINCT breed_slug FROM dog_tallies WHERE dogs > 0) AS tallied
    UNION ALL
    SELECT breed_slug, max(CASE WHEN undone_at > created_at THEN undone_at ELSE created_at END) FROM breed_overrides GROUP BY breed_slug`.execute(
    db,
  )
  const changes = new Map<string, number>()
  for (const { slug, changed } of rows)
    if (changed !== null) changes.set(slug, Math.max(changed, changes.get(slug) ?? 0))
  return (await getCatalogue(db)).breeds.map((breed) => ({
    path: paths.breed(breed.slug),
    changed: changes.get(breed.slug),
    images: [breedImageUrl(breed, 'breed', operator)],
  }))
}

/** The dogs of a file with all their photos, by the primary keys of both tables. */
async function dogEntries(db: Db, prefix: string): Promise<SitemapEntry[]> {
  const { from, before } = idRangeOf(prefix)
  const dogs = await db
    .selectFrom('dogs')
    .select(['id', 'path_breed', 'path_slug', 'updated_at'])
    .where('id', '>=', from)
    .where('id', '<', before)
    .orderBy('id')
    .limit(PART_LIMIT)
    .execute()
  const photos = await db
    .selectFrom('dog_images')
    .select(['dog_id', 'url'])
    .where('dog_id', '>=', from)
    .where('dog_id', '<', before)
    .orderBy('dog_id')
    .orderBy('order')
    .execute()
  const images = new Map<string, string[]>()
  for (const { dog_id, url } of photos) {
    if (!photoName(url)) continue
    const list = images.get(dog_id)
    if (list) list.push(url)
    else images.set(dog_id, [url])
  }
  return dogs.map((dog) => ({
    path: paths.dog(dog),
    changed: dog.updated_at,
    images: images.get(dog.id) ?? [],
  }))
}

/** The members of a file who have dogs, changed when their newest dog was added. Banned members are left out. */
async function memberEntries(db: Db, prefix: string, now: number): Promise<SitemapEntry[]> {
  const { from, before } = idRangeOf(prefix)
  const rows = await db
    .selectFrom('profiles')
    .select('id')
    .select(({ selectFrom, fn }) =>
      selectFrom('member_dogs')
        .select(fn.max('created_at').as('newest'))
        .whereRef('member_dogs.user_id', '=', 'profiles.id')
        .as('changed'),
    )
    .where('id', '>=', from)
    .where('id', '<', before)
    .where('dogs_count', '>', 0)
    .where(visibleTo(null, 'pictures', now).of('profiles.id'))
    .orderBy('id')
    .limit(PART_LIMIT)
    .execute()
  return rows.map(({ id, changed }) => ({ path: paths.member(id), changed: changed ?? undefined }))
}

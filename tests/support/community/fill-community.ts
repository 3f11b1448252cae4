import { createHash, randomUUID } from 'node:crypto'
import razas from '#data/razas.json' with { type: 'json' }
import { type Trx as Db, sqliteOf } from '#db/client.ts'
import { SIZES } from '#features/dogs/dogs.ts'
import { aliasKey } from '#features/profiles/profiles.ts'
import { madridDay } from '#lib/dates.ts'
import { provinceOf } from '#features/places/provinces.server.ts'
import { nameSlug, slugify } from '#lib/text/slug.ts'
import { type SeededRandom, createRandom as makeDice } from '#app/demo/random.ts'
import demo from '#data/demo.json' with { type: 'json' }
import { insertInBulk } from './bulk-insert.ts'

const DAY_MS = 86_400_000
const PERIOD_DAYS = 300
/** As in most communities: one dog in five is of no breed, one in fifty belongs to the keenest member. */
const MIXED_BREED_SHARE = 0.2
const KEENEST_MEMBER_SHARE = 0.02

/** Where the catalogue's slugs come from; cut once, not a million times. */
const BREEDS = razas.map(({ nombre_castellano: name }) => ({ name, slug: slugify(name) }))
const MESTIZO = BREEDS.find((breed) => breed.slug === 'mestizo')!
const NAMES = demo.dogNames.map((name) => ({ name, slug: nameSlug(name) }))

/**
 * A community of `count` dogs with one member per five dogs, one like and one comment per dog: few dogs have most of
 * both. Photos are rows without files: pages only name them.
 */
export function fillCommunity(db: Db, count: number): void {
  const sqlite = sqliteOf(db)
  const dice = makeDice(count)
  const now = Date.now()
  const insert: Insert = (table, columns) => {
    const names = columns.split(' ')
    const list = names.map((name) => `"${name}"`).join()
    return sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO ${table} (${list}) VALUES (${names.map(() => '?').join()}) ON CONFLICT DO NOTHING`,
    )
  }
  const members = Array.from({ length: Math.ceil(count / 5) }, () => randomUUID())
  const dogs = Array.from({ length: count }, () => randomUUID())
  insertInBulk(sqlite, () => {
    const addUser = insert('users', 'id email created_at')
    const addProfile = insert('profiles_all', 'id alias alias_key emoji created_at')
    members.forEach((id, i) => {
      addUser.run(id, `m${i}@ejemplo.es`, now)
      addProfile.run(id, `Miembro ${i}`, aliasKey(`Miembro ${i}`), '🐶', now)
    })
    writeDogs(insert, dice, dogs, members, now)
    const addLike = insert('dog_likes_all', 'id dog_id user_id created_at')
    // A third of the likes fall on the first thirtieth of the dogs.
    for (let i = 0; i < count; i++)
      addLike.run(
        randomUUID(),
        dogs[Math.floor(dice.next() ** 3 * count)]!,
        dice.chance(KEENEST_MEMBER_SHARE) ? members[0]! : dice.pick(members),
        Math.floor(now - dice.next() * DAY_MS),
      )
    const addComment = insert('comments_all', 'id dog_id user_id content created_at')
    for (let i = 0; i < count; i++)
      addComment.run(
        randomUUID(),
        dogs[Math.floor(dice.next() ** 3 * count)]!,
        dice.pick(members),
        'Lo vi ayer junto al río. Se dejó rascar las dos orejas.',
        Math.floor(now - dice.next() * DAY_MS),
      )
  })
  sqlite.exec('ANALYZE')
}

type Insert = (table: string, columns: string) => { run: (...values: (string | number | null)[]) => unknown }

function writeDogs(insert: Insert, dice: SeededRandom, dogs: string[], members: string[], now: number): void {
  const addDog = insert(
    'dogs_all',
    'id name breed breed_slug age age_unit age_months weight zone province description size photo_url user_id owner_id discoverer_id created_at updated_at day path_breed path_slug',
  )
  const addPath = insert('dog_paths', 'breed_slug slug dog_id created_at')
  const addImage = insert('dog_images_all', 'dog_id url order width height blur')
  const used = new Map<string, number>()
  // Formatting a date costs more than writing a dog: an hour's dogs share it.
  const days = new Map<number, number>()
  const dayOf = (time: number) => {
    const hour = Math.floor(time / 3_600_000)
    let day = days.get(hour)
    if (day === undefined) days.set(hour, (day = madridDay(hour * 3_600_000)))
    return day
  }
  // Whoever writes a dog writes its province along: a server that had to find them would do so while it is measured.
  const provinces = new Map<string | null, string>()
  const provinceIn = (zone: string | null) => {
    if (!provinces.has(zone)) provinces.set(zone, provinceOf(zone))
    return provinces.get(zone)!
  }
  for (const id of dogs) {
    const breed = dice.chance(MIXED_BREED_SHARE) ? MESTIZO : dice.pick(BREEDS)
    const { name, slug: base } = dice.pick(NAMES)
    const place = `${breed.slug}/${base}`
    const number = (used.get(place) ?? 0) + 1
    used.set(place, number)
    const slug = number === 1 ? base : `${base}-${number}`
    const created = Math.floor(now - dice.next() * PERIOD_DAYS * DAY_MS)
    const age = dice.chance(0.1) ? null : 1 + dice.int(14)
    const weight = dice.chance(0.1) ? null : 1 + dice.int(160) / 2
    const person = dice.chance(KEENEST_MEMBER_SHARE) ? members[0]! : dice.pick(members)
    // A quarter has a discoverer; some of those also have an owner.
    const isFound = dice.chance(0.25)
    const owner = isFound ? (dice.chance(0.2) ? dice.pick(members) : null) : person
    const url = `/photos/${id}_${created}_aaaaaaaa.jpg`
    const figures = [age, age === null ? null : 'años', age === null ? null : age * 12, weight]
    const people = [person, owner, isFound ? person : null]
    const size = dice.chance(0.05) ? null : dice.pick(SIZES)
    const zone = dice.weighted(Object.entries(demo.zones))
    const details = [zone, provinceIn(zone), 'Ladra a las aspiradoras y a nadie más.', size, url]
    const when = [created, created, dayOf(created)]
    addDog.run(id, name, breed.name, breed.slug, ...figures, ...details, ...people, ...when, breed.slug, slug)
    addPath.run(breed.slug, slug, id, created)
    // Any colours: as many bytes on a page as a photo's own.
    addImage.run(id, url, 0, 800, 800, createHash('sha256').update(id).digest('base64').slice(0, 43))
  }
}

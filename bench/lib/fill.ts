import { randomUUID } from 'node:crypto'
import razas from '#data/razas.json' with { type: 'json' }
import { type Db, sqliteOf } from '#db/client.ts'
import { SIZES } from '#features/dogs/dogs.ts'
import { madridDay } from '#lib/dates.ts'
import { nameSlug, slugify } from '#lib/slug.ts'
import { dice as makeDice } from '../../scripts/demo/random.ts'
import { DOG_NAMES, ZONES } from '../../scripts/demo/texts.ts'

const DAY = 86_400_000

/**
 * A community of `count` dogs, one member per five dogs and one like per dog, written with bare statements (the
 * triggers run as ever). Photos are rows without files: pages only name them.
 */
export function fillCommunity(db: Db, count: number): void {
  const sqlite = sqliteOf(db)
  const dice = makeDice(count)
  const now = Date.now()
  const members = Array.from({ length: Math.ceil(count / 5) }, () => randomUUID())
  const addUser = sqlite.prepare('INSERT INTO users VALUES (?, ?, ?)')
  const addProfile = sqlite.prepare(
    'INSERT INTO profiles (id, alias, alias_key, emoji, created_at) VALUES (?, ?, ?, ?, ?)',
  )
  const columns =
    'id name breed breed_slug age age_unit age_months weight zone description size photo_url user_id owner_id created_at updated_at day path_breed path_slug'.split(
      ' ',
    )
  const addDog = sqlite.prepare(`INSERT INTO dogs (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
  const addPath = sqlite.prepare('INSERT INTO dog_paths VALUES (?, ?, ?, ?)')
  const addImage = sqlite.prepare('INSERT INTO dog_images VALUES (?, ?, ?, 800, 800, NULL)')
  const addLike = sqlite.prepare('INSERT OR IGNORE INTO dog_likes VALUES (?, ?, ?, ?)')
  const used = new Map<string, number>()
  const dogs: string[] = []

  sqlite.transaction(() => {
    members.forEach((id, i) => {
      addUser.run(id, `m${i}@ejemplo.es`, now)
      addProfile.run(id, `Miembro ${i}`, `miembro ${i}`, '🐶', now)
    })
    for (let i = 0; i < count; i++) {
      const breed = dice.pick(razas).nombre_castellano
      const breedSlug = slugify(breed)
      const name = dice.pick(DOG_NAMES)
      const place = `${breedSlug}/${nameSlug(name)}`
      const number = (used.get(place) ?? 0) + 1
      used.set(place, number)
      const slug = number === 1 ? nameSlug(name) : `${nameSlug(name)}-${number}`
      const id = randomUUID()
      dogs.push(id)
      const created = Math.floor(now - dice.next() * 300 * DAY)
      const age = 1 + dice.int(14)
      const owner = dice.pick(members)
      const url = `/photos/${id}_${created}_aaaaaaaa.jpg`
      addDog.run(
        id,
        name,
        breed,
        breedSlug,
        age,
        'años',
        age * 12,
        1 + dice.int(160) / 2,
        dice.weighted(ZONES),
        'Ladra a las aspiradoras y a nadie más.',
        dice.pick(SIZES),
        url,
        owner,
        owner,
        created,
        created,
        madridDay(created),
        breedSlug,
        slug,
      )
      addPath.run(breedSlug, slug, id, created)
      addImage.run(id, url, 0)
    }
    for (let i = 0; i < count; i++)
      addLike.run(randomUUID(), dogs[Math.floor(dice.next() ** 3 * count)]!, dice.pick(members), now)
  })()
  sqlite.exec('ANALYZE')
}

import demo from '#data/demo.json' with { type: 'json' }
/**
 * The demo community: 60 members and 400 dogs over real breeds and Spanish towns, with drawn photos, likes, comments and
 * notifications. A database that already has members is left unchanged, so that repeating the command does nothing.
 */
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { resolveBreed } from '#features/breeds/catalogue.server.ts'
import { insertDog } from '#features/dogs/write/add.server.ts'
import { withNewBreedNotifications } from '#features/dogs/new-breed.server.ts'
import { removePhotos, type StoredPhoto } from '#features/photos/photos.server.ts'
import { aliasKey, STARTING_EMOJIS } from '#features/profiles/profiles.ts'
import { type DemoDog, generateDemoDogs } from './dogs.ts'
import { insertDemoNotifications } from './notifications.ts'
import { renderAllPhotos } from './photos.ts'
import { type SeededRandom, createRandom } from './random.ts'
import { DAY_MS } from '#lib/time.ts'
import { writeMemberWords } from '#features/profiles/member-words.server.ts'

/** The size of the demo; tests fill a smaller one. */
const DEMO_SIZE = { members: 60, dogs: 400 }
const SEED = 20261120

interface DemoMember {
  id: string
  alias: string
  created_at: number
}

/** Fills an empty database and its photo folder. @param print shows progress on the console */
export async function fillDemo(
  db: Db,
  dataDir: string,
  print: (text: string) => void,
  { members: memberCount, dogs: dogCount } = DEMO_SIZE,
): Promise<void> {
  const now = Date.now()
  const anyUser = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (anyUser) return print('la comunidad de muestra ya está')
  const dice = createRandom(SEED)
  const members = generateDemoMembers(dice, memberCount, now)
  const dogs = generateDemoDogs(dice, dogCount, memberCount, now).toSorted((a, b) => a.created_at - b.created_at)
  print(`dibujo ${dogCount} perros (una sola vez)…`)
  const photos = await renderAllPhotos(dataDir, dogs, (done) => done % 100 === 0 && print(`  ${done} de ${dogCount}`))
  try {
    // One transaction: after an interruption the next start fills it again.
    await transact(db, async (trx) => {
      await insertMembers(trx, members, dice)
      for (const dog of dogs) await insertDemoDog(trx, dog, photos.get(dog.id) ?? [], members)
      await insertLikes(trx, dice, dogs, members, now)
      await insertComments(trx, dice, dogs, members, now)
      await insertDemoNotifications(trx, dice)
      // The dogs' inserts publish events with past dates. No page is open that could receive them.
      await trx.deleteFrom('events').execute()
    })
  } catch (error) {
    for (const [dogId, list] of photos) await removePhotos(dataDir, { dogId, urls: list.map(({ url }) => url) })
    throw error
  }
  print(`comunidad de muestra: ${memberCount} miembros, ${dogCount} perros`)
}

const generateDemoMembers = (dice: SeededRandom, count: number, now: number): DemoMember[] =>
  Array.from({ length: count }, (_, index) => ({
    id: dice.uuid(),
    alias: demo.aliases[index] ?? `Perrit${dice.int(100_000)}`,
    created_at: Math.floor(now - (210 + dice.next() * 500) * DAY_MS),
  }))

async function insertMembers(trx: Trx, members: DemoMember[], dice: SeededRandom) {
  for (const [index, { id, alias, created_at }] of members.entries()) {
    await trx
      .insertInto('users')
      .values({ id, email: `miembro${index + 1}@ejemplo.es`, created_at })
      .execute()
    const verified = index % 15 === 0 ? 1 : 0
    await trx
      .insertInto('profiles_all')
      .values({ id, alias, alias_key: aliasKey(alias), emoji: dice.pick(STARTING_EMOJIS), verified, created_at })
      .execute()
    await writeMemberWords(trx, id, alias)
  }
}

async function insertDemoDog(trx: Trx, dog: DemoDog, images: StoredPhoto[], members: DemoMember[]) {
  const idOf = (index: number | null) => (index === null ? null : (members[index]?.id ?? null))
  const owner_id = idOf(dog.owner)
  const discoverer_id = idOf(dog.discoverer)
  const newDog = {
    id: dog.id,
    input: dog.input,
    images,
    user_id: discoverer_id ?? owner_id,
    owner_id,
    discoverer_id,
    created_at: dog.created_at,
  }
  const arrival = { dogId: dog.id, breedSlug: resolveBreed(dog.input.breed).slug, userIds: [owner_id, discoverer_id] }
  await withNewBreedNotifications(trx, arrival, () => insertDog(trx, newDog), dog.created_at)
}

/** A random time between the dog's creation and `now`, ms. */
const pickTimeAfter = (dice: SeededRandom, dog: DemoDog, now: number) =>
  Math.floor(dog.created_at + dice.next() * (now - dog.created_at))

async function insertLikes(trx: Trx, dice: SeededRandom, dogs: DemoDog[], members: DemoMember[], now: number) {
  for (const dog of dogs) {
    const fans = members.filter(() => dice.chance(dog.popularity * 0.7))
    for (const fan of fans)
      await trx
        .insertInto('dog_likes_all')
        .values({ id: dice.uuid(), dog_id: dog.id, user_id: fan.id, created_at: pickTimeAfter(dice, dog, now) })
        .execute()
  }
}

async function insertComments(trx: Trx, dice: SeededRandom, dogs: DemoDog[], members: DemoMember[], now: number) {
  for (const dog of dogs)
    for (let left = Math.floor(dog.popularity * 6 + dice.next()); left > 0; left--)
      await trx
        .insertInto('comments_all')
        .values({
          id: dice.uuid(),
          dog_id: dog.id,
          user_id: dice.pick(members).id,
          content: dice.pick(demo.comments),
          created_at: pickTimeAfter(dice, dog, now),
        })
        .execute()
}

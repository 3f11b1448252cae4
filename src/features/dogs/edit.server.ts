import type { Updateable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { DogsTable } from '#db/schema.ts'
import { resolveBreed } from '#features/breeds/catalogue.server.ts'
import { nameSlug } from '#lib/slug.ts'
import { AppError, forbidden, invalid, unauthenticated } from '#lib/errors.ts'
import { mustWrite } from '#features/moderation/bans.server.ts'
import { dropHeldOfDog, heldOf } from '#features/moderation/held.server.ts'
import { DOUBT_REASONS, doubtOf } from '#features/moderation/words.ts'
import { dropDogLines } from '#features/notifications/notifications.server.ts'
import { renameDog } from '#features/notifications/rename.server.ts'
import { planRemoval } from '#features/photos/moves.server.ts'
import { settlePhotos } from '#features/photos/settle-moves.server.ts'
import { dogColumns } from './add.server.ts'
import { type DogRow, dogMissing, getDog } from './dog.server.ts'
import { ageProblem, type DogPatch, type Relationship, tidyAge } from './dogInput.ts'
import { canEditDog, type Dog } from './dogs.ts'
import { heldDog, holdForAdmin, photosOfHeld } from './hold.server.ts'
import { closeRequests } from './ownership.server.ts'
import { claimPath } from './paths.server.ts'
import { tellDog } from './tell.server.ts'
import { tellingNewBreeds } from './unlock.server.ts'

/** Who asks; null without a session. */
export type Asker = { id: string } | null

const HELD = 'Este perro está oculto o en revisión: hasta que se decida no se puede cambiar, pero sí eliminar.'

/**
 * The dog's row, for its owner or discoverer only (docs/product.md §19.1).
 * @throws AppError 401 «Error: Usuario no autenticado» (docs/product.md §21.3), 404, 403; 409 for their own that is out of sight
 */
export async function editableRow(
  db: Db,
  user: Asker,
  id: string,
  { mayBeBanned = false } = {},
): Promise<{ user: { id: string }; row: DogRow }> {
  if (!user) throw unauthenticated('Error: Usuario no autenticado')
  const row = await db.selectFrom('dogs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw (await isOwnHeld(db, user.id, id)) ? new AppError(409, HELD) : dogMissing()
  if (!canEditDog(row, user.id)) throw forbidden('Solo su dueño o su descubridor puede editar este perro.')
  if (!mayBeBanned) await mustWrite(db, user.id)
  return { user, row }
}

/** Whether the dog is out of sight and of those who could edit it; everyone else learns as little as of one that never was. */
async function isOwnHeld(db: Db, userId: string, id: string): Promise<boolean> {
  const held = await heldOf(db, 'dog', id)
  return held !== undefined && canEditDog(heldDog(held).dog, userId)
}

/** `updateDog`, and the photos of a dog that now waits for the admin are out of public reach. */
export async function editDog(db: Db, dataDir: string, asker: Asker, id: string, patch: DogPatch): Promise<Dog> {
  const dog = await updateDog(db, asker, id, patch)
  if (dog.waits) await settlePhotos(db, dataDir, id)
  return dog
}

/** Changes what `patch` names; what it leaves out stays. A new name or breed gives a new address; the old one still leads here. */
export async function updateDog(db: Db, asker: Asker, id: string, patch: DogPatch, now = Date.now()): Promise<Dog> {
  let waiting: Dog | undefined
  await db.transaction().execute(async (trx) => {
    const { user, row } = await editableRow(trx, asker, id)
    const changes = {
      ...changedColumns(row, patch),
      ...changedPeople(row, patch.relationship, user.id),
      updated_at: now,
    }
    const { breed_slug, owner_id = row.owner_id, discoverer_id = row.discoverer_id } = changes
    const arrival = { dogId: id, breedSlug: breed_slug, userIds: [owner_id, discoverer_id] }
    const update = trx.updateTable('dogs').set(changes).where('id', '=', id)
    await tellingNewBreeds(trx, arrival, () => update.execute(), now)
    if (owner_id && !row.owner_id) await closeRequests(trx, row, owner_id, now)
    const path_breed = changes.breed_slug
    const isMoved = path_breed !== row.breed_slug || nameSlug(changes.name) !== nameSlug(row.name)
    if (isMoved) {
      const path_slug = await claimPath(trx, id, path_breed, changes.name, now)
      await trx.updateTable('dogs').set({ path_breed, path_slug }).where('id', '=', id).execute()
    }
    await renameDog(trx, id, row.name, changes.name)
    const doubt = doubtOf(patch.name, patch.description, patch.breed, patch.zone)
    if (doubt) waiting = await holdForAdmin(trx, id, 'words', DOUBT_REASONS[doubt], now)
    else await tellDog(trx, 'changed', id, now, { isMoved })
  })
  return waiting ?? getDog(db, id)
}

function changedColumns(row: DogRow, patch: DogPatch) {
  const age = tidyAge({
    age: patch.age === undefined ? row.age : patch.age,
    age_unit: patch.age_unit === undefined ? row.age_unit : patch.age_unit,
  })
  // A stored age stays, whatever the limit is today.
  const problem = age.age === row.age && age.age_unit === row.age_unit ? null : ageProblem(age)
  if (problem) throw invalid(problem, { age: problem })
  const breed = patch.breed === undefined ? { name: row.breed, slug: row.breed_slug } : resolveBreed(patch.breed)
  return {
    ...dogColumns({
      name: patch.name ?? row.name,
      ...age,
      weight: patch.weight === undefined ? row.weight : patch.weight,
      zone: patch.zone === undefined ? row.zone : patch.zone,
      is_adopted: patch.is_adopted ?? row.is_adopted === 1,
      description: patch.description === undefined ? row.description : patch.description,
      size: patch.size === undefined ? row.size : patch.size,
    }),
    breed: breed.name,
    breed_slug: breed.slug,
  }
}

/**
 * The chosen role becomes the asker's; the other one stays whose it was (docs/product.md §11.5). A role that somebody else holds is
 * theirs: neither owner nor discoverer can push the other out.
 */
function changedPeople(row: DogRow, chosen: Relationship | undefined, userId: string): Updateable<DogsTable> {
  if (!chosen) return {}
  const column = `${chosen}_id` as const
  if (row[column] === userId) return {}
  if (row[column] !== null) {
    const detail = chosen === 'owner' ? 'Este perro ya tiene dueño.' : 'Este perro ya tiene descubridor.'
    throw invalid(detail, { relationship: detail })
  }
  return { [column]: userId }
}

/**
 * Deletes the dog with its likes, comments and photos, also while it is out of sight: what is theirs its people may take away
 * at any time. Its addresses stay, empty: they answer 410.
 */
export async function deleteDog(db: Db, dataDir: string, asker: Asker, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (asker && (await isOwnHeld(trx, asker.id, id))) return removeHeldDog(trx, id)
    await editableRow(trx, asker, id, { mayBeBanned: true })
    await removeDog(trx, id)
  })
  await settlePhotos(db, dataDir, id)
}

/**
 * Takes the dog's rows away, and what of it is out of sight; who may has been asked before. Call it inside a transaction, and
 * `settlePhotos` once that has held.
 */
export async function removeDog(trx: Db, id: string): Promise<void> {
  const images = await trx.selectFrom('dog_images').select('url').where('dog_id', '=', id).execute()
  const held = await dropHeldOfDog(trx, id)
  await dropDogLines(trx, id)
  await trx.deleteFrom('dogs').where('id', '=', id).execute()
  await tellDog(trx, 'removed', id)
  await planRemoval(trx, { dogId: id, urls: [...images.map((image) => image.url), ...held.flatMap(photosOfHeld)] })
}

/** The same of a dog that is out of sight, with what of it was hidden by itself. */
export async function removeHeldDog(trx: Db, id: string): Promise<void> {
  const held = await dropHeldOfDog(trx, id)
  await planRemoval(trx, { dogId: id, urls: held.flatMap(photosOfHeld) })
}

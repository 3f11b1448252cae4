import type { Updateable } from 'kysely'
import type { Db } from '#db/client.ts'
import type { DogsTable } from '#db/schema.ts'
import { resolveBreed } from '#features/breeds/catalogue.server.ts'
import { nameSlug } from '#lib/text/slug.ts'
import { AppError, forbidden, invalid, unauthenticated } from '#lib/errors.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { deleteQuarantinedOfDog, findQuarantined } from '#features/moderation/quarantine.server.ts'
import { TEXT_FLAG_REASONS, findTextFlag } from '#features/moderation/text-filter.ts'
import { deleteDogNotifications } from '#features/notifications/notifications.server.ts'
import { renameDog } from '#features/notifications/rename.server.ts'
import { planRemoval } from '#features/photos/planned-moves.server.ts'
import { applyPhotoMoves } from '#features/photos/apply-moves.server.ts'
import { dogColumns } from './add.server.ts'
import { type DogRow, dogNotFound, getDog } from '#features/dogs/dog.server.ts'
import { ageError, type DogPatch, type Relationship, normaliseAge } from './dog-input.ts'
import { canEditDog, type Dog } from '#features/dogs/dogs.ts'
import { parseQuarantinedDog, submitDogForReview, photosOfQuarantined } from '#features/dogs/quarantine.server.ts'
import { closeOwnershipRequests } from '#features/dogs/ownership/ownership.server.ts'
import { reservePath } from '#features/dogs/paths.server.ts'
import { publishDogEvent } from '#features/dogs/dog-events.server.ts'
import { withNewBreedNotifications } from '#features/dogs/new-breed.server.ts'

/** Who asks; null without a session. */
export type Requester = { id: string } | null

const QUARANTINED_ERROR =
  'Este perro está oculto o en revisión: hasta que se decida no se puede cambiar, pero sí eliminar.'

/**
 * The dog's row, for its owner or discoverer only (docs/product.md §19.1).
 * @throws AppError 401 «Error: Usuario no autenticado» (docs/product.md §21.3), 404, 403; 409 for their own that is out of sight
 */
export async function requireEditableDog(
  db: Db,
  user: Requester,
  id: string,
  { mayBeBanned = false } = {},
): Promise<{ user: { id: string }; row: DogRow }> {
  if (!user) throw unauthenticated('Error: Usuario no autenticado')
  const row = await db.selectFrom('dogs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw (await isOwnQuarantinedDog(db, user.id, id)) ? new AppError(409, QUARANTINED_ERROR) : dogNotFound()
  if (!canEditDog(row, user.id)) throw forbidden('Solo su dueño o su descubridor puede editar este perro.')
  if (!mayBeBanned) await assertNotBanned(db, user.id)
  return { user, row }
}

/** Whether the dog is out of sight and of those who could edit it; everyone else learns as little as of one that never was. */
async function isOwnQuarantinedDog(db: Db, userId: string, id: string): Promise<boolean> {
  const held = await findQuarantined(db, 'dog', id)
  return held !== undefined && canEditDog(parseQuarantinedDog(held).dog, userId)
}

/** `updateDog`, and the photos of a dog that now waits for the admin are out of public reach. */
export async function editDog(db: Db, dataDir: string, asker: Requester, id: string, patch: DogPatch): Promise<Dog> {
  const dog = await updateDog(db, asker, id, patch)
  if (dog.waits) await applyPhotoMoves(db, dataDir, id)
  return dog
}

/** Changes what `patch` names; what it leaves out stays. A new name or breed gives a new address; the old one still leads here. */
export async function updateDog(db: Db, asker: Requester, id: string, patch: DogPatch, now = Date.now()): Promise<Dog> {
  let waiting: Dog | undefined
  await db.transaction().execute(async (trx) => {
    const { user, row } = await requireEditableDog(trx, asker, id)
    const changes = {
      ...changedColumns(row, patch),
      ...changedRole(row, patch.relationship, user.id),
      updated_at: now,
    }
    const { breed_slug, owner_id = row.owner_id, discoverer_id = row.discoverer_id } = changes
    const arrival = { dogId: id, breedSlug: breed_slug, userIds: [owner_id, discoverer_id] }
    const update = trx.updateTable('dogs').set(changes).where('id', '=', id)
    await withNewBreedNotifications(trx, arrival, () => update.execute(), now)
    if (owner_id && !row.owner_id) await closeOwnershipRequests(trx, row, owner_id, now)
    const path_breed = changes.breed_slug
    const isMoved = path_breed !== row.breed_slug || nameSlug(changes.name) !== nameSlug(row.name)
    if (isMoved) {
      const path_slug = await reservePath(trx, id, path_breed, changes.name, now)
      await trx.updateTable('dogs').set({ path_breed, path_slug }).where('id', '=', id).execute()
    }
    await renameDog(trx, id, row.name, changes.name)
    const doubt = findTextFlag(patch.name, patch.description, patch.breed, patch.zone)
    if (doubt) waiting = await submitDogForReview(trx, id, 'words', TEXT_FLAG_REASONS[doubt], now)
    else await publishDogEvent(trx, 'changed', id, now, { isMoved })
  })
  return waiting ?? getDog(db, id)
}

function changedColumns(row: DogRow, patch: DogPatch) {
  const age = normaliseAge({
    age: patch.age === undefined ? row.age : patch.age,
    age_unit: patch.age_unit === undefined ? row.age_unit : patch.age_unit,
  })
  // A stored age stays, whatever the limit is today.
  const problem = age.age === row.age && age.age_unit === row.age_unit ? null : ageError(age)
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
function changedRole(row: DogRow, chosen: Relationship | undefined, userId: string): Updateable<DogsTable> {
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
export async function deleteDog(db: Db, dataDir: string, asker: Requester, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (asker && (await isOwnQuarantinedDog(trx, asker.id, id))) return deleteQuarantinedDog(trx, id)
    await requireEditableDog(trx, asker, id, { mayBeBanned: true })
    await deleteDogRows(trx, id)
  })
  await applyPhotoMoves(db, dataDir, id)
}

/**
 * Takes the dog's rows away, and what of it is out of sight; who may has been asked before. Call it inside a transaction, and
 * `settlePhotos` once that has held.
 */
export async function deleteDogRows(trx: Db, id: string): Promise<void> {
  const images = await trx.selectFrom('dog_images').select('url').where('dog_id', '=', id).execute()
  const held = await deleteQuarantinedOfDog(trx, id)
  await deleteDogNotifications(trx, id)
  await trx.deleteFrom('dogs').where('id', '=', id).execute()
  await publishDogEvent(trx, 'removed', id)
  await planRemoval(trx, {
    dogId: id,
    urls: [...images.map((image) => image.url), ...held.flatMap(photosOfQuarantined)],
  })
}

/** The same of a dog that is out of sight, with what of it was hidden by itself. */
export async function deleteQuarantinedDog(trx: Db, id: string): Promise<void> {
  const held = await deleteQuarantinedOfDog(trx, id)
  await planRemoval(trx, { dogId: id, urls: held.flatMap(photosOfQuarantined) })
}

import type { Updateable } from 'kysely'
import type { Db, Trx } from '#db/client.ts'
import type { DogsTable } from '#db/schema.ts'
import { transact } from '#db/transact.ts'
import { resolveBreed } from '#features/breeds/catalogue.server.ts'
import { paths } from '#lib/paths.ts'
import { nameSlug } from '#lib/text/slug.ts'
import { AppError, forbidden, invalid, unauthenticated } from '#lib/errors.ts'
import { unlimitedQuota } from '#lib/quota.ts'
import { assertNotBanned } from '#features/moderation/bans.server.ts'
import { markTargetEdited } from '#features/moderation/cases.server.ts'
import { findTextFlag } from '#features/moderation/text-filter.ts'
import { redescribeDog } from '#features/notifications/target-notifications.server.ts'
import { hiddenPhotoUrl } from '#features/photos/photos.ts'
import { applyPhotoMoves } from '#features/photos/planned-moves.server.ts'
import { dogColumns } from './add.server.ts'
import { type DogRow, dogNotFound, fieldsOf, getDog } from '#features/dogs/dog.server.ts'
import { changedFrame } from './frame.server.ts'
import { ageError, FILTERED_FIELDS, type Relationship, normaliseAge } from './dog-fields.ts'
import type { DogPatch } from './dog-input.ts'
import type { DeletableDog } from '#features/dogs/deletion/deletion.ts'
import { canEditDog, type Dog } from '#features/dogs/dogs.ts'
import { findHiddenDog } from '#features/dogs/hidden-dogs.server.ts'
import { closeOwnershipRequests } from '#features/dogs/ownership/ownership.server.ts'
import { reservePath } from '#features/dogs/paths.server.ts'
import { parseProposed, proposeTexts, splitDoubted, splitProposed } from '#features/dogs/proposed-texts.server.ts'
import { deleteDogRows, emptyDog } from '../empty-dog.server.ts'
import { publishDogEvent } from '#features/dogs/dog-events.server.ts'
import { withNewBreedNotifications } from '#features/dogs/new-breed.server.ts'
import type { Requester } from '#lib/auth/current-user.ts'
import { writeDogWords } from '#features/dogs/dog-words.server.ts'

/** Edits of one member in ten minutes: each publishes an event to all open pages. */
export const DOG_EDIT_RATE_LIMIT = [120, 600] as const

const HIDDEN_ERROR = 'Este perro está oculto o en revisión: hasta que se decida no se puede cambiar, pero sí eliminar.'

/**
 * The dog's row, for its owner or discoverer only (docs/product.md §19.1).
 * @throws AppError 401 «Error: Usuario no autenticado» (docs/product.md §21.3), 404, 403; 409 for their own hidden dog
 */
export async function requireEditableDog(
  db: Db,
  user: Requester,
  id: string,
  { mayBeBanned = false } = {},
): Promise<{ user: { id: string }; row: DogRow }> {
  if (!user) throw unauthenticated('Error: Usuario no autenticado')
  const row = await db.selectFrom('dogs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw (await isOwnHiddenDog(db, user.id, id)) ? new AppError(409, HIDDEN_ERROR) : dogNotFound()
  if (!canEditDog(row, user.id)) throw forbidden('Solo su dueño o su descubridor puede editar este perro.')
  if (!mayBeBanned) await assertNotBanned(db, user.id)
  return { user, row }
}

/**
 * The dog, also a hidden one, for a member who may delete it (docs/product.md §19.1).
 * @throws AppError 401, 403, 404
 */
export async function getDeletableDog(db: Db, requester: Requester, id: string): Promise<DeletableDog> {
  const hidden = requester && (await findHiddenDog(db, id))
  const isOwnHidden = hidden && canEditDog(hidden, requester.id)
  const dog = isOwnHidden ? hidden : (await requireEditableDog(db, requester, id, { mayBeBanned: true })).row
  return {
    id,
    name: dog.name,
    breed: dog.breed,
    path: paths.dog(dog),
    photoUrl: isOwnHidden ? hiddenPhotoUrl(dog.photo_url) : dog.photo_url,
  }
}

/** Whether the dog is hidden and this member could edit it. To everyone else a hidden dog does not exist. */
async function isOwnHiddenDog(db: Db, userId: string, id: string): Promise<boolean> {
  const dog = await findHiddenDog(db, id)
  return dog !== undefined && canEditDog(dog, userId)
}

/**
 * Changes the fields in `patch`. A new name or breed gives a new path; the old one redirects to it. A new text that the filter doubts is
 * put to the review, and the one of before stays (`in_review` names it).
 * @param at the time of the edit, ms; default: that of its transaction, which comes after every earlier look at the dog
 * @param reviews quota of texts that are put to the review
 * @throws AppError 401, 403, 404, 409, 422; 429 where the edit needs a review and too many are open, and from `reviews`
 */
export async function updateDog(
  db: Db,
  requester: Requester,
  id: string,
  patch: DogPatch,
  at?: number,
  reviews = unlimitedQuota,
): Promise<Dog> {
  let hasNewOwner = false
  let inReview: string[] = []
  const update = async (trx: Trx): Promise<void> => {
    const now = at ?? Date.now()
    const { user, row } = await requireEditableDog(trx, requester, id)
    const { accepted, doubted } = splitDoubted(row, patch)
    inReview = Object.keys(doubted)
    const roles = changedRole(row, patch.relationship, user.id)
    const { owner_id = row.owner_id } = roles
    const changes = {
      ...changedColumns(row, accepted),
      ...roles,
      ...changedFrame(row, patch.frame, owner_id === user.id),
    }
    await proposeTexts(trx, id, { doubted, written: Object.keys(accepted) }, user.id, now)
    if (isEdit(row, changes)) await markTargetEdited(trx, 'dog', id, now)
    await writeChanges(trx, row, changes, now)
    hasNewOwner = owner_id !== null && row.owner_id === null
  }
  const run = () => transact(db, update)
  const isFlagged = findTextFlag(...FILTERED_FIELDS.map((name) => patch[name])) !== null
  await (isFlagged ? reviews(run, () => inReview.length > 0) : run())
  if (hasNewOwner) await closeOwnershipRequests(db, id, at)
  const dog = await getDog(db, id)
  return inReview.length > 0 ? { ...dog, in_review: inReview } : dog
}

/** Writes the columns that an edit changes, with all that depends on them. Call it inside a transaction. */
async function writeChanges(
  trx: Trx,
  row: DogRow,
  columns: ReturnType<typeof changedColumns> & Updateable<DogsTable>,
  now: number,
): Promise<void> {
  const { id } = row
  const changes = { ...columns, updated_at: now }
  const { owner_id = row.owner_id, discoverer_id = row.discoverer_id, breed_slug } = changes
  const arrival = { dogId: id, breedSlug: breed_slug, userIds: [owner_id, discoverer_id] }
  const change = trx.updateTable('dogs_all').set(changes).where('id', '=', id)
  await withNewBreedNotifications(trx, arrival, () => change.execute(), now)
  if (changes.name !== row.name) await writeDogWords(trx, id, changes.name)
  if (breed_slug !== row.breed_slug || nameSlug(changes.name) !== nameSlug(row.name)) {
    const path_slug = await reservePath(trx, id, breed_slug, changes.name, now)
    await trx.updateTable('dogs_all').set({ path_breed: breed_slug, path_slug }).where('id', '=', id).execute()
  }
  await redescribe(trx, row, changes)
  await publishDogEvent(trx, 'changed', id, now)
}

/** Publishes the texts that waited in a dog's case. Call it inside the decision's transaction. */
export async function publishProposed(trx: Trx, id: string, proposed: string, now: number): Promise<void> {
  const row = await trx.selectFrom('dogs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw dogNotFound()
  const { fields, alts } = splitProposed(parseProposed(proposed))
  for (const [url, alt] of Object.entries(alts))
    await trx.updateTable('dog_images_all').set({ alt }).where('dog_id', '=', id).where('url', '=', url).execute()
  await writeChanges(trx, row, changedColumns(row, fields), now)
}

/** Whether a save changes what the dog's people say: the form also sends one without changes, and a frame is not the member's text. */
const isEdit = (row: DogRow, changes: Updateable<DogsTable>): boolean =>
  Object.entries(changes).some(
    ([name, value]) => name !== 'updated_at' && name !== 'frame' && value !== row[name as keyof DogRow],
  )

/** Notifications of decisions about the dog name it as it is called now. */
async function redescribe(trx: Trx, row: DogRow, { name, breed }: { name: string; breed: string }): Promise<void> {
  const [before, after] = [`${row.name}, ${row.breed}`, `${name}, ${breed}`]
  if (before === after) return
  await redescribeDog(trx, row.id, before, after)
}

function changedColumns(row: DogRow, patch: DogPatch) {
  const age = normaliseAge({
    age: patch.age === undefined ? row.age : patch.age,
    age_unit: patch.age_unit === undefined ? row.age_unit : patch.age_unit,
  })
  // A stored age stays, whatever the limit is today.
  const error = age.age === row.age && age.age_unit === row.age_unit ? null : ageError(age)
  if (error) throw invalid(error, { age: error })
  const breed = patch.breed === undefined ? { name: row.breed, slug: row.breed_slug } : resolveBreed(patch.breed)
  const { frame: _frame, relationship: _relationship, ...sent } = patch
  const changed = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
  return {
    ...dogColumns({ ...fieldsOf(row), ...changed, ...age }),
    breed: breed.name,
    breed_slug: breed.slug,
  }
}

/**
 * Gives the chosen role to the member; the other role stays as it is (docs/product.md §11.5). Neither owner nor discoverer
 * can take the other's role. @throws AppError 422 for a role that another member has
 */
function changedRole(
  row: DogRow,
  chosen: Relationship | undefined,
  userId: string,
): { owner_id?: string; discoverer_id?: string } {
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
 * Deletes the dog with its likes, comments and photos. Its participants may do so at any time, also while it is
 * hidden or they are banned. Its paths stay and answer 410.
 * @throws AppError 401, 403, 404; 409 for its discoverer while its owner looks for it
 */
export async function deleteDog(db: Db, dataDir: string, requester: Requester, id: string): Promise<void> {
  await assertMayDelete(db, requester, id)
  await emptyDog(db, id)
  await transact(db, async (trx) => {
    await assertMayDelete(trx, requester, id)
    await deleteDogRows(trx, id)
  })
  await applyPhotoMoves(db, dataDir, id)
}

async function assertMayDelete(db: Db, requester: Requester, id: string): Promise<void> {
  if (!requester || !(await isOwnHiddenDog(db, requester.id, id)))
    await requireEditableDog(db, requester, id, { mayBeBanned: true })
  await assertNotSoughtByAnother(db, requester, id)
}

/** With the dog would go the search, and what others have reported. @throws AppError 409 */
async function assertNotSoughtByAnother(db: Db, requester: Requester, id: string): Promise<void> {
  const lost = await db.selectFrom('lost_cases').select('owner_id').where('dog_id', '=', id).executeTakeFirst()
  if (lost && lost.owner_id !== requester?.id)
    throw new AppError(409, 'Su familia lo está buscando. Mientras tanto nadie más lo puede eliminar.')
}

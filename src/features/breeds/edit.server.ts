import { randomUUID } from 'node:crypto'
import type { Db, Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { logAdminAction } from '#features/moderation/admin-log.server.ts'
import { isAdmin } from '#lib/auth/current-user.ts'
import { forbidden, invalid, notFound, unauthenticated } from '#lib/errors.ts'
import { type CatalogueBreed, getCatalogue, readTexts } from './current-catalogue.server.ts'
import { type BreedEdit, type BreedTexts, FIELD_NAMES } from './edit.ts'
import { breedKey } from './match.ts'

/** The requester, and the address of the one account that may edit (ADMIN_EMAIL; undefined: nobody may). */
export interface BreedEditor {
  user: { id: string; email: string | null } | null
  adminEmail: string | undefined
}

/** Whether the requester is the one account that sees edit controls (docs/product.md §19.1). */
export const mayEditBreeds = ({ user, adminEmail }: BreedEditor): boolean => isAdmin(user, adminEmail)

function assertBreedEditor(editor: BreedEditor): string {
  if (!editor.user) throw unauthenticated()
  if (!mayEditBreeds(editor)) throw forbidden()
  return editor.user.id
}

const textsOf = (breed: CatalogueBreed) =>
  Object.fromEntries(FIELD_NAMES.map((field) => [field, breed[field]])) as BreedTexts

async function getBreed(db: Db, slug: string): Promise<CatalogueBreed> {
  const breed = (await getCatalogue(db)).bySlug.get(slug)
  if (!breed) throw notFound(`La raza "${slug}" no existe o no está disponible en la base de datos.`)
  return breed
}

/**
 * Overrides a breed's texts and records the previous ones.
 * @returns false where no text changed: nothing is written
 * @throws AppError 401, 403, 404; 422 for a name that another breed has
 */
export async function editBreed(db: Db, editor: BreedEditor, slug: string, texts: BreedTexts): Promise<boolean> {
  const userId = assertBreedEditor(editor)
  const breed = await getBreed(db, slug)
  const key = breedKey(texts.nombre_castellano)
  const namesake = (await getCatalogue(db)).breeds.find((b) => b.slug !== slug && breedKey(b.nombre_castellano) === key)
  if (namesake) {
    const message = `Ya hay otra raza que se llama ${namesake.nombre_castellano}.`
    throw invalid(message, { nombre_castellano: message })
  }
  const old = textsOf(breed)
  const changed = FIELD_NAMES.filter((field) => texts[field] !== old[field])
  if (changed.length === 0) return false
  const toJson = (from: BreedTexts) => JSON.stringify(Object.fromEntries(changed.map((field) => [field, from[field]])))
  const row = { id: randomUUID(), breed_slug: slug, changes: toJson(texts), before: toJson(old), user_id: userId }
  await transact(db, async (trx) => {
    await trx
      .insertInto('breed_overrides')
      .values({ ...row, created_at: Date.now(), undone_at: null })
      .execute()
    const target = { kind: 'breed' as const, id: slug }
    await logAdminAction(trx, { adminId: userId, action: 'breed-edit', target, recordId: row.id })
  })
  return true
}

/**
 * Undoes the last save that is in effect. Its row stays as history.
 * @returns false where there is none
 * @throws AppError 401, 403, 404
 */
export async function undoBreedEdit(db: Db, editor: BreedEditor, slug: string): Promise<boolean> {
  const adminId = assertBreedEditor(editor)
  await getBreed(db, slug)
  const isUndone = await transact(db, (trx) => undoLastEdit(trx, adminId, slug))
  return isUndone
}

async function undoLastEdit(trx: Trx, adminId: string, slug: string): Promise<boolean> {
  const last = await trx
    .selectFrom('breed_overrides')
    .select('id')
    .where('breed_slug', '=', slug)
    .where('undone_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return false
  await trx.updateTable('breed_overrides').set({ undone_at: Date.now() }).where('id', '=', last.id).execute()
  const target = { kind: 'breed' as const, id: slug }
  await logAdminAction(trx, { adminId, action: 'breed-undo', target, recordId: last.id })
  return true
}

/** The latest saves of a breed, newest first. @throws AppError 401, 403 */
export async function breedHistory(db: Db, editor: BreedEditor, slug: string, limit = 10): Promise<BreedEdit[]> {
  assertBreedEditor(editor)
  const rows = await db
    .selectFrom('breed_overrides as o')
    .leftJoin('profiles as p', 'p.id', 'o.user_id')
    .select(['o.id', 'o.changes', 'o.before', 'o.created_at', 'o.undone_at', 'p.alias'])
    .where('o.breed_slug', '=', slug)
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    changes: readTexts(row.changes, row.id),
    before: readTexts(row.before, row.id),
    alias: row.alias,
    created_at: row.created_at,
    undone: row.undone_at !== null,
  }))
}

import type { APIContext } from 'astro'
import { type BreedEditor, editBreed, undoBreedEdit } from '#features/breeds/edit.server.ts'
import { BREED_EDIT_ERROR, breedEditSchema, type BreedTexts, FIELD_NAMES } from '#features/breeds/edit.ts'
import { assertAdminProof } from '#features/auth/recent-auth/admin-proof.http.ts'
import { isRecentSignInError } from '#features/auth/recent-auth/recent-auth.ts'
import { AppError, type FieldErrors } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { getEnv } from '#server/env.ts'
import { validate, readForm } from '#server/endpoint.ts'

const FORM_MAX_BYTES = 64 * 1024

const BREED_EDIT_UNPROVED = 'Confirma en «Administración» que eres tú y guarda otra vez.'

/** The form's state after a refused save: the typed texts and the errors. */
export interface BreedEditFormState {
  status: number
  texts: BreedTexts
  errors: FieldErrors
  message: string
}

/** The request's user and the configured admin address. */
export const toBreedEditor = (context: { locals: App.Locals }): BreedEditor => ({
  user: context.locals.user,
  adminEmail: getEnv().adminEmail,
})

/**
 * Handles the breed page's POST: saves the six texts or undoes the last save. Returns the address to redirect to, or, for
 * invalid input, the form's state. @throws AppError 401, 403, 404, 413, 415
 */
export async function handleBreedEdit(
  context: APIContext,
  slug: string,
): Promise<{ redirect: string } | { state: BreedEditFormState }> {
  const form = await readForm(context, FORM_MAX_BYTES)
  const editor = toBreedEditor(context)
  const texts = Object.fromEntries(FIELD_NAMES.map((field) => [field, String(form.get(field) ?? '')])) as BreedTexts
  const refuse = (status: number, message: string, errors: FieldErrors = {}) => ({
    state: { status, texts, errors, message },
  })
  try {
    await assertAdminProof(context)
    if (form.get('accion') === 'deshacer') {
      await undoBreedEdit(context.locals.db, editor, slug)
      return { redirect: `${paths.breed(slug)}?hecho=deshecho#editar` }
    }
    await editBreed(context.locals.db, editor, slug, validate(breedEditSchema, texts))
    return { redirect: `${paths.breed(slug)}?hecho=guardado#editar` }
  } catch (error) {
    // The page keeps what was typed, to be saved once it is proved.
    if (isRecentSignInError(error)) return refuse(403, BREED_EDIT_UNPROVED)
    if (error instanceof AppError && error.status !== 422) throw error
    if (error instanceof AppError) return refuse(422, BREED_EDIT_ERROR, error.errors)
    console.error('perrario · los cambios de una raza no se pudieron guardar:', error)
    return refuse(500, BREED_EDIT_ERROR)
  }
}

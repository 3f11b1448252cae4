import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, pathId, readForm, validate } from '#server/endpoint.ts'
import { isForm, redirect } from '#server/forms.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { framePath, type FrameResult } from '#features/dogs/card/frame-form.ts'
import { findDog } from '#features/dogs/dog.server.ts'
import { dogPatchSchema } from './dog-input.ts'
import { DOG_EDIT_RATE_LIMIT, requireEditableDog, updateDog } from './edit.server.ts'

/**
 * `POST /api/dogs/{id}/frame`: a seasonal frame, from the plain form of the dog's page; programs send it by PATCH. Redirects to the
 * page, with the outcome in the address; without a session to sign-in; to the not-found page where there is no dog.
 */
export const setFrameByForm = endpoint({ 303: null }, async (context) => {
  if (!isForm(context)) throw new AppError(415, 'Se esperaba un formulario.')
  const { db, user } = context.locals
  const id = pathId(context)
  const form = await readForm(context)
  if (!user) return redirect(paths.login)
  let result: number | FrameResult
  try {
    await requireEditableDog(db, user, id)
    await limit('dog-edit', user.id, ...DOG_EDIT_RATE_LIMIT)
    const { frame = null } = validate(dogPatchSchema, { frame: form.get('frame') ?? '' })
    await updateDog(db, user, id, { frame })
    result = frame ? 'puesto' : 'quitado'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    result = error.status
  }
  const dog = await findDog(db, id)
  return redirect(dog ? framePath(dog.path, result) : paths.dogById(id))
})

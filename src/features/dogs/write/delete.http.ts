import { isForm, redirect } from '#server/forms.ts'
import { AppError } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import { endpoint, pathId } from '#server/endpoint.ts'
import { getEnv } from '#server/env.ts'
import { deletionPath, profileAfterDeletion } from '../deletion/deletion.ts'
import { deleteDog, getDeletableDog } from './edit.server.ts'

/** `DELETE /api/dogs/{id}` */
export const removeDog = endpoint({ 204: null }, async (context) => {
  await deleteDog(context.locals.db, getEnv().dataDir, context.locals.user, pathId(context))
  return new Response(null, { status: 204 })
})

/**
 * `POST /api/dogs/{id}`: the same from the plain form of `/perro/{id}/eliminar`. Redirects to the profile; without a session
 * to sign-in; back to its page where the dog is gone already.
 */
export const removeDogByForm = endpoint({ 303: null }, async (context) => {
  if (!isForm(context)) throw new AppError(415, 'Se esperaba un formulario.')
  const { db, user } = context.locals
  const id = pathId(context)
  if (!user) return redirect(paths.login)
  try {
    await getDeletableDog(db, user, id)
    await deleteDog(db, getEnv().dataDir, user, id)
    return redirect(profileAfterDeletion)
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return redirect(deletionPath(id))
    throw error
  }
})

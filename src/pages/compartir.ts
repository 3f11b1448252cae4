import type { APIRoute } from 'astro'
import { paths } from '#lib/paths.ts'
import { endpoint } from '#server/endpoint.ts'
import { limit } from '#server/limits/rate-limit.ts'

// A photo shared with Perrario comes here only where no service worker took it (it was just retired, or is not there
// yet). Nothing is kept of it: the form opens and says that it has to be chosen again.
const toForm = endpoint(async ({ locals, redirect }) => {
  // Any site may send a form here (server/security/origin.ts). Its body is never read.
  await limit('shared', locals.ip, 60, 60)
  return redirect(paths.sharedNotFound, 303)
})

export const POST = toForm
export const GET: APIRoute = ({ redirect }) => redirect(paths.addDog)

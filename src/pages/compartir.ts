import type { APIRoute } from 'astro'
import { paths } from '#lib/paths.ts'

// A photo shared with Perrario comes here only where no service worker took it (it was just retired, or is not there
// yet). Nothing is kept of it: the form opens and says that it has to be chosen again.
const toForm: APIRoute = ({ redirect }) => redirect(paths.sharedLost, 303)

export const POST = toForm
export const GET: APIRoute = ({ redirect }) => redirect(paths.addDog)

import type { APIContext } from 'astro'
import { AppError } from '#lib/errors.ts'
import { DAY_SECONDS } from '#lib/time.ts'
import { endpoint, json, readForm, requireUser } from '#server/endpoint.ts'
import { claimRequest } from '#server/idempotency.ts'
import { limit } from '#server/limits/rate-limit.ts'
import { albumLinkAnswer } from '../answers.ts'
import { albumLinkPaths } from './album-link-paths.ts'
import { ALBUM_LINK_TEXTS, type AlbumLinkPage } from './album-link.ts'
import { ALBUM_LINK, createMemberLink, findMemberLink, endMemberLink } from '../member-links.server.ts'

/** Per member: each new link ends the earlier one. */
const LINKS_PER_DAY = 20

async function createLink({ locals }: Pick<APIContext, 'locals'>): Promise<string> {
  const user = requireUser({ locals })
  await limit('album-link', user.id, LINKS_PER_DAY, DAY_SECONDS, ALBUM_LINK_TEXTS.tooMany)
  return albumLinkPaths.missing(await createMemberLink(locals.db, user, ALBUM_LINK))
}

/** `POST /api/album-link`: a new link in place of the earlier one. Its address is answered once. */
export const makeAlbumLink = endpoint({ 201: albumLinkAnswer }, async (context) => {
  requireUser(context)
  await claimRequest(context, '')
  return json({ path: await createLink(context) }, { status: 201 })
})

/** `DELETE /api/album-link` */
export const deleteAlbumLink = endpoint({ 204: null }, async (context) => {
  await endMemberLink(context.locals.db, requireUser(context).id, ALBUM_LINK)
  return new Response(null, { status: 204 })
})

/** The member's page of their link: its form makes a link, which its answer shows, or withdraws it (`accion=retirar`). */
export async function handleAlbumLink(context: APIContext): Promise<AlbumLinkPage> {
  const { db } = context.locals
  const user = requireUser(context)
  const view = { path: null, problem: null, status: 200 }
  if (context.request.method !== 'POST') return { ...view, link: await findMemberLink(db, user.id, ALBUM_LINK) }
  const isWithdrawal = (await readForm(context)).get('accion') === 'retirar'
  if (isWithdrawal) {
    await endMemberLink(db, user.id, ALBUM_LINK)
    return { ...view, link: null }
  }
  try {
    return { ...view, path: await createLink(context), link: await findMemberLink(db, user.id, ALBUM_LINK) }
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 401) throw error
    return {
      ...view,
      link: await findMemberLink(db, user.id, ALBUM_LINK),
      problem: error.message,
      status: error.status,
    }
  }
}

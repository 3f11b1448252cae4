import type { AstroGlobal } from 'astro'
import { askForProof } from '#features/auth/recent-auth/recent-auth.http.ts'
import { clearSession } from '#features/auth/sessions/session.http.ts'
import { type Answers, type Endpoint, pathId, requireAuthenticatedMember } from '#server/endpoint.ts'
import { formEndpoint } from '#server/form-endpoint.ts'
import { disownedAnswer, undoneAnswer } from '../answers.ts'
import { authPaths } from '../auth-paths.ts'
import { DISPUTE_LINKS, type DisputeLink, linkInput, type LinkKind } from './dispute.ts'
import { disownSession, disputeByLink, inspectDisputeLink } from './dispute.server.ts'

// Whoever holds a mailed link needs no session.

/** POST /api/account/undo `{token}`: undoes a change of address, and puts the account in dispute. */
export const undoChange = takeLink('undo', { 200: undoneAnswer }, { undone: true })

/** POST /api/account/disown `{token}`: puts the account in dispute. */
export const disownMailed = takeLink('disown', { 200: disownedAnswer }, { ended: true })

function takeLink(kind: LinkKind, answers: Answers, answer: object): Endpoint {
  return formEndpoint({
    answers,
    who: () => null,
    input: linkInput(kind),
    async save({ locals }, _, { token }) {
      await disputeByLink(locals.db, kind, token)
      return answer
    },
    done: () => (kind === 'undo' ? authPaths.undone : authPaths.disowned),
    // The page of what may be a link says why it is none.
    refused: (_, { status }, form) =>
      status === 422 ? undefined : DISPUTE_LINKS[kind].page(String(form.get('token'))),
  })
}

/** What the page of a link shows. */
export async function loadDisputeLink({ locals, url, response }: AstroGlobal, kind: LinkKind): Promise<DisputeLink> {
  const isDone = url.searchParams.get('hecho') === 'si'
  const link = isDone
    ? { state: 'done' as const }
    : await inspectDisputeLink(locals.db, url.searchParams.get('token') ?? '')
  // What is done already is no fault of who opens it again.
  const status = link.state === 'open' ? 200 : DISPUTE_LINKS[kind][link.state][0]
  response.status = status === 409 ? 200 : status
  return link
}

/** POST /api/account/sessions/{id}/disown: the same from the member's list of sessions. */
export const disownListed = formEndpoint({
  answers: { 200: disownedAnswer },
  who: requireAuthenticatedMember,
  async save(context, member) {
    await disownSession(context.locals.db, member, pathId(context))
    clearSession(context)
    return { ended: true } as const
  },
  done: () => authPaths.disowned,
  refused: askForProof,
})

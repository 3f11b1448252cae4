import type { LeavingAccount } from '#features/auth/sessions/sessions.server.ts'
import { DISPUTE_TEXTS } from '#features/auth/dispute/dispute.ts'
import { formatDate } from '#lib/dates.ts'
import { UNDO_DAYS } from '#features/auth/auth.ts'
import { DELETION_TEXTS, deletionTitle, type DeletionView, DOGS_SENTENCES } from './deletion.ts'
import type { DeletionLink } from './deletion-state.server.ts'

interface DeletionRequest {
  /** Of an address with a token. */
  link: DeletionLink | null
  leaving: LeavingAccount | null
  /** Whether the last authentication is recent enough to delete the account now. */
  isRecent: boolean
  /** Why the account is not deleted now; null where it may be. */
  barred: string | null
  /** What the last form did. */
  done: string | null
  /** Whether deleting now is to be confirmed. */
  isErasing: boolean
  now: number
}

const DONE: Record<string, Omit<DeletionView, 'status'>> = {
  pedido: {
    title: `Tu cuenta se borrará en ${UNDO_DAYS} días`,
    sentences: [
      'Desde ahora nadie ve nada tuyo y tus sesiones están cerradas.',
      'Si cambias de idea, entra como siempre o usa el enlace que te hemos enviado, si tu cuenta tiene email.',
    ],
    offer: 'home',
  },
  borrada: { title: 'Tu cuenta se ha eliminado', sentences: ['¡Hasta siempre!'], offer: 'home' },
  si: { title: 'Tu cuenta ha vuelto', sentences: [DELETION_TEXTS.restored], offer: 'sign-in' },
}

/** What `/recuperar` shows; null where there is nothing to show. */
export function findDeletionPage(request: DeletionRequest): DeletionView | null {
  const { link, leaving, done } = request
  if (link) return toLinkView(link)
  // What a form has done is said to whoever it signed out.
  if (leaving) return toLeavingView(request, leaving)
  const view = done !== null && Object.hasOwn(DONE, done) ? DONE[done] : undefined
  return view ? { status: 200, ...view } : null
}

function toLinkView(link: DeletionLink): DeletionView {
  if (link.state === 'open')
    return {
      status: 200,
      title: deletionTitle(link.dueAt),
      sentences: [
        `Hasta entonces puedes recuperarla con todo lo tuyo. ${DOGS_SENTENCES[link.dogs]}`,
        DISPUTE_TEXTS.effect,
      ],
      offer: 'link',
    }
  if (link.state === 'late')
    return { status: 410, title: 'Ya no se puede recuperar', sentences: [DELETION_TEXTS.late], offer: 'home' }
  return { status: 404, title: 'Este enlace no es válido', sentences: [DELETION_TEXTS.dead], offer: 'sign-in' }
}

function toLeavingView({ isRecent, barred, isErasing, now }: DeletionRequest, leaving: LeavingAccount): DeletionView {
  if (leaving.state === 'restoring')
    return { status: 200, title: 'Un momento', sentences: [DELETION_TEXTS.restoring], offer: 'sign-out' }
  if (leaving.dueAt <= now)
    return { status: 410, title: 'Ya no se puede recuperar', sentences: [DELETION_TEXTS.late], offer: 'sign-out' }
  const dogs = DOGS_SENTENCES[leaving.dogs]
  if (!isErasing || barred !== null)
    return {
      status: 200,
      title: deletionTitle(leaving.dueAt),
      sentences: [
        `Lo pediste el ${formatDate(leaving.requestedAt)}. Hasta que decidas, nadie ve nada tuyo. ${dogs}`,
        `Si la recuperas, vuelve todo como estaba. ${DISPUTE_TEXTS.effect}`,
        ...(barred === null ? [] : [barred]),
      ],
      offer: barred === null ? 'choice' : 'restore',
    }
  const title = '¿Borrar tu cuenta ahora mismo?'
  if (isRecent) return { status: 200, title, sentences: [`No se puede deshacer. ${dogs}`], offer: 'erase' }
  const proof = leaving.email === null ? DELETION_TEXTS.proofByProvider : DELETION_TEXTS.proof
  return { status: 200, title, sentences: [proof], offer: 'prove' }
}

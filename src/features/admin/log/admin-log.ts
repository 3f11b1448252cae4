import { ADMIN_ACTIONS, type AdminAction } from '#features/moderation/admin-log.ts'
import { ACTION_LABELS } from '#features/reports/decisions/decisions.ts'
import { paths } from '#lib/paths.ts'

/** An entry of the log of what admins did, with the names of today. `created_at` in milliseconds. */
export interface AdminLogEntry {
  id: string
  action: AdminAction
  /** The admin's alias; null: the operator, on the machine. */
  admin: string | null
  /** What it was about, and its page; null for a mailbox without account. */
  target: { label: string; path: string | null } | null
  /** The reason of a decision, or the words of a message; empty where there are none, or they are erased. */
  reason: string
  created_at: number
}

/** The tab of the log. */
export const ADMIN_LOG_PATH = `${paths.admin}?tab=acciones`

export const ADMIN_LOG_PAGE_SIZE = 50

export const ADMIN_ACTION_LABELS: Record<AdminAction, string> = {
  hide: ACTION_LABELS.hide,
  restore: ACTION_LABELS.restore,
  delete: ACTION_LABELS.delete,
  dismiss: ACTION_LABELS.dismiss,
  warn: ACTION_LABELS.warn,
  ban: ACTION_LABELS.ban,
  unban: ACTION_LABELS.unban,
  note: ACTION_LABELS.note,
  verify: 'Perfil verificado',
  unverify: 'Verificación quitada',
  message: 'Mensaje a un miembro',
  'breed-edit': 'Raza editada',
  'breed-undo': 'Edición de raza deshecha',
  readmit: 'Dirección readmitida',
  'sign-in-link': 'Enlace para entrar creado',
  'sighting-deliver': 'Avistamiento entregado',
  'sighting-delete': 'Avistamiento rechazado',
  'found-keep': 'Aviso de perro encontrado mantenido',
  'found-delete': 'Aviso de perro encontrado eliminado',
  'answer-keep': 'Respuesta a un aviso mantenida',
  'answer-delete': 'Respuesta a un aviso eliminada',
  'message-resolve': 'Mensaje denunciado resuelto',
  'message-delete': 'Mensaje denunciado eliminado, conversación terminada',
}

/** The action of an address's `accion`; null: all of them. */
export const parseAdminAction = (text: string): AdminAction | null =>
  ADMIN_ACTIONS.find((action) => action === text) ?? null

import type { RouteFields } from './valid-fields.ts'

/** Right values of the fields of messages (valid-fields.ts). */
export const CONTACT_FIELDS: Record<string, RouteFields> = {
  'GET /mensajes': { query: { cursor: '{threadsCursor}' } },
  'GET /mensajes/[threadId]': { query: { hecho: 'denunciado' } },
  'POST /mensajes/[threadId]': {
    form: { action: 'send', text: '¿Dónde está?', message: '{message}', email: 'nadie@ejemplo.es' },
  },
  'GET /mensajes/confirmar': { query: { token: '{confirmToken}' }, as: 'anonymous' },
  'any /api/message-mails/unsubscribe': {
    query: { token: '{digestToken}' },
    form: { 'List-Unsubscribe': 'One-Click' },
  },
  'POST /api/message-mails/confirm': { query: { token: '{confirmToken}' }, form: { boton: 'si' } },
  'POST /api/messages/[id]/report': { json: { message: '{message}' }, form: { message: '{message}' } },
  'POST /api/messages/[id]': {
    json: { text: '¿Dónde está?' },
    form: { text: '¿Dónde está?' },
    headers: { 'Idempotency-Key': 'k'.repeat(40) },
  },
}

import type { APIContext } from 'astro'
import { invalid } from '#lib/errors.ts'
import { FORM_KEY_FIELD } from '#lib/form-key.ts'
import type { RequestKey } from '#db/request-key.ts'

export type { RequestKey } from '#db/request-key.ts'

/**
 * The shortest key of a visitor. It alone identifies their device, since a phone retries from another network; a guessed key would give away
 * what the device sent.
 */
export const VISITOR_KEY_MIN_CHARS = 32
const KEY_MAX_CHARS = 200
const KEY_ERROR = 'Idempotency-Key no válida.'
const SHORT_KEY_ERROR = `Idempotency-Key no válida: sin sesión, al menos ${VISITOR_KEY_MIN_CHARS} caracteres al azar.`

/** The Idempotency-Key header; undefined without one. @throws AppError 422 */
export function readKeyHeader({ request }: Pick<APIContext, 'request'>): string | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (key === '' || key.length > KEY_MAX_CHARS) throw invalid(KEY_ERROR)
  return key
}

/**
 * The key of a form that is sent without script, whose two presses are one; undefined for one without. What the form says belongs to it: a
 * form to which «Atrás» led back has its old key, and is another one where it says something else.
 */
export function readFormKey(form: FormData, sender: string): RequestKey | undefined {
  const key = form.get(FORM_KEY_FIELD)
  if (typeof key !== 'string' || key.length < VISITOR_KEY_MIN_CHARS) return undefined
  const said = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : [value.name, value.size]])
  return { sender, key: JSON.stringify(said) }
}

/** The Idempotency-Key header with its sender. @param userId null: a visitor @throws AppError 422 */
export function readRequestKey(context: Pick<APIContext, 'request'>, userId: string | null): RequestKey | undefined {
  const key = readKeyHeader(context)
  if (key === undefined) return undefined
  if (userId === null && key.length < VISITOR_KEY_MIN_CHARS) throw invalid(SHORT_KEY_ERROR)
  return { sender: userId ?? 'anonymous', key }
}

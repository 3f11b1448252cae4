import type { APIContext } from 'astro'
import { readBody } from './body/read-body.ts'

/** Whether the request is a plain HTML form's. */
export const isForm = ({ request }: Pick<APIContext, 'request'>): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(request.headers.get('content-type') ?? '')

const BUTTON_MAX_BYTES = 16 * 1024

/** Whether a page's button (`name="boton"`) sent the form, not a mail program. Reads the body. @throws AppError 413 */
export const isButtonForm = async ({ request, locals }: APIContext): Promise<boolean> =>
  new TextDecoder().decode(await readBody(request, BUTTON_MAX_BYTES, locals.network)).includes('boton=')

/** Whether a page's form without files and scripts sent the request. */
export const isPlainForm = ({ request }: Pick<APIContext, 'request'>): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '')

/** Longer than any address of the site. An address built from a form's input may exceed it, and browsers refuse such ones. */
const MAX_LOCATION_CHARACTERS = 4000

/** 303: the browser requests `to` with GET, so that a reload sends no form again. A too long address loses its query and fragment. */
export function redirect(to: string): Response {
  const isTooLong = to.length > MAX_LOCATION_CHARACTERS
  const [address = ''] = isTooLong ? to.slice(0, MAX_LOCATION_CHARACTERS).split(/[?#]/, 1) : [to]
  return new Response(null, { status: 303, headers: { Location: address, 'Cache-Control': 'no-store' } })
}

/** What was written in a form, by its fields' names, for a page that shows it again; files are left out. */
export const readTyped = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

import { type Call, formOf } from '../api.ts'
import { photo } from '../photo.ts'
import type { Role, Statuses } from './roles.ts'
import type { MatrixWorld } from './world.ts'

/** A text of somebody's that may stand in the answer to these roles, and does; to nobody else. */
export interface Mark {
  of: (w: MatrixWorld) => string
  to: readonly Role[]
}

/** What everyone is answered at one address. */
export interface Row {
  statuses: Statuses
  path: (w: MatrixWorld) => string
  send?: (w: MatrixWorld, role: Role) => Call | Promise<Call>
  marks: readonly Mark[]
}

/** By `METHOD /address`, the address as the file under src/pages spells it; « · …» behind it tells several rows apart. */
export type Matrix = Readonly<Record<string, Row>>

/** A call that changes something, with what it sends. */
export const deed = (statuses: Statuses, path: Row['path'], send?: Row['send']): Row => ({
  statuses,
  path,
  marks: [],
  ...(send && { send }),
})

/** An address that is read. */
export const read = (statuses: Statuses, path: string | Row['path'], ...marks: Mark[]): Row => ({
  statuses,
  path: typeof path === 'string' ? () => path : path,
  marks,
})

export const seen = (of: Mark['of'], to: readonly Role[]): Mark => ({ of, to })

export const json = (body: unknown) => () => ({ json: body })
export const form = (body: string) => (): Call => ({
  body,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
})
/** A form with a photo in the field `name`. */
export const withPhoto = (name: string, fields: Record<string, string>) => async (): Promise<Call> => ({
  form: formOf({ ...fields, [name]: new Blob([await photo()], { type: 'image/jpeg' }) }),
})

/** The address of a row without what tells several of it apart. */
export const routeOf = (name: string): string => name.split(' · ')[0]!
export const methodOf = (name: string): string => name.split(' ')[0]!

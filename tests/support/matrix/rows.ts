import { type Call, formOf } from '../api.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import type { Role, Statuses } from './roles.ts'
import type { MatrixWorld } from './world.ts'

/** A member's text that must be in the response to these roles, and to no others. */
export interface VisibleText {
  of: (w: MatrixWorld) => string
  to: readonly Role[]
}

/** What everyone is answered at one address. */
export interface MatrixRow {
  statuses: Statuses
  path: (w: MatrixWorld) => string
  send?: (w: MatrixWorld, role: Role) => Call | Promise<Call>
  marks: readonly VisibleText[]
}

/** By `METHOD /address`, the address as the file under src/pages spells it; « · …» behind it tells several rows apart. */
export type Matrix = Readonly<Record<string, MatrixRow>>

/** A call that changes something, with what it sends. */
export const write = (statuses: Statuses, path: MatrixRow['path'], send?: MatrixRow['send']): MatrixRow => ({
  statuses,
  path,
  marks: [],
  ...(send && { send }),
})

/** An address that is read. */
export const read = (statuses: Statuses, path: string | MatrixRow['path'], ...marks: VisibleText[]): MatrixRow => ({
  statuses,
  path: typeof path === 'string' ? () => path : path,
  marks,
})

export const visibleTo = (of: VisibleText['of'], to: readonly Role[]): VisibleText => ({ of, to })

export const jsonBody = (body: unknown) => () => ({ json: body })
export const formBody = (body: string) => (): Call => ({
  body,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
})
/** A form with a photo in the field `name`. */
export const photoForm = (name: string, fields: Record<string, string>) => async (): Promise<Call> => ({
  form: formOf({ ...fields, [name]: new Blob([await photo()], { type: 'image/jpeg' }) }),
})

/** The address of a row without the suffix that distinguishes its rows. */
export const routeOf = (name: string): string => name.split(' · ')[0]!
export const methodOf = (name: string): string => name.split(' ')[0]!

import { type Call, formOf } from '../api.ts'
import { fillParams } from '#tests/support/malformed/path-params.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { NO_ROLES, OWNER, type Role, ROLES, type Statuses } from './roles.ts'
import { HOME_ZONE, LOST_ZONE, type MatrixWorld } from './world.ts'

/** A member's text that must be in the response to these roles, and to no others. */
interface VisibleText {
  of: (w: MatrixWorld) => string
  to: readonly Role[]
}
type Send = (w: MatrixWorld, role: Role) => Call | Promise<Call>

/** A row as it is written down. */
interface Row {
  statuses: Statuses
  /** Where the name alone does not say it; `{dog}` and the like as in `IDS`, or a text of the world. */
  at?: string
  send?: Send
  marks: readonly VisibleText[]
}

/** What everyone is answered at one address. */
export interface MatrixRow extends Omit<Row, 'at'> {
  path: (w: MatrixWorld) => string
}

/** By `METHOD /address`, the address as the file under src/pages spells it; « · …» behind it tells several rows apart. */
export type Matrix = Readonly<Record<string, MatrixRow>>

/** Behind the name of a row: its dog is the hidden one. */
const OUT_OF_SIGHT = ' · out of sight'

type Dog = MatrixWorld['dog']
const nobodys = () => UNKNOWN_ID
/** What addresses name of a world. Nobody there has sent a sighting, a notice or a message, or begun a round. */
const IDS: Record<string, (w: MatrixWorld, dog: Dog) => string> = {
  dog: (_w, { id }) => id,
  breedPath: (_w, { path }) => path.split('/')[1]!,
  dogPath: (_w, { path }) => path.split('/')[2]!,
  found: (w) => w.found.id,
  stray: (w) => w.stray.id,
  loved: (w) => w.loved.id,
  lovedPath: (w) => w.loved.path,
  unclaimed: (w) => w.unclaimed.id,
  owner: (w) => w.owner.id,
  other: (w) => w.other.id,
  heldPhoto: (w) => w.held.photo_url.slice('/photos/'.length),
  sighting: nobodys,
  notice: nobodys,
  thread: nobodys,
  round: () => `f${'x'.repeat(28)}`,
}

/** The rows with their addresses: an address without a path of its own is asked for with what is there in place of each bracket. */
export const matrix = (rows: Record<string, Row>): Matrix =>
  Object.fromEntries(
    Object.entries(rows).map(([name, { at, ...row }]) => {
      const template = at ?? fillParams(routeOf(name).split(' ')[1]!)
      const path = (w: MatrixWorld) =>
        template.replaceAll(/\{(\w+)\}/g, (_, id: string) => {
          const read = IDS[id]
          return read ? read(w, name.endsWith(OUT_OF_SIGHT) ? w.held : w.dog) : (w[id as keyof MatrixWorld] as string)
        })
      return [name, { ...row, path }]
    }),
  )

/** A call that changes something, with what it sends. */
export const write = (statuses: Statuses, send?: Call | Send): Row => ({
  statuses,
  marks: [],
  ...(send && { send: typeof send === 'function' ? send : () => send }),
})
export const writeAt = (at: string, statuses: Statuses, send?: Call | Send): Row => ({ ...write(statuses, send), at })

/** An address that is read. */
export const read = (statuses: Statuses, ...marks: VisibleText[]): Row => ({ statuses, marks })
export const readAt = (at: string, statuses: Statuses, ...marks: VisibleText[]): Row => ({ statuses, marks, at })

export const visibleTo = (of: VisibleText['of'], to: readonly Role[]): VisibleText => ({ of, to })
export const ownerEmail = (w: MatrixWorld) => w.owner.email!
export const ownerAlias = (w: MatrixWorld) => w.owner.alias
export const dogName = (w: MatrixWorld) => w.dog.name
export const heldName = (w: MatrixWorld) => w.held.name
/** A word of the world's own. */
export const word = (what: string) => (w: MatrixWorld) => `${what} ${w.mark}`

export const EMAIL_TO_OWNER = visibleTo(ownerEmail, OWNER)
export const EMAIL_TO_NOBODY = visibleTo(ownerEmail, NO_ROLES)
export const ALIAS_TO_NOBODY = visibleTo(ownerAlias, NO_ROLES)
export const HELD_TO_NOBODY = visibleTo(heldName, NO_ROLES)
export const HELD_TO_OWNER = visibleTo(heldName, OWNER)
export const DOG_TO_ALL = visibleTo(dogName, ROLES)
/** Of the owner, and of nobody else who chose one. */
export const homeZone = () => HOME_ZONE
export const HOME_ZONE_TO_OWNER = visibleTo(homeZone, OWNER)
export const LOST_ZONE_TO_OWNER = visibleTo(() => LOST_ZONE, OWNER)

export const json = (body: unknown): Call => ({ json: body })
export const form = (body: string): Call => ({
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

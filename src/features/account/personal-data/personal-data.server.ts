import type { Schema } from '#db/schema.ts'
import { ACCOUNT_TABLES } from './accounts.ts'
import { ALBUM_TABLES } from './album.ts'
import type { ColumnKind, Entry } from './entry.ts'
import { LOST_AND_FOUND_TABLES } from './lost-and-found.ts'

// What is known of a person, said once: erasure, retention and export follow it, and tests compare docs/privacy.md with it.

const ENTRIES = { ...ACCOUNT_TABLES, ...ALBUM_TABLES, ...LOST_AND_FOUND_TABLES }

/** A table, not a view of one. */
export type TableName = { [T in keyof Schema]: `${T}_all` extends keyof Schema ? never : T }[keyof Schema]

type Words<S> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S
type Named<S> = S extends `${string}(${infer Names})${infer Rest}` ? Words<Names> | Named<Rest> : never
type Kinds<S> = S extends `${infer Kind}(${string})${infer Rest}` ? Words<Kind> | Kinds<Rest> : never
type ColumnsOf<T extends TableName> = (typeof ENTRIES)[T]['columns']

/** Columns that are not described, or described and not there, and kinds that do not exist: there are none. */
type Faults = {
  [T in TableName]:
    | `${T}.${Exclude<keyof Schema[T] & string, Named<ColumnsOf<T>>>}`
    | `${T}.${Exclude<Named<ColumnsOf<T>>, keyof Schema[T]>}`
    | Exclude<Kinds<ColumnsOf<T>>, ColumnKind | ''>
}[TableName]
type None<Fault extends never> = Fault
export type Described = None<Faults>

/** Every table, first those that others refer to. */
export const PERSONAL_DATA: Record<TableName, Entry> = ENTRIES
export const TABLES = Object.keys(PERSONAL_DATA) as TableName[]

const kinds = new Map(
  TABLES.map((table) => [
    table,
    PERSONAL_DATA[table].columns
      .slice(0, -1)
      .split(') ')
      .map((group) => group.split('(') as [ColumnKind, string])
      .flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)),
  ]),
)
/** The table's columns, each with its kind. */
export const columnKinds = (table: TableName): readonly (readonly [string, ColumnKind])[] => kinds.get(table)!

/** The table's columns of one of these kinds. */
export const columnsOf = (table: TableName, ...wanted: ColumnKind[]): string[] =>
  columnKinds(table)
    .filter(([, kind]) => wanted.includes(kind))
    .map(([name]) => name)

/** How a table is exported (`Entry.exported`). */
export interface ExportedTable {
  table: TableName
  as: 'one' | 'few' | 'list' | 'function'
  section: string
  name: string
  /** The rows' `kind`; null: all rows. */
  kind: string | null
  order: readonly string[]
  /** Columns, each with its name in the export. */
  fields: readonly (readonly [string, string])[]
  /** Fields that are no column of the table. */
  others: readonly string[]
}

const EXPORT_PATTERN = /^(\w+) (?:(\w+)\.)?(\S+?)(?: of ([\w-]+))?(?: by ([\w ]+))?: ([^+]+?)(?: \+ (.+))?$/

function readExported(table: TableName, text: string): ExportedTable[] {
  const [, as, section = '', name, kind = null, by = '', fields, others = ''] = EXPORT_PATTERN.exec(text) ?? []
  if (!fields) return []
  return [
    {
      table,
      as: as as ExportedTable['as'],
      section,
      name: name!,
      kind,
      order: by.split(' ').filter(Boolean),
      fields: fields.split(' ').map((field) => [field.split(':')[0]!, field.split(':').at(-1)!] as const),
      others: others.split(' ').filter(Boolean),
    },
  ]
}
export const EXPORTED: readonly ExportedTable[] = TABLES.flatMap((table) =>
  (PERSONAL_DATA[table].exported ?? '').split('; ').flatMap((text) => readExported(table, text)),
)

import type { Compilable, CompiledQuery } from 'kysely'
import type { Db, Trx } from './client.ts'

/** A placeholder for a value in a query that is being built. `index` is its index in a list, -1 for a single value. */
class Placeholder {
  readonly name: string
  readonly index: number
  constructor(name: string, index: number) {
    this.name = name
    this.index = index
  }
}

type QueryValues = Record<string, unknown>

/** Compiled statements of a query: each combination of defined values and list lengths is one. The oldest goes beyond it. */
const MAX_SHAPES = 100

function toPlaceholders(values: QueryValues): QueryValues {
  const placeholders: QueryValues = {}
  for (const [name, value] of Object.entries(values))
    if (value !== undefined)
      placeholders[name] = Array.isArray(value)
        ? value.map((_, index) => new Placeholder(name, index))
        : new Placeholder(name, -1)
  return placeholders
}

/** Statements of many arms have a multiple of so many, so that few are prepared. */
const ARMS_STEP = 8

/** Fills a list of arms up to the next multiple of ARMS_STEP. @param unused an arm that finds no row */
export const padArms = <T>(arms: readonly T[], unused: T): T[] => [
  ...arms,
  ...Array.from({ length: Math.ceil(arms.length / ARMS_STEP) * ARMS_STEP - arms.length }, () => unused),
]

/** Compiles once for each dialect and shape of `values`: which are defined, and how long lists are. */
function prepareCompiled<P extends object>(
  compile: (db: Db, placeholders: P) => CompiledQuery,
): (db: Db, values: P) => CompiledQuery {
  const compiled = new Map<unknown, Map<string, CompiledQuery>>()
  return (db, values) => {
    const dialect = db.getExecutor().adapter.constructor
    let ofDialect = compiled.get(dialect)
    if (!ofDialect) compiled.set(dialect, (ofDialect = new Map()))
    let shape = ''
    for (const name in values) {
      const value: unknown = values[name]
      if (value !== undefined) shape += Array.isArray(value) ? `${name}${value.length} ` : `${name} `
    }
    let query = ofDialect.get(shape)
    if (!query) {
      query = compile(db, toPlaceholders(values as QueryValues) as P)
      ofDialect.set(shape, query)
      if (ofDialect.size > MAX_SHAPES) ofDialect.delete(ofDialect.keys().next().value!)
    }
    return fillIn(query, values as QueryValues)
  }
}

const fillIn = (query: CompiledQuery, values: QueryValues): CompiledQuery => ({
  ...query,
  parameters: query.parameters.map((parameter) => {
    if (!(parameter instanceof Placeholder)) return parameter
    const value = values[parameter.name]
    return parameter.index < 0 ? value : (value as unknown[])[parameter.index]
  }),
})

/**
 * Prepares a query that is built only once: Kysely otherwise builds and compiles it at every call, which takes several times as long as
 * SQLite needs for a row. The SQL is of one dialect: each has compiled queries of its own, by the class of its adapter.
 * @param build receives placeholders instead of values: it may pass them on and check whether they are undefined, but not read them.
 * It is called once for each dialect and combination of defined values and list lengths, of which MAX_SHAPES are remembered
 * @returns a function whose first argument is the database or a transaction
 */
export function prepareQuery<P extends object, R>(
  build: (db: Db, values: P) => Compilable<R>,
): (db: Db, values: P) => Promise<R[]> {
  const compiled = prepareCompiled<P>((db, values) => build(db, values).compile())
  return async (db, values) => (await db.executeQuery<R>(compiled(db, values) as CompiledQuery<R>)).rows
}

/** `prepareQuery` for a write: of a transaction. */
export const prepareWrite: <P extends object, R>(
  build: (trx: Trx, values: P) => Compilable<R>,
) => (trx: Trx, values: P) => Promise<R[]> = (build) => prepareQuery((db, values) => build(db as Trx, values))

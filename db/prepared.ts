import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './client.ts'

/** Stands in a query being built where a value comes later: `index` is its place in a list, -1 for a value alone. */
class Placeholder {
  readonly name: string
  readonly index: number
  constructor(name: string, index: number) {
    this.name = name
    this.index = index
  }
}

type QueryValues = Record<string, unknown>

function toPlaceholders(values: QueryValues): QueryValues {
  const places: QueryValues = {}
  for (const [name, value] of Object.entries(values))
    if (value !== undefined)
      places[name] = Array.isArray(value)
        ? value.map((_, index) => new Placeholder(name, index))
        : new Placeholder(name, -1)
  return places
}

/**
 * A query built once: Kysely otherwise puts it together and prints it anew at every call, which takes several times as long
 * as SQLite needs for a row. `build` is called with placeholders instead of values, so it may only pass them on, never look
 * at them, but for whether they are there: it is built once for each choice of values that are not undefined, and of a list
 * for each number of entries. The first argument of what comes back is the database or a transaction, as everywhere.
 */
export function prepareQuery<P extends object, R>(
  build: (db: Db, values: P) => Compilable<R>,
): (db: Db, values: P) => Promise<R[]> {
  const ready = new Map<string, CompiledQuery>()
  return async (db, values) => {
    let shape = ''
    for (const name in values) {
      const value: unknown = values[name]
      if (value !== undefined) shape += Array.isArray(value) ? `${name}${value.length} ` : `${name} `
    }
    let query = ready.get(shape)
    if (!query) ready.set(shape, (query = build(db, toPlaceholders(values as QueryValues) as P).compile()))
    const parameters = query.parameters.map((parameter) => {
      if (!(parameter instanceof Placeholder)) return parameter
      const value = (values as QueryValues)[parameter.name]
      return parameter.index < 0 ? value : (value as unknown[])[parameter.index]
    })
    return (await db.executeQuery<R>({ ...query, parameters })).rows
  }
}

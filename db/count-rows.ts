import type { SelectQueryBuilder } from 'kysely'

/** How many rows a query without columns finds. */
export async function countRows<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counted = query.select((eb) => eb.fn.countAll<number>().as('count')) as SelectQueryBuilder<
    DB,
    TB,
    { count: number }
  >
  return (await counted.executeTakeFirstOrThrow()).count
}

import type { Trx as Db } from '#db/client.ts'

/** `db` that counts the rows it reads and notes when each of its queries starts. */
export function observe(db: Db): { db: Db; rows: number; starts: number[] } {
  const observed = { db, rows: 0, starts: [] as number[] }
  observed.db = db.withPlugin({
    transformQuery: ({ node }) => {
      observed.starts.push(performance.now())
      return node
    },
    transformResult: async ({ result }) => {
      observed.rows += result.rows.length
      return result
    },
  })
  return observed
}

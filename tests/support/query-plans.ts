import { Kysely, SqliteDialect } from 'kysely'
import { type Trx as Db, sqliteOf } from '#db/client.ts'
import type { Schema } from '#db/schema.ts'

export interface QueryPlan {
  sql: string
  /** SQLite's own words, one line a step. */
  steps: string[]
}

/** Runs `use` and returns SQLite's plans of all its queries: the features' own queries, not copies. */
export async function explainQueries(db: Db, use: (db: Db) => Promise<unknown>): Promise<QueryPlan[]> {
  const database = sqliteOf(db)
  const sent: { sql: string; parameters: readonly unknown[] }[] = []
  const listening = new Kysely<Schema>({
    dialect: new SqliteDialect({ database }),
    log: ({ query }) => void sent.push(query),
  })
  await use(listening)
  return sent
    .filter(({ sql }) => /^(select|with|update|delete|insert)/i.test(sql))
    .map(({ sql, parameters }) => ({
      sql,
      steps: database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...parameters)
        .map((row) => (row as { detail: string }).detail),
    }))
}

/** Tables that grow with the community; the tallies grow only with the catalogue. */
const GROWING_TABLES =
  /\b((dogs|dog_images|dog_likes|comments|profiles|notifications)(_all)?|dog_paths|member_dogs|users|dog_words|member_words|[dolmw])\b/

/**
 * The steps that would slow down as the community grows: sorting, and reading a table from end to end. Walking an index
 * in the order wanted is neither, where the query stops at its LIMIT.
 */
export const findSlowSteps = (plans: readonly QueryPlan[]): string[] =>
  plans.flatMap(({ sql, steps }) =>
    steps
      .filter((step) => {
        if (/TEMP B-TREE/.test(step)) return true
        if (!step.startsWith('SCAN ') || !GROWING_TABLES.test(step.split(' ')[1] ?? '')) return false
        return !(/USING (COVERING )?INDEX/.test(step) && /\blimit\b/i.test(sql))
      })
      .map((step) => `${step}  ←  ${sql}`),
  )

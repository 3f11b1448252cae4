import { createHmac, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { AnyDb } from '../dialect.ts'

// What nodes that share a PostgreSQL remember together, and a single process in its memory. The tables are unlogged: after a crash of the
// server they are empty, as memory is. No row outlives its day, and keys are keyed hashes under a secret that goes with the day.

/** The day and its end by the clock of the database: those of the nodes may differ. */
const TODAY = sql`(SELECT day, (day + 1)::timestamp AT TIME ZONE 'Europe/Madrid' AS ends_at
  FROM (SELECT (now() AT TIME ZONE 'Europe/Madrid')::date AS day) AS d)`

/** A key has 128 bits of its HMAC: two of them never meet. */
const KEY_BYTES = 16
const SECRET_BYTES = 32

interface DaySecret {
  day: string
  secret: Buffer
}

/** The secret of today, which the first node creates. Deletes those of other days, with which their keys become noise. */
async function readDaySecret(db: AnyDb): Promise<DaySecret> {
  await deleteOldSecrets(db)
  await createDaySecret(db)
  const { rows } = await sql<DaySecret>`SELECT s.day::text AS day, s.secret FROM node_secrets AS s ORDER BY s.day DESC
    LIMIT 1`.execute(db)
  if (!rows[0]) throw new Error('PostgreSQL has no secret of the day')
  return rows[0]
}

const deleteOldSecrets = (db: AnyDb) =>
  sql`DELETE FROM node_secrets AS s USING ${TODAY} AS t WHERE s.day <> t.day`.execute(db)

const createDaySecret = (db: AnyDb) =>
  sql`INSERT INTO node_secrets (day, secret) SELECT day, ${randomBytes(SECRET_BYTES)} FROM ${TODAY} AS t
    ON CONFLICT DO NOTHING`.execute(db)

/** Callers that one limit tracks. Further ones share SHARED_BUCKETS counters, so that the table stays bounded. */
const MAX_TRACKED_CALLERS = 500_000
const SHARED_BUCKETS = 65_536

export interface Take {
  /** The limit's name, a constant. */
  name: string
  caller: string
  cost: number
  /** What the caller has in a window. */
  points: number
  /** Length of the window, which ends with the day at the latest. */
  seconds: number
}

export interface TakeResult {
  /** The counter, to give points back; null where the caller has too few left: none were taken. */
  key: Buffer | null
  /** Until the window's end, ms. */
  msLeft: number
}

interface TakeRow {
  isCurrent: boolean
  isTaken: boolean
  isNew: boolean | null
  msLeft: number | null
}

/** Counters that all nodes share. Every statement takes the time from the database. */
export class NodeCounters {
  readonly #db: AnyDb
  readonly #maxCallers: number
  readonly #buckets: number
  #secret: Promise<DaySecret> | undefined
  /** Rows by the limit's name: as last counted, with those that this node has added since. */
  #rowCounts = new Map<string, number>()

  constructor(db: AnyDb, { maxCallers = MAX_TRACKED_CALLERS, buckets = SHARED_BUCKETS } = {}) {
    this.#db = db
    this.#maxCallers = maxCallers
    this.#buckets = buckets
  }

  /** Takes points, all of `cost` or none. @throws where the database does not answer */
  async take(request: Take): Promise<TakeResult> {
    for (let tries = 0; ; tries++) {
      const secret = await this.#readSecret()
      const key = await this.#findKey(secret, request)
      const row = await this.#takeOnce(secret, key, request)
      if (!row.isCurrent && tries < 2) {
        // Another day, or the server has lost its unlogged tables.
        this.#secret = undefined
        continue
      }
      if (row.isNew) this.#rowCounts.set(request.name, (this.#rowCounts.get(request.name) ?? 0) + 1)
      return { key: row.isTaken ? key : null, msLeft: row.msLeft ?? request.seconds * 1000 }
    }
  }

  /** How long the caller has no points left, ms; 0 where there are any. @throws where the database does not answer */
  async msExhausted({ name, caller, points }: Omit<Take, 'cost' | 'seconds'>): Promise<number> {
    for (let tries = 0; ; tries++) {
      const secret = await this.#readSecret()
      const key = await this.#findKey(secret, { name, caller })
      const { rows } = await sql<{ isCurrent: boolean; msLeft: number | null }>`
        SELECT s.day IS NOT NULL AS "isCurrent", ceil(extract(epoch FROM c.expires_at - now()) * 1000)::bigint AS "msLeft"
        FROM ${TODAY} AS t LEFT JOIN node_secrets AS s ON s.day = t.day AND s.day = ${secret.day}::date
        LEFT JOIN node_counters AS c ON c.key = ${key} AND c.expires_at > now() AND c.points >= ${points}`.execute(
        this.#db,
      )
      if (rows[0]?.isCurrent || tries === 2) return Math.max(0, rows[0]?.msLeft ?? 0)
      this.#secret = undefined
    }
  }

  /** Gives points back, unless their window is over. */
  async giveBack(key: Buffer, cost: number): Promise<void> {
    await sql`UPDATE node_counters SET points = points - ${cost} WHERE key = ${key} AND expires_at > now()`.execute(
      this.#db,
    )
  }

  /** How many callers the limit `name` tracks, as far as this node knows. */
  countCallers(name: string): number {
    return this.#rowCounts.get(name) ?? 0
  }

  /** Deletes what has expired and counts the rest. */
  async sweep(): Promise<void> {
    await deleteExpiredMemory(this.#db)
    const { rows } = await sql<{ name: string; count: number }>`
      SELECT name, count(*) AS count FROM node_counters GROUP BY name`.execute(this.#db)
    this.#rowCounts = new Map(rows.map(({ name, count }) => [name, count]))
  }

  #readSecret(): Promise<DaySecret> {
    if (!this.#secret) {
      const reading = readDaySecret(this.#db)
      this.#secret = reading
      reading.catch(() => {
        if (this.#secret === reading) this.#secret = undefined
      })
    }
    return this.#secret
  }

  async #findKey({ secret }: DaySecret, { name, caller }: Pick<Take, 'name' | 'caller'>): Promise<Buffer> {
    const key = hashKey(secret, `${name}\0${caller}`)
    if (this.countCallers(name) < this.#maxCallers) return key
    const { rows } = await sql`SELECT 1 FROM node_counters WHERE key = ${key} AND expires_at > now()`.execute(this.#db)
    return rows.length > 0 ? key : hashKey(secret, `${name}\0+${key.readUInt32BE(0) % this.#buckets}`)
  }

  async #takeOnce({ day }: DaySecret, key: Buffer, { name, cost, points, seconds }: Take): Promise<TakeRow> {
    const { rows } = await sql<TakeRow>`
      WITH today AS MATERIALIZED (SELECT t.ends_at, s.day IS NOT NULL AS "isCurrent"
        FROM ${TODAY} AS t LEFT JOIN node_secrets AS s ON s.day = t.day AND s.day = ${day}::date),
      taken AS (
        INSERT INTO node_counters AS c (key, name, points, expires_at)
        SELECT ${key}, ${name}, ${cost}, least(now() + ${seconds} * interval '1 second', ends_at)
        FROM today WHERE "isCurrent" AND ${cost}::bigint <= ${points}
        ON CONFLICT (key) DO UPDATE SET
          points = CASE WHEN c.expires_at <= now() THEN excluded.points ELSE c.points + excluded.points END,
          expires_at = CASE WHEN c.expires_at <= now() THEN excluded.expires_at ELSE c.expires_at END
        WHERE c.expires_at <= now() OR c.points + excluded.points <= ${points}
        RETURNING expires_at, xmax = 0 AS "isNew")
      SELECT "isCurrent", taken.expires_at IS NOT NULL AS "isTaken", "isNew",
        ceil(extract(epoch FROM coalesce(taken.expires_at, before.expires_at) - now()) * 1000)::bigint AS "msLeft"
      FROM today LEFT JOIN taken ON true LEFT JOIN node_counters AS before ON before.key = ${key}`.execute(this.#db)
    const [row] = rows
    if (!row) throw new Error('PostgreSQL answered no row')
    return row
  }
}

const hashKey = (secret: Buffer, text: string): Buffer =>
  createHmac('sha256', secret).update(text).digest().subarray(0, KEY_BYTES)

/** Rows of one deletion, so that none takes long. */
const DELETE_BATCH = 5000
/** Notes that stay: the oldest go beyond it. */
const MAX_NOTES = 200_000

/** Deletes what has expired. Nodes that do it at the same time pass over each other's rows. */
export async function deleteExpiredMemory(db: AnyDb): Promise<void> {
  await deleteOldSecrets(db)
  const limit = sql`LIMIT ${sql.lit(DELETE_BATCH)} FOR UPDATE SKIP LOCKED`
  await deleteInBatches(db, 'node_counters', sql`WHERE expires_at <= now() ORDER BY expires_at ${limit}`)
  await deleteInBatches(db, 'node_notes', sql`WHERE noted_at <= now() - interval '1 day' ORDER BY noted_at ${limit}`)
  await deleteInBatches(db, 'node_notes', sql`ORDER BY noted_at DESC OFFSET ${sql.lit(MAX_NOTES)} ${limit}`)
}

async function deleteInBatches(db: AnyDb, table: string, which: RawBuilder<unknown>): Promise<void> {
  for (let deleted = DELETE_BATCH; deleted === DELETE_BATCH;) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM ${sql.table(table)} WHERE key IN (SELECT key FROM ${sql.table(table)} ${which})`.execute(db)
    deleted = Number(numAffectedRows)
  }
}

/** The key of a note, under a secret. */
const hashNote = (secret: RawBuilder<unknown>, text: RawBuilder<string>): RawBuilder<Buffer> =>
  sql`sha256(${secret} || sha256(${secret} || convert_to(${text}, 'UTF8')))`

const TODAY_SECRET = sql`(SELECT s.secret FROM node_secrets AS s JOIN ${TODAY} AS t ON t.day = s.day)`

/** What a node has noted under each of `keys` today, of several times the last; nothing for most. */
export async function readNotes(db: AnyDb, keys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; value: string }>`
    SELECT k.name, n.value FROM ${TODAY_SECRET} AS s CROSS JOIN unnest(${keys}::text[]) AS k (name)
    JOIN node_notes AS n ON n.key = ${hashNote(sql`s.secret`, sql`k.name`)}`.execute(db)
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** Notes `value` for the rest of the day, with the transaction that `db` is. */
export async function writeNote(db: AnyDb, key: string, value: string): Promise<void> {
  const write = () =>
    sql`INSERT INTO node_notes (key, value, noted_at)
      SELECT ${hashNote(sql`s.secret`, sql`${key}::text`)}, ${value}, now() FROM ${TODAY_SECRET} AS s
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, noted_at = excluded.noted_at`.execute(db)
  const { numAffectedRows = 0n } = await write()
  if (numAffectedRows > 0n) return
  await createDaySecret(db)
  await write()
}

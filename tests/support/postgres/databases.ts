import type { Pool } from 'pg'
import type { Trx as Db } from '#db/client.ts'
import { openPostgresPool, toPostgresKysely } from '#db/dialect/postgres/open.ts'
import { databaseUrl, TEMPLATE_NAME } from './addresses.ts'
import { postgresFolder } from './server.ts'

const MAX_CONNECTIONS = 4
/** A copy by the log, the default, takes half as long again, and its drop twice as long. */
const STRATEGY = 'STRATEGY FILE_COPY'

let count = 0
const names = new WeakMap<Db, string>()
/** Databases that others copy: closing them does not drop them. */
const templates = new Set<string>()
let server: Promise<{ folder: string; pool: Pool }> | undefined

async function openServer() {
  const folder = await postgresFolder()
  return {
    folder,
    pool: openPostgresPool(databaseUrl(folder, 'postgres'), { maxConnections: 2, allowExitOnIdle: true }),
  }
}

interface DatabaseOptions {
  /** The name of the database that it copies; by default it is migrated and empty. */
  template?: string
  maxConnections?: number
  /** The connections' name, by default a server's: commands refuse to work beside one. */
  applicationName?: string
}

/** A database of its own on the run's PostgreSQL. It is created by its first query and dropped by `destroy`. */
export function freshPostgresDb(options: DatabaseOptions = {}): Db {
  const name = `test_${process.pid}_${++count}`
  const db = toPostgresKysely(() => createDatabase(name, options))
  names.set(db, name)
  return db
}

async function createDatabase(
  name: string,
  { template = TEMPLATE_NAME, maxConnections = MAX_CONNECTIONS, applicationName }: DatabaseOptions,
): Promise<Pool> {
  const { folder, pool: main } = await (server ??= openServer())
  await main.query(`CREATE DATABASE ${name} TEMPLATE ${template} ${STRATEGY}`)
  const pool = openPostgresPool(databaseUrl(folder, name), {
    maxConnections,
    allowExitOnIdle: true,
    ...(applicationName && { applicationName }),
  })
  const end = pool.end.bind(pool) as () => Promise<void>
  pool.end = (async () => {
    // The drop ends connections that are still closing.
    pool.removeAllListeners('error').on('error', () => {})
    await end()
    if (!templates.has(name)) await main.query(`DROP DATABASE ${name} WITH (FORCE)`)
  }) as typeof pool.end
  return pool
}

/** A database that a process of its own opens by its address. */
export interface PostgresDatabase {
  url: string
  /** Ends all connections to it. */
  drop: () => Promise<void>
}

/** Creates a migrated, empty database. */
export async function createPostgresDatabase(): Promise<PostgresDatabase> {
  const name = `test_${process.pid}_${++count}`
  const { folder, pool: main } = await (server ??= openServer())
  await main.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_NAME} ${STRATEGY}`)
  return {
    url: databaseUrl(folder, name),
    drop: async () => void (await main.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

/** Closes a database of `freshPostgresDb` and leaves it for copies. @returns the template's name */
export async function closeAsTemplate(db: Db): Promise<string> {
  const name = names.get(db)!
  templates.add(name)
  await db.destroy()
  return name
}

/** The address of a database of `freshPostgresDb`. */
export async function postgresUrlOf(db: Db): Promise<string> {
  const { folder } = await (server ??= openServer())
  return databaseUrl(folder, names.get(db)!)
}

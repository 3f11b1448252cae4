import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { Db } from '../../client.ts'
import { NewerDatabaseError, PostgresUnusableError } from '../../errors.ts'
import { isKnownMigration } from '../../migration-names.ts'
import { APPLICATION_NAME, openPostgres, type PostgresOptions } from './open.ts'

/** PostgreSQL 15, as `server_version_num` says it. */
const MIN_VERSION = 150_000

/** By the codes of Node's sockets and of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nadie responde en esa dirección: ¿está en marcha PostgreSQL?',
  ENOTFOUND: 'no se encuentra ese servidor: revisa el nombre.',
  EAI_AGAIN: 'no se encuentra ese servidor: revisa el nombre.',
  ETIMEDOUT: 'el servidor no responde.',
  ENOENT: 'nadie responde en esa dirección: ¿está en marcha PostgreSQL?',
  '28P01': 'la contraseña o el usuario no son correctos.',
  '28000': 'el servidor no deja entrar a ese usuario.',
  '3D000': 'no existe esa base de datos: créala antes (CREATE DATABASE).',
  '42501': 'a ese usuario le faltan permisos.',
  '53300': 'el servidor no admite más conexiones.',
  '57P03': 'el servidor está arrancando: prueba en un momento.',
  '57P01': 'el servidor se ha parado.',
  '53100': 'al servidor no le queda sitio en el disco.',
  '25006': 'el servidor solo deja leer: ¿es una réplica?',
  ECONNRESET: 'se ha cortado la conexión.',
  EPIPE: 'se ha cortado la conexión.',
}

const SHOWN_PARAMETERS = new Set(['host', 'port', 'sslmode'])

/**
 * The address for messages: protocol, user, server, port and database, and of the query what says where it is. All else is left out,
 * since a password may be in the query too.
 * @param password what stands in the place of a password: by default nothing
 */
export function toShownAddress(url: string, password = ''): string {
  const { protocol, username, password: secret, host, pathname, searchParams } = new URL(url)
  const user = username + (secret && password && `:${password}`)
  const shown = [...searchParams].filter(([name]) => SHOWN_PARAMETERS.has(name))
  const query = shown.length > 0 ? `?${new URLSearchParams(shown).toString()}` : ''
  return `${protocol}//${user && `${user}@`}${host}${pathname}${query}`
}

/** The address for messages, with asterisks for its password. */
export const hidePassword = (url: string): string => toShownAddress(url, '***')

/** Whether `url` is an address of PostgreSQL with the name of a database. */
export function isPostgresUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, pathname } = new URL(url)
  return (protocol === 'postgres:' || protocol === 'postgresql:') && pathname.length > 1
}

/**
 * Opens PostgreSQL and checks that the program can work with it. Call `migrate` before use.
 * @throws PostgresUnusableError where nobody answers, the name or password is wrong, the server is too old, the database is not in UTF-8 or
 * rights are missing
 * @throws NewerDatabaseError for a database that a newer version of the program has migrated
 */
export async function connectPostgres(url: string, options?: PostgresOptions): Promise<Db> {
  if (!isPostgresUrl(url))
    throw new PostgresUnusableError('la dirección tiene que ser postgres://usuario:contraseña@servidor:5432/base.')
  const db = openPostgres(url, options)
  try {
    await assertUsable(db)
    return db
  } catch (error) {
    await db.destroy()
    if (error instanceof NewerDatabaseError) throw error
    const reason = error instanceof PostgresUnusableError ? error.message : describeFault(error)
    throw new PostgresUnusableError(`PostgreSQL (${hidePassword(url)}): ${reason}`)
  }
}

/** Node tries the addresses of a name one after another, and reports all their errors together. */
const firstError = (error: unknown): unknown => (error instanceof AggregateError ? error.errors[0] : error)

function describeFault(error: unknown): string {
  const first = firstError(error)
  return describePostgresFault(first) ?? (first instanceof Error ? first.message : String(first))
}

/** A failure of PostgreSQL, or of the way to it, in one Spanish sentence for the operator; null for any other error. */
export function describePostgresFault(error: unknown): string | null {
  const first = firstError(error)
  if (!(first instanceof Error)) return null
  // The driver's own errors have no code.
  if (
    /^Connection terminated|^Client has encountered a connection error|timeout exceeded when trying/.test(first.message)
  )
    return 'se ha cortado la conexión, o el servidor no responde.'
  if (/client password must be a string/.test(first.message))
    return 'falta la contraseña: postgres://usuario:contraseña@servidor:5432/base.'
  const { syscall, code = '' } = first as NodeJS.ErrnoException
  const isFault = first instanceof DatabaseError || /^(?:connect|getaddrinfo|read|write)$/.test(syscall ?? '')
  return isFault ? (CONNECTION_FAULTS[code] ?? null) : null
}

/** @throws PostgresUnusableError whose message is the reason alone */
async function assertUsable(db: Db): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string; canCreate: boolean; hasMigrations: boolean }>`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "canCreate",
      to_regclass('kysely_migration') IS NOT NULL AS "hasMigrations"`.execute(db)
  const [state] = rows
  if (!state) throw new Error('PostgreSQL answered no row')
  if (state.version < MIN_VERSION)
    throw new PostgresUnusableError(
      `hace falta PostgreSQL 15 o posterior, y el servidor es el ${Math.floor(state.version / 10_000)}.`,
    )
  // Others cannot keep an emoji, or count letters.
  if (state.encoding !== 'UTF8')
    throw new PostgresUnusableError(
      `la base de datos tiene que estar en UTF-8, y está en ${state.encoding}: créala con createdb --encoding=UTF8 --template=template0.`,
    )
  if (!state.canCreate)
    throw new PostgresUnusableError('el usuario no puede crear tablas en esa base de datos (GRANT CREATE ON SCHEMA).')
  if (!state.hasMigrations) return
  const names = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  const unknown = names.rows.find(({ name }) => !isKnownMigration(name))
  if (unknown) throw new NewerDatabaseError(unknown.name)
}

/** Connections of this program's servers to the database that `db` uses, without its own. */
export async function countServerConnections(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = ${APPLICATION_NAME}`.execute(db)
  return rows[0]?.count ?? 0
}

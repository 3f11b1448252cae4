import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright'
import { type Callback, type Context, exec, suite as uvuSuite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import { type Answer, answered, call, type Call, contentOf, detailOf, formOf, type Json, redirectOf } from './api.ts'
import type { PooledPage } from './browser/page-pool.ts'
import { captureConsole } from './captured-console.ts'
import type * as members from './members.ts'
import type { TestMember } from './members.ts'
import { assertProblem } from './problem.ts'
import { refusal, refusalError, refusalOf } from './refusal.ts'
import type * as rows from './rows.ts'
import type * as seeds from './seed.ts'
import type { CurrentUser, Dog, Seed } from './seed.ts'
import type * as servers from './server.ts'
import type { TestServer } from './server.ts'
import { UNKNOWN_ID } from './unknown-id.ts'

// What a test file begins with, and suites whose tests find what they stand on in their context. It is there before a file's own hooks, and
// goes after them. What opens it is loaded by the suites that use it: a unit test needs no browser, and an API test no database of its own.
// What writes and reads rows is loaded by its first call.

export {
  type Answer,
  answered,
  assert,
  assertProblem,
  call,
  type Call,
  captureConsole,
  contentOf,
  type CurrentUser,
  type Db,
  detailOf,
  type Dog,
  formOf,
  redirectOf,
  refusal,
  refusalError,
  refusalOf,
  type Test,
  type TestMember,
  type TestServer,
  UNKNOWN_ID,
}

/** The suites of the file that is being loaded, which scripts/lib/test-worker.mjs runs then. */
export const loadedSuites = new Set<{ run: () => void }>()

// A file that Node runs by itself, without that process.
process.once('beforeExit', async () => {
  if ('UVU_DEFER' in globalThis) return
  for (const test of loadedSuites) test.run()
  await exec()
})

/** A suite that runs once its file is loaded. */
export function suite<T = Context>(name: string): Test<T> {
  const test = uvuSuite<T>(name)
  const { run } = test
  test.run = () => {
    loadedSuites.delete(test)
    run()
  }
  loadedSuites.add(test)
  return test
}

export const seed = (async (db: Db, ...all: Seed<unknown>[]) =>
  (await import('./seed.ts')).seed(db, ...all)) as typeof seeds.seed
export const member: typeof seeds.member = (fields) => async (db, last) =>
  (await import('./seed.ts')).member(fields)(db, last)
export const dog: typeof seeds.dog = (fields) => async (db, last) => (await import('./seed.ts')).dog(fields)(db, last)
export const signIn: typeof seeds.signIn = async (...who) => (await import('./seed.ts')).signIn(...who)
export const signInMember: typeof members.signInMember = async (...who) =>
  (await import('./members.ts')).signInMember(...who)
export const startServer: typeof servers.startServer = async (env) => (await import('./server.ts')).startServer(env)
export const insert: typeof rows.insert = async (...row) => (await import('./rows.ts')).insert(...row)
export const update: typeof rows.update = async (...change) => (await import('./rows.ts')).update(...change)
export const rowOf: typeof rows.rowOf = async (...row) => (await import('./rows.ts')).rowOf(...row)
export const countRows: typeof rows.countRows = async (...of) => (await import('./rows.ts')).countRows(...of)
export const listDriftedCounts = async (db: Db): Promise<string[]> =>
  (await import('./maintenance/count-drift.ts')).listDriftedCounts(db)
export const countJobs = async (db: Db, topic: string): Promise<number> =>
  (await import('./jobs.ts')).countJobs(db, topic)

/** What each has under the key. */
export const pluck = <T = Json, K extends keyof T = keyof T>(items: readonly T[], key: K): T[K][] =>
  items.map((item) => item[key])

/** What each has under the keys, as tuples. */
export const pick = <T = Json>(items: readonly T[], ...keys: (keyof T)[]): unknown[][] =>
  items.map((item) => keys.map((key) => item[key]))

/** All pages, the first one on. @param read asks for the page at the cursor */
export async function allPages<P extends { nextCursor: string | null }>(
  read: (cursor?: string) => Promise<P>,
): Promise<P[]> {
  const page = await read()
  const pages = [page]
  for (let at = page.nextCursor; at; at = pages.at(-1)!.nextCursor) pages.push(await read(at))
  return pages
}

/** Fails with the items that have the fault. @param hint what to do about them */
export const assertNone = <T>(items: readonly T[], hasFault: (item: T, at: number) => unknown, hint?: string): void =>
  assert.equal(items.filter(hasFault), [], hint)

/** Fails where the text does not match one of these: a pattern, or words that it must hold. */
export const assertMatches = (text: string, ...patterns: (string | RegExp)[]): void =>
  patterns.forEach((pattern) => assert.match(text, pattern))

/** Fails where the text matches any of these. */
export const assertNoMatch = (text: string, ...patterns: (string | RegExp)[]): void =>
  patterns.forEach((pattern) => assert.not.match(text, pattern))

/** What `freshDb` opens in this process: `TESTS_DATABASE=postgres` runs the tests of queries on PostgreSQL. */
export const isPostgresRun = process.env.TESTS_DATABASE === 'postgres'

/**
 * Declares tests of what only SQLite has: query plans, its file, its raw handle. On PostgreSQL they are skipped.
 * `const sqliteTest = onlyOnSqlite(test)`
 */
export const onlyOnSqlite = <T>(test: Test<T>): ((name: string, run: Callback<T>) => void) =>
  isPostgresRun ? test.skip : test

export interface ServerWorld {
  server: TestServer
}

export interface BrowserWorld extends ServerWorld {
  browser: Browser
}

export interface DbWorld {
  db: Db
}

export interface ServerDbWorld extends ServerWorld, DbWorld {}

export interface PageWorld extends BrowserWorld, PooledPage {}

export interface FolderWorld {
  /** A folder of the test's own. */
  dir: string
}

type Env = Record<string, string>
/** The server's settings, or what opens what they name and gives it to the tests. */
type Settings<T> = Env | ((t: T) => Env | Promise<Env>)

/**
 * A suite over one server.
 * @param env its settings
 * @param add writes what the tests stand on, before the first, and gives it to them
 */
export function serverSuite<T, Added = unknown>(
  name: string,
  env: Settings<T> = {},
  add?: Addition<T & ServerWorld, Added>,
): Test<T & ServerWorld & With<Added>> {
  const test = suite<T & ServerWorld & With<Added>>(name)
  test.before(async (t) => {
    const { startServer } = await import('./server.ts')
    t.server = await startServer(typeof env === 'function' ? await env(t) : env)
    Object.assign(t, await add?.(t))
  })
  return atItsEnd(test, 'after', ({ server }) => server.dispose())
}

/** A suite over one server and its database, with the parameters of `serverSuite`. */
export const serverDbSuite = <T, Added = unknown>(
  name: string,
  env: Settings<T> = {},
  add?: Addition<T & ServerDbWorld, Added>,
): Test<T & ServerDbWorld & With<Added>> =>
  serverSuite<T & DbWorld, Added>(name, env, async (t) => {
    t.db = t.server.db
    return (await add?.(t)) as Added
  })

/** Signs these in on the suite's server: `serverSuite('api/x', {}, signedIn('ana', 'luis'))`. Their addresses have their names. */
export const signedIn =
  <Name extends string>(...names: Name[]) =>
  async ({ server }: ServerWorld): Promise<Record<Name, TestMember>> => {
    const all = {} as Record<Name, TestMember>
    for (const name of names) all[name] = await signInMember(server, `${name}@ejemplo.es`)
    return all
  }

/** A suite over one server and one browser, whose pages from the pool go back to it after each test. @param env the server's settings */
export function browserSuite<T>(name: string, env: Settings<T> = {}): Test<T & BrowserWorld> {
  const test = serverSuite<T & BrowserWorld>(name, env)
  test.before(async (t) => {
    const { launchBrowser } = await import('./browser/chromium.ts')
    t.browser = await launchBrowser()
  })
  test.before.each(async ({ browser }) => (await import('./browser/page-pool.ts')).beginPages(browser))
  atItsEnd(test, 'after.each', async ({ browser }) => (await import('./browser/page-pool.ts')).releasePages(browser))
  return atItsEnd(test, 'after', ({ browser }) => browser.close())
}

/** A suite over one server and one browser, whose tests have a fresh visitor's page each. @param options the page's; a desktop by default */
export function pageSuite<T>(
  name: string,
  env: Settings<T> = {},
  options?: BrowserContextOptions,
): Test<T & PageWorld> {
  const test = browserSuite<T & PageWorld>(name, env)
  test.before.each(async (t) => {
    const { takePage } = await import('./browser/page-pool.ts')
    Object.assign(t, await takePage(t.browser, options))
  })
  return test
}

/** What `seed` puts into a database, by the name that the tests find it under. */
type Seeds<T> = { [Name in keyof T]?: Seed<T[Name]> }
/** Writes more into the database. @returns what the tests find besides */
type Addition<T, Added> = (t: T) => Promise<Added>
type With<Added> = Added extends object ? Added : unknown

/** What the tests of a suite find in their context. */
export type WorldOf<S> = S extends Test<infer T> ? T : never

/**
 * A suite whose tests have a database each: `dbSuite('unit/x', { ana: member(), toby: dog() })`.
 * @param seeds what is in it, in this order, each dog owned by the member before it; default: nothing
 */
export function dbSuite<T, Added = unknown>(
  name: string,
  seeds: Seeds<T> = {},
  add?: Addition<T & DbWorld, Added>,
): Test<T & DbWorld & With<Added>> {
  const test = suite<T & DbWorld & With<Added>>(name)
  openDatabases(test, seeds, add)
  return test
}

/** A suite whose tests have an empty folder each. */
export function folderSuite<T>(name: string): Test<T & FolderWorld> {
  const test = suite<T & FolderWorld>(name)
  test.before.each((t) => void (t.dir = mkdtempSync(join(tmpdir(), 'perrario-test-'))))
  return atItsEnd(test, 'after.each', ({ dir }) => rmSync(dir, { recursive: true, force: true }))
}

/** A suite whose tests have an empty folder each, and a database as `dbSuite` has it. */
export function dataSuite<T, Added = unknown>(
  name: string,
  seeds: Seeds<T> = {},
  add?: Addition<T & DbWorld & FolderWorld, Added>,
): Test<T & DbWorld & FolderWorld & With<Added>> {
  const test = folderSuite<T & DbWorld & With<Added>>(name)
  openDatabases(test, seeds, add)
  return test
}

/** Adds a hook behind those that the file adds until it runs its suite. */
function atItsEnd<T>(test: Test<T>, when: 'after' | 'after.each', end: (t: T) => unknown): Test<T> {
  const { run } = test
  test.run = () => {
    if (when === 'after') test.after(async (t) => void (await end(t)))
    else test.after.each(async (t) => void (await end(t)))
    run()
  }
  return test
}

function openDatabases<T, World extends T & DbWorld>(
  test: Test<World>,
  seeds: Seeds<T>,
  add?: Addition<World, unknown>,
): void {
  const entries = Object.entries<Seed<unknown> | undefined>(seeds)
  test.before.each(async (t) => {
    const { freshDb } = await import('./db.ts')
    t.db = freshDb()
    if (entries.length > 0) {
      const { seed } = await import('./seed.ts')
      const made = await seed(t.db, ...entries.map(([, each]) => each!))
      Object.assign(t, Object.fromEntries(entries.map(([key], n) => [key, made[n]])))
    }
    Object.assign(t, await add?.(t))
  })
  atItsEnd(test, 'after.each', ({ db }) => db.destroy())
}

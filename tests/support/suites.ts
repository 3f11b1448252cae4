import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright'
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Trx as Db } from '#db/client.ts'
import type { PooledPage } from './browser/page-pool.ts'
import type { Seed } from './seed.ts'
import type { TestServer } from './server.ts'

// What a test file begins with, and suites whose tests find what they stand on in their context. It is there before a file's own hooks, and
// goes after them. What opens it is loaded by the suites that use it: a unit test needs no browser, and an API test no database of its own.

export { assert, type Db, suite, type Test }

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

/** A suite over one server. @param env its settings */
export function serverSuite<T>(name: string, env: Settings<T> = {}): Test<T & ServerWorld> {
  const test = suite<T & ServerWorld>(name)
  test.before(async (t) => {
    const { startServer } = await import('./server.ts')
    t.server = await startServer(typeof env === 'function' ? await env(t) : env)
  })
  return atItsEnd(test, 'after', ({ server }) => server.dispose())
}

/** A suite over one server and a connection to its database. @param env the server's settings */
export function serverDbSuite<T>(name: string, env: Settings<T> = {}): Test<T & ServerDbWorld> {
  const test = serverSuite<T & ServerDbWorld>(name, env)
  test.before(async (t) => {
    const { openServerDatabase } = await import('./server-database.ts')
    t.db = openServerDatabase(t.server)
  })
  return atItsEnd(test, 'after', ({ db }) => db.destroy())
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

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { suite, type Test } from 'uvu'
import type { Trx as Db } from '#db/client.ts'
import type { TestServer } from './server.ts'

// Suites whose tests find what they stand on in their context. It is there before a file's own hooks, and goes after them. What opens it is
// loaded by the suites that use it: a unit test needs no browser, and an API test no database of its own.

export interface ServerWorld {
  server: TestServer
}

export interface BrowserWorld extends ServerWorld {
  browser: Browser
}

export interface DbWorld {
  db: Db
}

export interface FolderWorld {
  /** A folder of the test's own. */
  dir: string
}

/** A suite over one server. @param env its settings */
export function serverSuite<T>(name: string, env: Record<string, string> = {}): Test<T & ServerWorld> {
  const test = suite<T & ServerWorld>(name)
  test.before(async (t) => {
    const { startServer } = await import('./server.ts')
    t.server = await startServer(env)
  })
  return atItsEnd(test, 'after', ({ server }) => server.dispose())
}

/** A suite over one server and one browser. @param env the server's settings */
export function browserSuite<T>(name: string, env: Record<string, string> = {}): Test<T & BrowserWorld> {
  const test = serverSuite<T & BrowserWorld>(name, env)
  test.before(async (t) => {
    const { launchBrowser } = await import('./browser/chromium.ts')
    t.browser = await launchBrowser()
  })
  return atItsEnd(test, 'after', ({ browser }) => browser.close())
}

/** A suite whose tests have an empty database each. */
export function dbSuite<T>(name: string): Test<T & DbWorld> {
  const test = suite<T & DbWorld>(name)
  openDatabases(test)
  return test
}

/** A suite whose tests have an empty folder each. */
export function folderSuite<T>(name: string): Test<T & FolderWorld> {
  const test = suite<T & FolderWorld>(name)
  test.before.each((t) => void (t.dir = mkdtempSync(join(tmpdir(), 'perrario-test-'))))
  return atItsEnd(test, 'after.each', ({ dir }) => rmSync(dir, { recursive: true, force: true }))
}

/** A suite whose tests have an empty database and an empty folder each. */
export function dataSuite<T>(name: string): Test<T & DbWorld & FolderWorld> {
  const test = folderSuite<T & DbWorld>(name)
  openDatabases(test)
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

function openDatabases<T extends DbWorld>(test: Test<T>): void {
  test.before.each(async (t) => {
    const { freshDb } = await import('./db.ts')
    t.db = freshDb()
  })
  atItsEnd(test, 'after.each', ({ db }) => db.destroy())
}

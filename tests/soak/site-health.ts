import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChecks, runRepairs } from '#features/maintenance/doctor/doctor.server.ts'
import { call, formOf } from '#tests/support/api.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { signIn } from '#tests/support/seed.ts'
import type { ServerData } from '#tests/support/server-database.ts'
import type { TestServer } from '#tests/support/server.ts'

/** A visitor's day, whatever happened before: what is not as it should be. */
export async function checkNormalVisit(server: TestServer): Promise<string[]> {
  const wrong: string[] = []
  const check = (what: string, isRight: boolean) => void (isRight || wrong.push(`a normal visit: ${what}`))
  // An address of their own: who sent the flood may have used up its limits.
  const headers = { 'X-Forwarded-For': '203.0.113.77' }
  try {
    const { cookie } = await signIn(server, 'visita@ejemplo.es')
    const form = formOf({
      name: 'Trufa',
      breed: 'beagle',
      relationship: 'owner',
      images: [new Blob([await photo(33)])],
    })
    const added = await call(server, '/api/dogs', { method: 'POST', cookie, form, headers })
    check(`adding a dog answered ${added.status}`, added.status === 201)
    const dog = added.body.dog
    const page = await call(server, dog.path, { headers })
    check(
      'the page of a dog',
      page.status === 200 && String(page.body).includes('<title>Trufa, Beagle | Perrario</title>'),
    )
    const list = await call(server, '/perros', { headers })
    check('the list shows it first', list.status === 200 && String(list.body).includes('Trufa'))
    const said = { method: 'POST', cookie, headers, json: { content: 'Qué guapa' } }
    check('a comment', (await call(server, `/api/dogs/${dog.id}/comments`, said)).status === 201)
    check(
      'a like',
      (await call(server, `/api/dogs/${dog.id}/like`, { method: 'PUT', cookie, headers })).body.likes === 1,
    )
    check('its photo', (await call(server, dog.photo_url, { headers })).status === 200)
    check('it goes', (await call(server, `/api/dogs/${dog.id}`, { method: 'DELETE', cookie, headers })).status === 204)
  } catch (error) {
    wrong.push(`a normal visit: ${(error as Error).message}`)
  }
  return wrong
}

/** Free disk and backups are the machine's and the operator's; «sitio» says whether it runs. */
const IGNORED_CHECKS = ['disco', 'copias', 'última copia']

/**
 * What the doctor finds of a server that was stopped: damage before it mends anything, and leftovers that it does not
 * take away.
 */
export async function collectDoctorErrors({ dataDir, databaseUrl }: ServerData): Promise<string[]> {
  const backupDir = mkdtempSync(join(tmpdir(), 'perrario-soak-'))
  const care = { dataDir, databaseUrl, backupDir, backups: null }
  const lines = async (levels: string[]) =>
    (await runChecks(care))
      .filter(({ level, what }) => levels.includes(level) && !IGNORED_CHECKS.includes(what))
      .map(({ level, what, detail }) => `the doctor: ${level} ${what}: ${detail}`)
  try {
    const before = await lines(['error'])
    await runRepairs(care)
    return [...before, ...(await lines(['error', 'aviso']))]
  } finally {
    rmSync(backupDir, { recursive: true, force: true })
  }
}

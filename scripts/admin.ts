/**
 * The operator's orders, run by scripts/admin.mjs. Exit 0: done; 1: it could not be done; 2: no such order.
 * The server may be running: both write in turn (WAL), and its next page shows the change.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Db, openDatabase, sqliteOf } from '#db/client.ts'
import { databasePaths, isThere, permissionText } from '#features/care/files.server.ts'
import { mailIdentity } from '#features/auth/identities.server.ts'
import { keptEmail } from '#features/auth/sign-in.ts'
import { forgetBan } from '#features/moderation/ban-digests.server.ts'
import { memberByAlias, setVerified } from '#features/profiles/verify.server.ts'
import { assertKnownMigrations, NewerDatabaseError } from '#server/db.ts'
import { EnvError, getEnv } from '#server/env.ts'
import { keepToOurselves } from '#server/rights.ts'

const USAGE = `Uso: npm run admin -- <orden>

  verify <alias>      da la insignia de verificado al perfil con ese alias
  unverify <alias>    se la quita
  readmit <email>     deja abrir otra cuenta a quien eliminó la suya sin poder publicar
  help                muestra esta ayuda

Trabaja sobre la base de datos de DATA_DIR (./var si no dices otra cosa), también con el sitio en marcha.`

/** One clear line and the end. */
function refuse(text: string, code = 1): never {
  console.error(`perrario · ${text}`)
  process.exit(code)
}

keepToOurselves()
if (existsSync('.env')) process.loadEnvFile('.env')
const [order, ...words] = process.argv.slice(2)
// An alias may hold spaces, quoted or not.
const alias = words.join(' ').trim()

if (order === 'help' || order === '--help' || order === '-h') console.log(USAGE)
else if (order === 'verify' || order === 'unverify') await mark(order === 'verify')
else if (order === 'readmit') await readmit()
else {
  console.error(order ? `perrario · no existe la orden «${order}».\n\n${USAGE}` : USAGE)
  process.exit(2)
}

async function mark(verified: boolean): Promise<void> {
  if (!alias) refuse(`falta el alias: npm run admin -- ${order} <alias>`, 2)
  const db = await open()
  try {
    const member = await memberByAlias(db, alias)
    if (!member) refuse(`no hay ningún perfil con el alias «${alias}».`)
    await setVerified(db, member.id, verified)
    console.log(`perrario · ${member.alias} ${verified ? 'tiene ahora' : 'ya no tiene'} la insignia de verificado.`)
  } catch (error) {
    refuseFor(error, 'no se pudo cambiar la base de datos')
  } finally {
    await db.destroy()
  }
}

async function readmit(): Promise<void> {
  if (!alias) refuse('falta la dirección: npm run admin -- readmit <email>', 2)
  const db = await open()
  try {
    if (!(await forgetBan(db, [mailIdentity(keptEmail(alias))]))) refuse('esa dirección puede abrir una cuenta.')
    console.log('perrario · esa dirección puede abrir otra cuenta.')
  } catch (error) {
    refuseFor(error, 'no se pudo cambiar la base de datos')
  } finally {
    await db.destroy()
  }
}

function databaseFile(): string {
  return join(getEnv().dataDir, 'perrario.db')
}

/** A missing permission is said with its path. */
function refuseFor(error: unknown, what: string): never {
  const denied = permissionText(error, databasePaths(databaseFile()))
  refuse(denied ? `${denied}.` : `${what}: ${(error as Error).message}`)
}

async function open(): Promise<Db> {
  try {
    const file = databaseFile()
    if (!(await isThere(file)))
      refuse(
        `no hay base de datos en ${resolve(getEnv().dataDir)}: arranca antes el sitio con npm start, o di DATA_DIR.`,
      )
    const db = openDatabase(file)
    assertKnownMigrations(sqliteOf(db))
    return db
  } catch (error) {
    if (error instanceof NewerDatabaseError) refuse(error.message)
    if (error instanceof EnvError) refuse(error.message)
    refuseFor(error, 'no se puede abrir la base de datos')
  }
}

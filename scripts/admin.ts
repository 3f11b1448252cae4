/**
 * The operator's orders, run by scripts/admin.mjs. Exit 0: done; 1: it could not be done; 2: no such order.
 * The server may be running: both write in turn (WAL), and its next page shows the change.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Db, openDatabase, sqliteOf } from '#db/client.ts'
import { databasePaths, isThere, permissionText } from '#features/maintenance/files.server.ts'
import { mailIdentity } from '#features/auth/identities.server.ts'
import { normalizeEmail } from '#features/auth/sign-in/sign-in.ts'
import { deleteBanDigests } from '#features/moderation/ban-digests.server.ts'
import { findMemberByAlias, setVerified } from '#features/profiles/verified-badge.server.ts'
import { assertKnownMigrations, NewerDatabaseError } from '#server/db.ts'
import { EnvError, getEnv } from '#server/env.ts'
import { restrictUmask } from '#server/security/file-permissions.ts'

const USAGE = `Uso: npm run admin -- <orden>

  verify <alias>      da la insignia de verificado al perfil con ese alias
  unverify <alias>    se la quita
  readmit <email>     deja abrir otra cuenta a quien eliminó la suya sin poder publicar
  help                muestra esta ayuda

Trabaja sobre la base de datos de DATA_DIR (./var si no dices otra cosa), también con el sitio en marcha.`

/** One clear line and the end. */
function exitWithError(text: string, code = 1): never {
  console.error(`perrario · ${text}`)
  process.exit(code)
}

restrictUmask()
if (existsSync('.env')) process.loadEnvFile('.env')
const [command, ...commandArguments] = process.argv.slice(2)
// An alias may hold spaces, quoted or not.
const alias = commandArguments.join(' ').trim()

if (command === 'help' || command === '--help' || command === '-h') console.log(USAGE)
else if (command === 'verify' || command === 'unverify') await setVerifiedByAlias(command === 'verify')
else if (command === 'readmit') await readmitEmail()
else {
  console.error(command ? `perrario · no existe la orden «${command}».\n\n${USAGE}` : USAGE)
  process.exit(2)
}

async function setVerifiedByAlias(verified: boolean): Promise<void> {
  if (!alias) exitWithError(`falta el alias: npm run admin -- ${command} <alias>`, 2)
  const db = await openDatabaseOrExit()
  try {
    const member = await findMemberByAlias(db, alias)
    if (!member) exitWithError(`no hay ningún perfil con el alias «${alias}».`)
    await setVerified(db, member.id, verified)
    console.log(`perrario · ${member.alias} ${verified ? 'tiene ahora' : 'ya no tiene'} la insignia de verificado.`)
  } catch (error) {
    refuseFor(error, 'no se pudo cambiar la base de datos')
  } finally {
    await db.destroy()
  }
}

async function readmitEmail(): Promise<void> {
  if (!alias) exitWithError('falta la dirección: npm run admin -- readmit <email>', 2)
  const db = await openDatabaseOrExit()
  try {
    if (!(await deleteBanDigests(db, [mailIdentity(normalizeEmail(alias))])))
      exitWithError('esa dirección puede abrir una cuenta.')
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
  exitWithError(denied ? `${denied}.` : `${what}: ${(error as Error).message}`)
}

async function openDatabaseOrExit(): Promise<Db> {
  try {
    const file = databaseFile()
    if (!(await isThere(file)))
      exitWithError(
        `no hay base de datos en ${resolve(getEnv().dataDir)}: arranca antes el sitio con npm start, o di DATA_DIR.`,
      )
    const db = openDatabase(file)
    assertKnownMigrations(sqliteOf(db))
    return db
  } catch (error) {
    if (error instanceof NewerDatabaseError) exitWithError(error.message)
    if (error instanceof EnvError) exitWithError(error.message)
    refuseFor(error, 'no se puede abrir la base de datos')
  }
}

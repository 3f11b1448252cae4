/**
 * The operator's commands, run by scripts/admin.mjs. Exit 0: done; 1: failed; 2: unknown command.
 * The server may be running: the database orders the writes of both, and its pages show the change within a second.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Db, openDatabase, sqliteOf, type Trx } from '#db/client.ts'
import { transact } from '#db/transact.ts'
import { databasePaths, explainError, isThere, permissionText } from '#features/maintenance/files.server.ts'
import { findAccountByEmail, mailIdentity } from '#features/auth/users.server.ts'
import { MAGIC_LINK_MINUTES } from '#features/auth/auth.ts'
import { signOutMembers } from '#features/auth/sessions/member-sessions.server.ts'
import { normalizeEmail } from '#features/auth/sign-in/sign-in.ts'
import { emailSchema } from '#features/auth/sign-in/sign-in-input.ts'
import { buildTestMail } from '#features/auth/sign-in/sign-in-mail.ts'
import { issueToken } from '#features/auth/sign-in/sign-in-tokens.server.ts'
import { listPendingMigrations, listRunMigrations } from '#features/maintenance/database-contents.server.ts'
import { MaintenanceError } from '#features/maintenance/maintenance.ts'
import { isMoveUnfinished } from '#features/maintenance/move/move-rows.server.ts'
import { connectForMaintenance } from '#features/maintenance/postgres.server.ts'
import type { AdminAction } from '#features/moderation/admin-log.ts'
import { logAdminAction, type NewAdminLogEntry } from '#features/moderation/admin-log.server.ts'
import { deleteBanDigests } from '#features/moderation/ban-digests.server.ts'
import { findMemberByAlias, setVerified } from '#features/profiles/verified-badge.server.ts'
import { assertKnownMigrations, NewerDatabaseError } from '#server/db.ts'
import { paths } from '#lib/paths.ts'
import { type Env, EnvError, getEnv, siteBase } from '#server/env.ts'
import { describeMailError, sendMail } from '#server/mail.ts'
import { describePostgresFault } from '#db/dialect/postgres/connect.ts'
import { restrictUmask } from '#server/security/file-permissions.ts'
import { exitWithError, print } from './lib/command-line.ts'

const USAGE = `Uso: npm run admin -- <orden>

  verify <alias>      da la insignia de verificado al perfil con ese alias
  unverify <alias>    se la quita
  sign-out <alias>    cierra todas las sesiones de ese perfil
  sign-out-all        cierra las de todo el mundo
  readmit <email>     deja abrir otra cuenta a quien eliminó la suya sin poder publicar
  link <email>        escribe un enlace de un solo uso para entrar con esa dirección
  mail <email>        envía un mensaje de prueba con el servidor de correo de SMTP_URL
  help                muestra esta ayuda

Trabaja sobre la base de datos de DATABASE_URL o, sin ella, de DATA_DIR (./var si no dices otra cosa), también con el sitio en marcha.`

restrictUmask()
if (existsSync('.env')) process.loadEnvFile('.env')
const [command, ...commandArguments] = process.argv.slice(2)
// An alias may hold spaces, quoted or not.
const alias = commandArguments.join(' ').trim()

if (command === 'help' || command === '--help' || command === '-h') console.log(USAGE)
else if (command === 'verify' || command === 'unverify') await setVerifiedByAlias(command === 'verify')
else if (command === 'sign-out') await signOutByAlias()
else if (command === 'sign-out-all') await signOutEverybody()
else if (command === 'readmit') await readmitEmail()
else if (command === 'link') await printSignInLink()
else if (command === 'mail') await sendTestMail()
else if (command) exitWithError(`no existe la orden «${command}».\n\n${USAGE}`, 2)
else {
  console.error(USAGE)
  process.exit(2)
}

async function setVerifiedByAlias(verified: boolean): Promise<void> {
  if (!alias) exitWithError(`falta el alias: npm run admin -- ${command} <alias>`, 2)
  await withDatabase('no se pudo cambiar la base de datos', async (db) => {
    const member = await findMemberOrExit(db)
    await transact(db, async (trx) => {
      await setVerified(trx, member.id, verified)
      await logAsOperator(trx, verified ? 'verify' : 'unverify', { kind: 'member', id: member.id })
    })
    print(`${member.alias} ${verified ? 'tiene ahora' : 'ya no tiene'} la insignia de verificado.`)
  })
}

async function findMemberOrExit(db: Db) {
  const member = await findMemberByAlias(db, alias)
  return member ?? exitWithError(`no hay ningún perfil con el alias «${alias}».`)
}

async function signOutByAlias(): Promise<void> {
  if (!alias) exitWithError(`falta el alias: npm run admin -- ${command} <alias>`, 2)
  await withDatabase('no se pudo cambiar la base de datos', async (db) => {
    const member = await findMemberOrExit(db)
    printEnded(await signOutMembers(db, member.id), `de ${member.alias}`)
  })
}

async function signOutEverybody(): Promise<void> {
  await withDatabase('no se pudo cambiar la base de datos', async (db) =>
    printEnded(await signOutMembers(db, 'everybody'), 'de todo el mundo'),
  )
}

function printEnded(count: number, whose: string): void {
  print(`sesiones cerradas ${whose}: ${count.toLocaleString('es-ES')}.`)
}

async function readmitEmail(): Promise<void> {
  if (!alias) exitWithError('falta la dirección: npm run admin -- readmit <email>', 2)
  await withDatabase('no se pudo cambiar la base de datos', async (db) => {
    const isReadmitted = await transact(db, async (trx) => {
      const wasBanned = await deleteBanDigests(trx, [mailIdentity(normalizeEmail(alias))])
      if (wasBanned) await logAsOperator(trx, 'readmit', { kind: 'mailbox', id: null })
      return wasBanned
    })
    if (!isReadmitted) exitWithError('esa dirección puede abrir una cuenta.')
    print('esa dirección puede abrir otra cuenta.')
  })
}

/** What the operator does on the machine is in the admins' log too. */
function logAsOperator(trx: Trx, action: AdminAction, target: NewAdminLogEntry['target']): Promise<void> {
  return logAdminAction(trx, { adminId: null, action, target })
}

/** The address of the command line, as it is stored. */
function readAddressOrExit(): string {
  if (!alias) exitWithError(`falta la dirección: npm run admin -- ${command} <email>`, 2)
  const { success, data } = emailSchema.safeParse(alias)
  if (!success) exitWithError(`«${alias}» no es una dirección de correo.`)
  return data
}

async function printSignInLink(): Promise<void> {
  const email = readAddressOrExit()
  await withDatabase('no se pudo escribir en la base de datos', async (db) => {
    const { token } = await transact(db, async (trx) => {
      const account = await findAccountByEmail(trx, email)
      await logAsOperator(trx, 'sign-in-link', { kind: account ? 'member' : 'mailbox', id: account?.id ?? null })
      return issueToken(trx, email, Date.now(), { issuer: 'operator' })
    })
    print(`para entrar como ${email}, una sola vez y durante ${MAGIC_LINK_MINUTES} minutos:`)
    console.log(siteBase() + paths.signIn(token))
  })
}

async function sendTestMail(): Promise<void> {
  const to = readAddressOrExit()
  const { smtpUrl, dataDir, mailFrom } = getEnvOrExit()
  try {
    await sendMail({ to, ...buildTestMail(siteBase()) })
  } catch (error) {
    exitWithError(
      smtpUrl
        ? `el servidor de correo no ha aceptado el mensaje: ${describeMailError(error)}. Revisa SMTP_URL y MAIL_FROM.`
        : `el mensaje no se pudo escribir: ${explainError(error)}.`,
    )
  }
  print(
    smtpUrl
      ? `el servidor de correo ha aceptado el mensaje de ${mailFrom} para ${to}: mira si llega, y si cae en el correo no deseado.`
      : `sin SMTP_URL no se envía nada: el mensaje está en ${join(resolve(dataDir), 'outbox')}.`,
  )
}

function getEnvOrExit(): Env {
  try {
    return getEnv()
  } catch (error) {
    exitWithError((error as Error).message)
  }
}

function databaseFile(): string {
  return join(getEnv().dataDir, 'perrario.db')
}

/** Prints one line and exits. For a missing permission the line names the path. */
function exitWithDatabaseError(error: unknown, summary: string): never {
  const denied = permissionText(error, databasePaths(databaseFile()))
  const fault = describePostgresFault(error)
  exitWithError(denied ? `${denied}.` : `${summary}: ${fault ?? explainError(error)}.`)
}

/** Opens the database for `action` and closes it. @param summary begins the line about what fails */
async function withDatabase(summary: string, action: (db: Db) => Promise<void>): Promise<void> {
  const db = await openDatabaseOrExit()
  try {
    await action(db)
  } catch (error) {
    exitWithDatabaseError(error, summary)
  } finally {
    await db.destroy()
  }
}

async function openDatabaseOrExit(): Promise<Db> {
  try {
    const { databaseUrl } = getEnv()
    if (databaseUrl) return await openPostgresOrExit(databaseUrl)
    const file = databaseFile()
    if (!(await isThere(file)))
      exitWithError(
        `no hay base de datos en ${resolve(getEnv().dataDir)}: arranca antes el sitio con npm start, o di DATA_DIR.`,
      )
    const db = openDatabase(file)
    assertKnownMigrations(sqliteOf(db))
    return db
  } catch (error) {
    if (error instanceof NewerDatabaseError || error instanceof EnvError || error instanceof MaintenanceError)
      exitWithError(error.message)
    exitWithDatabaseError(error, 'no se puede abrir la base de datos')
  }
}

async function openPostgresOrExit(url: string): Promise<Db> {
  const db = await connectForMaintenance(url)
  if (await isMoveUnfinished(db)) exitWithError('una mudanza se quedó a medias: repite npm run move -- --to.')
  if (listPendingMigrations(await listRunMigrations(db)).length > 0)
    exitWithError('la base de datos es de una versión anterior del programa: arranca antes el sitio con npm start.')
  return db
}

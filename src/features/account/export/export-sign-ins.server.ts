import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'
import { EXPORT_PAGE_SIZE, readPages } from './export-pages.server.ts'

/** The member's passkeys, recovery codes, changes of address, devices and the notifications of new ones, without what could sign anybody in. */
export async function exportSignIns(db: Db, userId: string) {
  const passkeys = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  const codes = await db
    .selectFrom('recovery_codes')
    .select(['created_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('used_at')
    .execute()
  const changes = await db
    .selectFrom('email_changes')
    .select(['email', 'previous_email', 'created_at', 'confirmed_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  const devices = await db
    .selectFrom('account_devices')
    .select(['device', 'created_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  const alerts = await db
    .selectFrom('sign_in_alerts')
    .select(['device', 'email', 'created_at', 'sent_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return {
    dispositivos_de_entrada: devices.map((row) => ({
      dispositivo: row.device || null,
      created_at: toIsoString(row.created_at),
      used_at: toIsoString(row.used_at),
    })),
    avisos_de_dispositivo_nuevo: alerts.map((row) => ({
      dispositivo: row.device || null,
      email: row.email,
      created_at: toIsoString(row.created_at),
      enviado: toIsoString(row.sent_at),
      no_he_sido_yo: toIsoString(row.used_at),
    })),
    llaves: passkeys.map((row) => ({
      id: row.id,
      credential_id: row.credential_id,
      nombre: row.name,
      dispositivo: row.device,
      sitio: row.rp_id,
      created_at: toIsoString(row.created_at),
      used_at: toIsoString(row.used_at),
    })),
    codigos_de_recuperacion: codes.map((row) => ({
      created_at: toIsoString(row.created_at),
      used_at: toIsoString(row.used_at),
    })),
    cambios_de_email: changes.map((row) => ({
      email: row.email,
      anterior: row.previous_email,
      created_at: toIsoString(row.created_at),
      confirmado: toIsoString(row.confirmed_at),
    })),
  }
}

/** The member's security log; by index security_log_user. */
export async function* exportSecurityLog(db: Db, userId: string) {
  const read = (after: { created_at: number; id: string }) =>
    db
      .selectFrom('security_log')
      .select(['id', 'event', 'detail', 'device', 'created_at'])
      .where('user_id', '=', userId)
      .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after.created_at, after.id)))
      .orderBy('created_at')
      .orderBy('id')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
  for await (const rows of readPages(read))
    for (const { event, detail, device, created_at } of rows)
      yield { event, detail, dispositivo: device, created_at: toIsoString(created_at) }
}

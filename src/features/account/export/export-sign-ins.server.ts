import type { Db } from '#db/client.ts'
import { toIsoString } from './export-moderation.server.ts'

/** The member's passkeys, recovery codes and changes of address, without what could sign anybody in. */
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
  return {
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

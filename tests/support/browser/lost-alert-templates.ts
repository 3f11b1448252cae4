import type { Trx as Db } from '#db/client.ts'
import type { MatrixWorld } from '#tests/support/matrix/world.ts'
import type { Template } from './templates.ts'

/** The pages of alerts of lost dogs. */
export async function listLostAlertTemplates(db: Db, { owner }: MatrixWorld): Promise<Record<string, Template>> {
  const { mail_token } = await db
    .selectFrom('lost_alert_settings')
    .select('mail_token')
    .where('user_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  return {
    'perdidos/avisos/baja.astro': [
      { path: '/perdidos/avisos/baja?token=nadie', by: 'visitor', heading: 'Este enlace no vale' },
      {
        path: `/perdidos/avisos/baja?token=${mail_token}`,
        by: 'visitor',
        heading: '¿Sin emails de perros perdidos?',
      },
    ],
  }
}

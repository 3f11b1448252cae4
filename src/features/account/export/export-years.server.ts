import type { Db } from '#db/client.ts'
import { listSecrets } from '#features/secrets/secrets.server.ts'
import { isNameable } from '#features/years/summary.server.ts'
import { toIsoString } from './export-moderation.server.ts'

/** The member's years as they are stored, and whether there is a link to them; there are at most two. */
export async function* exportYears(db: Db, userId: string, now = Date.now()) {
  const years = await db.selectFrom('member_years').selectAll().where('user_id', '=', userId).orderBy('year').execute()
  const secrets = await listSecrets(db, 'year-link', { user_id: userId })
  const links = secrets.map(({ about, created_at }) => ({ year: Number(about), created_at }))
  for (const year of new Set([...years, ...links.toSorted((a, b) => a.year - b.year)].map((row) => row.year))) {
    const stored = years.find((row) => row.year === year)
    const link = links.find((row) => row.year === year)
    const fanId = stored?.fan_id
    yield {
      año: year,
      cifras: stored ? (JSON.parse(stored.figures) as object) : null,
      primer_perro: stored?.first_dog_id ?? null,
      ultimo_perro: stored?.last_dog_id ?? null,
      perro_mas_querido: stored?.liked_dog_id ?? null,
      quien_mas_likes: fanId && (await isNameable(db, userId, fanId, now)) ? fanId : null,
      calculado: toIsoString(stored?.computed_at ?? null),
      enlace_creado: toIsoString(link?.created_at ?? null),
    }
  }
}

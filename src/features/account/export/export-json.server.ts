import type { Db } from '#db/client.ts'
import { selectNotificationViews, toNotificationView } from '#features/live/notification-view.server.ts'
import { hiddenPhotoUrl } from '#features/photos/photos.ts'
import {
  exportBan,
  exportBlocks,
  exportDecisions,
  exportHidden,
  exportReports,
  toIsoString,
} from './export-moderation.server.ts'
import { exportFollows } from './export-follows.server.ts'
import { exportBadges, exportChallenges } from './export-badges.server.ts'
import { exportLostDogs } from './export-lost.server.ts'
import { exportOpinions } from './export-opinions.server.ts'
import { exportMessageMails, exportMessages, exportReportedMessages } from './export-messages.server.ts'
import { exportRiddles } from './export-riddles.server.ts'
import { LOST_AND_FOUND_LISTS } from './export-found.server.ts'
import { exportYears } from './export-years.server.ts'
import { exportSecurityLog, exportSignIns } from './export-sign-ins.server.ts'
import { fieldsOf } from '#features/dogs/dog.server.ts'
import { readProposed } from '#features/dogs/proposed-texts.server.ts'
import { readMemberDogs, toArchivePath } from './member-dogs.server.ts'
import { EXPORT_PAGE_SIZE, readPages } from './export-pages.server.ts'
import { findAlbumLink } from '#features/profiles/album-link/album-link.server.ts'
import { toPreferencesJson } from '#features/account/notification-preferences.ts'
import { readNotificationPreferences } from '#features/account/notification-preferences.server.ts'

// A member's data as chunks of one JSON text, read in short pages: neither the text nor a table is in memory as a whole, and no
// query stays open while a slow client reads.

async function* exportDogs(db: Db, userId: string) {
  for await (const { dog, images, hidden } of readMemberDogs(db, userId))
    yield {
      id: dog.id,
      ...fieldsOf(dog),
      marco: dog.frame ?? null,
      relacion: {
        lo_registraste: dog.user_id === userId,
        dueño: dog.owner_id === userId,
        descubridor: dog.discoverer_id === userId,
      },
      ...(hidden && { oculto: true }),
      textos_en_revision: await readProposed(db, dog.id),
      likes_recibidos: dog.votes,
      created_at: toIsoString(dog.created_at),
      updated_at: toIsoString(dog.updated_at),
      pagina: `/${dog.path_breed}/${dog.path_slug}`,
      images: images.map((image) => ({
        url: image.hidden ? hiddenPhotoUrl(image.url) : image.url,
        order: image.order,
        alt: image.alt,
        ...(image.hidden && { oculta: true }),
        archivo: toArchivePath(dog, image),
      })),
    }
}

/** The name of a hidden dog is for its people alone. */
const toDogName = ({ name, hidden }: { name: string | null; hidden: number | null }) =>
  hidden ? { perro: null, perro_oculto: true } : { perro: name }

/** Likes, with the dog's name beside its id. */
async function* exportLikes(db: Db, userId: string) {
  const read = (after: { created_at: number; id: string }) =>
    db
      .selectFrom('dog_likes_all as l')
      .leftJoin('dogs_all as d', 'd.id', 'l.dog_id')
      .select(['l.id', 'l.dog_id', 'd.name', 'd.hidden', 'l.created_at'])
      .where('l.user_id', '=', userId)
      .where((eb) => eb(eb.refTuple('l.created_at', 'l.id'), '>', eb.tuple(after.created_at, after.id)))
      .orderBy('l.created_at')
      .orderBy('l.id')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
  for await (const rows of readPages(read))
    for (const { dog_id, created_at, ...dog } of rows)
      yield { dog_id, ...toDogName(dog), created_at: toIsoString(created_at) }
}

async function* exportComments(db: Db, userId: string) {
  const read = (after: { created_at: number; id: string }) =>
    db
      .selectFrom('comments_all as c')
      .leftJoin('dogs_all as d', 'd.id', 'c.dog_id')
      .select(['c.id', 'c.dog_id', 'd.name', 'd.hidden', 'c.content', 'c.created_at'])
      .where('c.user_id', '=', userId)
      // What is hidden by itself is among what is in review.
      .where('c.hidden', '=', 0)
      .where((eb) => eb(eb.refTuple('c.created_at', 'c.id'), '>', eb.tuple(after.created_at, after.id)))
      .orderBy('c.created_at')
      .orderBy('c.id')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
  for await (const rows of readPages(read))
    for (const { id, dog_id, content, created_at, ...dog } of rows)
      yield { id, dog_id, ...toDogName(dog), content, created_at: toIsoString(created_at) }
}

async function* exportNotifications(db: Db, userId: string) {
  const read = (after: { created_at: number; id: string }) =>
    selectNotificationViews(db)
      .where('n.user_id', '=', userId)
      .where((eb) => eb(eb.refTuple('n.created_at', 'n.id'), '>', eb.tuple(after.created_at, after.id)))
      .orderBy('n.created_at')
      .orderBy('n.id')
      .limit(EXPORT_PAGE_SIZE)
      .execute()
  for await (const rows of readPages(read))
    for (const { path: _path, ...notification } of rows.map(toNotificationView))
      yield { ...notification, created_at: toIsoString(notification.created_at) }
}

/** The account and its single rows; sessions and devices without their secrets. */
async function exportAccount(db: Db, userId: string, now: number) {
  const account = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  const profile = await db.selectFrom('profiles').selectAll().where('id', '=', userId).executeTakeFirst()
  const providers = await db.selectFrom('oauth_accounts').selectAll().where('user_id', '=', userId).execute()
  const sessions = await db
    .selectFrom('sessions')
    .select(['device', 'created_at', 'expires_at'])
    .where('user_id', '=', userId)
    .execute()
  const devices = await db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  const homeZone = await db.selectFrom('home_zones').selectAll().where('user_id', '=', userId).executeTakeFirst()
  const knownDevices = await db
    .selectFrom('sign_in_devices')
    .select('used_at')
    .where('user_id', '=', userId)
    .orderBy('used_at')
    .execute()
  const firstDays = await db
    .selectFrom('first_days')
    .select(['step', 'closed_at'])
    .where('user_id', '=', userId)
    .orderBy('step')
    .execute()
  const signIns = await exportSignIns(db, userId)
  const albumLink = await findAlbumLink(db, userId)
  const requests = await db
    .selectFrom('ownership_requests')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return {
    generado: toIsoString(now),
    cuenta: { id: account.id, email: account.email, created_at: toIsoString(account.created_at) },
    perfil: profile && {
      alias: profile.alias,
      emoji: profile.emoji,
      verified: profile.verified === 1,
      created_at: toIsoString(profile.created_at),
      perros: profile.dogs_count,
      razas: profile.breeds_count,
      likes_dados: profile.likes_count,
    },
    proveedores: providers.map((row) => ({
      provider: row.provider,
      provider_user_id: row.provider_user_id,
      created_at: toIsoString(row.created_at),
    })),
    primeros_pasos: firstDays.map((row) => ({ paso: row.step, created_at: toIsoString(row.closed_at) })),
    ...signIns,
    enlace_de_lo_que_falta: albumLink && { created_at: toIsoString(albumLink.created_at) },
    es_mi_perro: requests.map((row) => ({
      dog_id: row.dog_id,
      created_at: toIsoString(row.created_at),
      rechazada: toIsoString(row.declined_at),
    })),
    avisos: toPreferencesJson(await readNotificationPreferences(db, userId)),
    mi_zona: homeZone && {
      zona: homeZone.zone,
      provincia: homeZone.province,
      // 0: en toda la provincia.
      avisos_km: homeZone.alert_km,
      ultimo_aviso: homeZone.alerted_day || null,
      resumen_semanal: homeZone.in_digest === 1,
      created_at: toIsoString(homeZone.created_at),
    },
    ...(await exportLostDogs(db, userId)),
    dispositivos: devices.map((row) => ({
      servicio: new URL(row.endpoint).host,
      created_at: toIsoString(row.created_at),
    })),
    aparatos_conocidos: knownDevices.map((row) => ({ used_at: toIsoString(row.used_at) })),
    sesiones: sessions.map((row) => ({
      dispositivo: row.device,
      created_at: toIsoString(row.created_at),
      expires_at: toIsoString(row.expires_at * 1000),
    })),
  }
}

/** The text of datos.json, in chunks. */
export async function* exportJson(db: Db, userId: string, now = Date.now()): AsyncGenerator<string> {
  const head = JSON.stringify(await exportAccount(db, userId, now), null, 2)
  yield head.slice(0, head.lastIndexOf('\n}'))
  yield* writeLists(db, userId, '  ', {
    perros: exportDogs,
    likes: exportLikes,
    comentarios: exportComments,
    notificaciones: exportNotifications,
    siguiendo: exportFollows,
    opiniones_de_raza: exportOpinions,
    mensajes: exportMessages,
    avisos_de_mensajes: exportMessageMails,
    retos: exportRiddles,
    insignias: exportBadges,
    retos_de_la_semana: exportChallenges,
    años: exportYears,
    ...LOST_AND_FOUND_LISTS,
    registro_de_seguridad: exportSecurityLog,
  })
  yield `,\n  "moderacion": {\n    "veto": ${JSON.stringify(await exportBan(db, userId, now))}`
  yield* writeLists(db, userId, '    ', {
    denuncias: exportReports,
    mensajes_denunciados: exportReportedMessages,
    decisiones: exportDecisions,
    bloqueos: exportBlocks,
    ocultos: exportHidden,
  })
  yield '\n  }\n}\n'
}

/** Further members of a JSON object, each a list of the entries that its generator yields. */
async function* writeLists(
  db: Db,
  userId: string,
  indent: string,
  lists: Record<string, (db: Db, userId: string) => AsyncGenerator<object>>,
): AsyncGenerator<string> {
  for (const [name, entries] of Object.entries(lists)) {
    yield `,\n${indent}"${name}": [`
    let separator = ''
    for await (const entry of entries(db, userId)) {
      yield `${separator}\n${indent}  ${JSON.stringify(entry)}`
      separator = ','
    }
    yield separator ? `\n${indent}]` : ']'
  }
}

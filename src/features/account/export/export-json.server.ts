import type { Db } from '#db/client.ts'
import { selectNotificationViews, toNotificationView } from '#features/live/notification-view.server.ts'
import { hiddenPhotoUrl } from '#features/photos/photos.ts'
import { exportBan, exportDecisions, exportHidden, toIsoString } from './export-moderation.server.ts'
import { exportLostDogs } from './export-lost.server.ts'
import { exportOpinions } from './export-opinions.server.ts'
import { exportMessageMails, exportMessages, exportReportedMessages } from './export-messages.server.ts'
import { exportFoundNotices } from './export-found.server.ts'
import { exportShort, listsOf } from './export-rows.server.ts'
import { exportSightings } from './export-sightings.server.ts'
import { exportYears } from './export-years.server.ts'
import { fieldsOf } from '#features/dogs/dog.server.ts'
import { readProposed } from '#features/dogs/proposed-texts.server.ts'
import { readMemberDogs, toArchivePath } from './member-dogs.server.ts'
import { EXPORT_PAGE_SIZE, readPages } from './export-pages.server.ts'
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

/** What is short, without what could sign anybody in. */
const exportHead = async (db: Db, userId: string, now: number) => ({
  generado: toIsoString(now),
  enlace_de_lo_que_falta: null,
  ...(await exportShort(db, userId)),
  avisos: toPreferencesJson(await readNotificationPreferences(db, userId)),
  ...(await exportLostDogs(db, userId)),
})

/** The text of datos.json, in chunks. */
export async function* exportJson(db: Db, userId: string, now = Date.now()): AsyncGenerator<string> {
  const head = JSON.stringify(await exportHead(db, userId, now), null, 2)
  yield head.slice(0, head.lastIndexOf('\n}'))
  yield* writeLists(db, userId, '  ', {
    perros: exportDogs,
    likes: exportLikes,
    comentarios: exportComments,
    notificaciones: exportNotifications,
    opiniones_de_raza: exportOpinions,
    mensajes: exportMessages,
    avisos_de_mensajes: exportMessageMails,
    años: exportYears,
    avistamientos: exportSightings,
    perros_encontrados: exportFoundNotices,
    ...listsOf(''),
  })
  yield `,\n  "moderacion": {\n    "veto": ${JSON.stringify(await exportBan(db, userId, now))}`
  yield* writeLists(db, userId, '    ', {
    mensajes_denunciados: exportReportedMessages,
    decisiones: exportDecisions,
    ...listsOf('moderacion'),
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

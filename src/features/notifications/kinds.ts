import { formatDate, formatDateTime } from '#lib/dates.ts'
import { lostPaths } from '#lib/lost-paths.ts'
import { paths } from '#lib/paths.ts'
import { ALIAS_PLACEHOLDER as ALIAS, DOG_PLACEHOLDER as DOG } from '#lib/text/names.ts'
import { truncateCharacters } from '#lib/text/text.ts'
import { shownZone } from '#lib/text/zone.ts'
import { describeKind, type Kind, kind, type Part } from './kind.ts'
import { likesSentence } from './notifications.ts'

const QUOTE_MAX_CHARS = 80

/** The beginning of a comment, on one line. */
function quote(comment: string): string {
  const text = comment.replace(/\s+/g, ' ')
  const quoted = truncateCharacters(text, QUOTE_MAX_CHARS)
  return quoted === text ? text : `${quoted}…`
}

const inList = new Intl.ListFormat('es')
const listBadges = (names: readonly string[]) => inList.format(names.map((name) => `«${name}»`))

/** Of a case: the question is deleted with it, however it ends. */
const ofCase = ({ caseId }: { caseId: string }) => ({ kind: 'lost', id: caseId }) as const
const toLostForm = ({ dogId }: { dogId: string }) => lostPaths.lostForm(dogId)
const toFoundNotice = ({ noticeId }: { noticeId: string }) => lostPaths.foundNotice(noticeId)

interface Decision {
  /** «tu comentario «Hola»» */
  what: string
  reason: string
  /** The end of a ban, ms; null: it has none. */
  until: number | null
}
const asSentence = ({ reason }: Decision) => (reason && !/[.!?…]$/.test(reason) ? `${reason}.` : reason)
const motive = (data: Decision) => (data.reason ? ` Motivo: ${asSentence(data)}` : '')
const decision = (title: string, content: Part<Decision>) => kind<Decision>({ title, content, link: paths.decisions })

const removedReport = kind({ title: 'Gracias por avisar', content: 'Hemos retirado lo que denunciaste.' })
const keptReport = kind({ title: 'Tu denuncia', content: 'Hemos revisado lo que denunciaste y puede quedarse.' })
/** To the admin, who reads what it is about and decides in the queue. */
const toQueue = (title: string) =>
  kind<{ what: string }>({ title, content: ({ what }) => what, link: paths.adminQueue })

/** Every kind of notification, with whom it is for. */
export const KINDS = {
  // The dog's owner and discoverer: one a dog, whose states are in README.md.
  like: kind<{ likes: number }>({
    type: 'like',
    title: ({ likes }) => (likes > 1 ? 'Nuevos likes' : 'Nuevo like'),
    content: ({ likes }) => likesSentence(ALIAS, likes, DOG),
  }),
  comment: kind<{ comment: { id: string; content: string } }>({
    type: 'comment',
    title: 'Nuevo comentario',
    content: ({ comment }) => `${ALIAS} ha comentado en ${DOG}: «${quote(comment.content)}»`,
    target: ({ comment }) => ({ kind: 'comment', id: comment.id }),
  }),
  // Whose album or account it is. A dog has one breed: repeated edits do not fill the list.
  'new-breed': kind<{ breed: string; breeds: number; total: number }>({
    title: '¡Nueva raza en tu álbum!',
    content: ({ breed, breeds, total }) => `Has descubierto ${breed}: ya tienes ${breeds} de ${total}.`,
    oneBy: 'dog',
  }),
  claimed: kind({ title: 'Perro asociado', content: `Has asociado ${DOG} a tu cuenta.` }),
  // A notification of a hidden dog is not shown: this one names none.
  'claimed-hidden': kind({
    title: 'Perro asociado',
    content: 'Has asociado un perro a tu cuenta. Lo verán los demás cuando lo hayamos revisado.',
  }),
  badge: kind<{ names: readonly string[] }>({
    title: 'Insignia nueva',
    content: ({ names }) =>
      names.length === 1
        ? `Has ganado ${listBadges(names)}.`
        : `Has ganado ${names.length} insignias: ${listBadges(names)}.`,
    isPushed: false,
    oneBy: 'dog',
  }),
  memory: kind({
    title: 'Tal día como hoy',
    content: `Hace un año llegó al álbum ${DOG}.`,
    topic: 'memory',
    isPushed: false,
  }),
  'new-device': kind<{ device: string }>({
    title: 'Dispositivo nuevo',
    content: ({ device }) => `Has entrado desde ${device}. Si no has sido tú, cierra esa sesión.`,
    isUrgent: true,
  }),
  word: kind<{ content: string }>({ title: 'Un mensaje de Perrario', content: ({ content }) => content }),
  // The discoverer, then who asked.
  'ownership-requested': kind({
    title: '¿De quién es este perro?',
    content: `${ALIAS} dice que ${DOG} es suyo. Responde en su página.`,
  }),
  'ownership-confirmed': kind({ title: '¡Es tu perro!', content: `${ALIAS} ha confirmado que ${DOG} es tuyo.` }),
  'ownership-declined': kind({
    title: 'Petición rechazada',
    content: `${ALIAS} no ha confirmado que ${DOG} sea tuyo.`,
  }),
  'ownership-closed': kind({ title: 'Este perro ya tiene dueño', content: `Tu petición sobre ${DOG} se ha cerrado.` }),
  // Who follows, lacks the breed, or asks for opinions.
  follows: kind({
    title: 'Lo que sigues',
    content: 'Hay perros nuevos de lo que sigues.',
    link: paths.following,
    isPushed: false,
  }),
  // It names no place but the member's own: the dog's may change, or be hidden.
  'missing-breed': kind<{ breed: string; /** Null: the province. */ km: number | null }>({
    title: 'Una raza que te falta, cerca',
    content: ({ breed, km }) =>
      km === null
        ? `${breed}: han visto uno en tu provincia.`
        : `${breed}: han visto uno a menos de ${km} km de tu zona.`,
  }),
  // It names no number and nobody: it stays true when opinions are taken back.
  opinions: kind({
    title: 'Opiniones sobre la raza',
    content: `¿Qué raza es ${DOG}? Hay opiniones nuevas.`,
    oneBy: 'dog',
    unread: 'stands',
  }),
  // Members nearby, the lost dog's owner, and who helped. They say no exact place: they may outlive the case.
  'lost-nearby': kind<{ caseId: string; zone: string; since: number; /** «a menos de 5 km» */ distance: string }>({
    title: 'Perro perdido cerca',
    content: ({ zone, distance, since }) =>
      `Se ha perdido ${DOG}${zone === '' ? '' : ` cerca de ${shownZone(zone)}`}, ${distance} de tu zona. Falta desde el ${formatDateTime(since)}. ¿Lo has visto?`,
    topic: 'lost',
    isUrgent: true,
    target: ofCase,
  }),
  sighting: kind<{ dogId: string; sightings: number }>({
    title: ({ sightings }) => (sightings > 1 ? 'Otro avistamiento' : 'Un avistamiento'),
    content: ({ sightings }) =>
      `${DOG}: ${sightings > 1 ? `ya hay ${sightings} avistamientos` : 'alguien cuenta un avistamiento'}. Mira dónde y cuándo.`,
    link: ({ dogId }) => lostPaths.sightings(dogId),
    isUrgent: true,
    oneBy: 'link',
    unread: 'pushed again',
  }),
  'still-lost': kind<{ dogId: string; caseId: string }>({
    title: '¿Sigue perdido?',
    content: `Dinos si ya ha aparecido ${DOG} o si seguimos buscando.`,
    link: toLostForm,
    isUrgent: true,
    target: ofCase,
    oneBy: 'dog',
  }),
  unanswered: kind<{ dogId: string }>({
    title: 'Hemos retirado el aviso',
    content: `Como no nos has respondido, ya no buscamos a ${DOG}. Si sigue perdido, vuelve a abrir el aviso.`,
    link: toLostForm,
    isUrgent: true,
  }),
  home: kind<{ isThanked: boolean }>({
    title: '¡En casa!',
    content: ({ isThanked }) =>
      `${DOG} ya está en casa. ${isThanked ? 'Su familia te da las gracias por ayudar.' : '¡Gracias por avisar!'}`,
  }),
  // The owner of a lost dog, the finder, and again the owner. After the case its owner may not read the notice.
  'found-alike': kind<{ noticeId: string; caseId: string; /** «a menos de 5 km» */ distance: string }>({
    title: '¿Será el tuyo? Han encontrado un perro',
    content: ({ distance }) => `Se parece a ${DOG} y lo han encontrado ${distance} de donde se perdió. Mira la foto.`,
    link: toFoundNotice,
    isUrgent: true,
    target: ofCase,
  }),
  'found-claimed': kind<{ noticeId: string }>({
    title: 'Dicen que es suyo el perro que encontraste',
    content: 'Lee lo que responde y decide si le crees.',
    link: toFoundNotice,
    isUrgent: true,
  }),
  'found-believed': kind<{ noticeId: string }>({
    title: 'Quien encontró al perro cree que es tuyo',
    content: 'Entra y escríbele para quedar.',
    link: toFoundNotice,
    isUrgent: true,
  }),
  // The other side of a conversation. The message's words are not in it.
  message: kind<{ threadId: string; dogId: string | null }>({
    title: 'Mensaje nuevo',
    content: ({ dogId }) => `Te han escrito por ${dogId === null ? 'un perro encontrado' : DOG}.`,
    link: ({ threadId }) => lostPaths.messages(threadId),
    isUrgent: true,
    oneBy: 'link',
  }),
  // Whose text or notice the admin looks at.
  'text-doubted': kind({
    title: 'Revisamos un texto tuyo',
    content: `Lo que has escrito sobre ${DOG} se verá cuando lo hayamos mirado. Mientras, sigue lo de antes, y puedes cambiarlo.`,
  }),
  'text-dropped': kind<{ reason: string }>({
    title: 'No publicamos un texto tuyo',
    content: ({ reason }) =>
      `Sigue lo que ya se veía. Puedes escribirlo de otra manera.${reason && ` Motivo: ${reason}`}`,
  }),
  'notice-deleted': kind<{ what: string }>({
    title: 'Hemos eliminado algo tuyo',
    content: ({ what }) => `Hemos eliminado ${what}: alguien lo denunció por falso, por pedir dinero o por ofender.`,
    link: paths.foundForm,
  }),
  // Whom a decision concerns, by its name.
  'decision-hide': decision(
    'Hemos ocultado algo tuyo',
    (data) => `Ya no se ve ${data.what}.${motive(data)} Puedes responder.`,
  ),
  'decision-auto-hide': decision(
    'Hemos ocultado algo tuyo',
    ({ what }) => `Varias personas han denunciado ${what}. No se ve mientras lo revisamos. Puedes responder.`,
  ),
  'decision-delete': decision(
    'Hemos eliminado algo tuyo',
    (data) => `Hemos eliminado ${data.what}.${motive(data)} Puedes responder.`,
  ),
  'decision-restore': decision('Ya se ve', (data) => `Ya se ve ${data.what}.${data.reason && ` ${asSentence(data)}`}`),
  'decision-warn': decision(
    'Un aviso de Perrario',
    (data) => `Sobre ${data.what}: ${asSentence(data)} Puedes responder.`,
  ),
  'decision-ban': decision(
    'No puedes publicar',
    (data) =>
      `Tu cuenta ${data.until === null ? 'ya no puede publicar' : `no puede publicar hasta el ${formatDate(data.until)}`}.${motive(data)} Puedes responder.`,
  ),
  'decision-unban': decision('Puedes volver a publicar', 'Tu cuenta ya puede publicar de nuevo.'),
  // Who reported it, by the decision.
  'report-hide': removedReport,
  'report-delete': removedReport,
  'report-dismiss': keptReport,
  'report-restore': keptReport,
  'report-gone': kind({ title: 'Tu denuncia', content: 'Lo que denunciaste ya no está.' }),
  'auto-hidden': toQueue('Ocultado por varias denuncias'),
  appeal: toQueue('Respuesta a una decisión'),
  // The admin: what waits on one page, of which nothing is quoted.
  review: kind<{ title: string; content: string }>({
    title: ({ title }) => title,
    content: ({ content }) => content,
    oneBy: 'link',
    unread: 'rewritten',
  }),
}

export type KindName = keyof typeof KINDS
/** What a kind's functions need. */
export type DataOf<Name extends KindName> = (typeof KINDS)[Name] extends Kind<infer Data> ? Data : never

/** A notification of this kind as it is stored, and how it rings. */
export const describe = <Name extends KindName>(name: Name, data: DataOf<Name>) =>
  describeKind(KINDS[name] as Kind<DataOf<Name>>, data)

/** The title of a kind that has one for all. */
export const titleOf = (name: KindName): string => KINDS[name].title as string

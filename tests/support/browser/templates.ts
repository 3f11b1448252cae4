import { listBreedTemplates } from './breed-templates.ts'
import { listSightingTemplates } from './sighting-templates.ts'
import type { Trx as Db } from '#db/client.ts'
import { albumLinkPaths } from '#features/profiles/album-link/album-link-paths.ts'
import { ALBUM_LINK, createMemberLink } from '#features/profiles/member-links.server.ts'
import { issueSecret } from '#features/secrets/secrets.server.ts'
import { refreshCommunityYear } from '#features/years/community-year.server.ts'
import { madridYear, yearLink, yearRange } from '#features/years/years.ts'
import { dog, seed } from '#tests/support/seed.ts'
import type { MatrixWorld } from '#tests/support/matrix/world.ts'
import type { Role } from '#tests/support/matrix/roles.ts'
import { seedLostStates } from './lost-states.ts'
import { listLostDogTemplates, listLostTemplates } from './lost-templates.ts'
import { listOpinionTemplates } from './opinion-templates.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'

export interface TemplateState {
  /** Its address. */
  path: string
  by: Role
  /** The first heading, so that it is really this page that is looked at. */
  heading: string
  /** What its scripts show once they have loaded it. */
  readySelector?: string
}

export type Template = readonly TemplateState[]

/** The map over Madrid, whose strip has cards. */
export const MADRID_MAP = '/?view=map&lat=40.4168&lon=-3.7038&zoom=12'
export const STRIP_CARD = '.strip .swiper-initialized .strip-card'

/** What is seen while the database has no dogs: the page that says so, and those that say it themselves. */
export const FAILURE_STATES: readonly TemplateState[] = [
  { path: '/razas/beagle?x=1', by: 'visitor', heading: '500' },
  { path: '/perros?breed=beagle', by: 'visitor', heading: 'Perros' },
]

/** The address of a mail's link that ends the owner's mails. */
const createUnsubscribeLink = async (db: Db, kind: 'digest-mails' | 'lost-mails', { owner }: MatrixWorld) =>
  `/baja?token=${await issueSecret(db, kind, { user_id: owner.id }, Date.now())}`

export const all = (by: Role, looks: Record<string, string>): TemplateState[] =>
  Object.entries(looks).map(([path, heading]) => ({ path, by, heading }))

/** Those of dogs: one, several, and the map. */
const listDogTemplates = (w: MatrixWorld, lost: Record<'dog' | 'poster', Template>): Record<string, Template> => ({
  '[breed]/[dog].astro': [
    ...all('visitor', { [w.dog.path]: w.dog.name, '/beagle/no-existe': 'Perro no encontrado' }),
    // With likes and comments, and what its discoverer is asked.
    ...all('owner', { [w.loved.path]: w.loved.name, [w.found.path]: w.found.name, [w.held.path]: w.held.name }),
    ...all('owner', { [w.dog.path]: w.dog.name }),
    ...lost.dog,
  ],
  'perro/[...id].astro': all('visitor', {
    [`/perro/${w.dog.id}`]: w.dog.name,
    [`/perro/${UNKNOWN_ID}`]: 'Perro no encontrado',
  }),
  'perro/[id]/cartel.astro': [
    ...all('visitor', {
      [`/perro/${w.dog.id}/cartel`]: `Cartel de ${w.dog.name}`,
      [`/perro/${UNKNOWN_ID}/cartel`]: 'Perro no encontrado',
    }),
    ...lost.poster,
  ],
  'perro/[id]/opiniones.astro': listOpinionTemplates(w),
  'perro/[id]/eliminar.astro': [
    ...all('owner', {
      [`/perro/${w.dog.id}/eliminar`]: `¿Eliminar a ${w.dog.name}?`,
      [`/perro/${w.held.id}/eliminar`]: `¿Eliminar a ${w.held.name}?`,
      [`/perro/${w.loved.id}/eliminar`]: 'Este perro no es tuyo',
      [`/perro/${UNKNOWN_ID}/eliminar`]: 'Perro no encontrado',
    }),
  ],
  'perros/index.astro': all('visitor', { '/perros?breed=akbash': 'Perros' }),
  'perros/mapa.astro': [
    ...all('visitor', { '/perros?view=map': 'Perros en el mapa' }),
    { path: MADRID_MAP, by: 'visitor', heading: 'Perros en el mapa', readySelector: STRIP_CARD },
    { path: MADRID_MAP, by: 'owner', heading: 'Perros en el mapa', readySelector: STRIP_CARD },
  ],
})

const FOLLOW_TEMPLATES: Record<string, Template> = {
  'perros/siguiendo.astro': [
    ...all('visitor', { '/?tab=following': 'Siguiendo' }),
    ...all('owner', { '/?tab=following': 'Siguiendo' }),
  ],
  'perfil/siguiendo.astro': all('owner', {
    '/perfil/siguiendo': 'Lo que sigues',
    '/perfil/siguiendo?ver=mutuos': 'Lo que sigues',
    '/perfil/siguiendo?aviso=lleno': 'Lo que sigues',
  }),
}

/** The years: one that is empty, one with everything under its link, and the community's. */
async function listYearTemplates(db: Db, { other }: MatrixWorld): Promise<Record<string, Template>> {
  const year = madridYear(Date.now()) - 1
  const created_at = yearRange(year).from + 1
  await seed(db, dog({ owner_id: other.id, created_at, name: 'Fin de año', zone: 'Soria' }))
  const token = await createMemberLink(db, other, yearLink(year), Date.now())
  await refreshCommunityYear(db, yearRange(year + 1).from)
  return {
    'perfil/[year]/index.astro': [
      ...all('owner', { [`/perfil/${year}`]: `Tu ${year} en perros` }),
      ...all('visitor', {
        [`/perfil/${year}?clave=${token}`]: `El ${year} en perros de ${other.alias}`,
        '/perfil/2021': 'Aquí no hay año que ver',
      }),
    ],
    'comunidad/[year].astro': all('visitor', {
      [`/comunidad/${year}`]: `El ${year} de la comunidad`,
      '/comunidad/2021': 'Aquí no hay año que ver',
    }),
  }
}

const COMMUNITY_TEMPLATES: Record<string, Template> = {
  'insignias.astro': [...all('visitor', { '/insignias': 'Insignias' }), ...all('owner', { '/insignias': 'Insignias' })],
  'reto/index.astro': all('visitor', { '/reto': 'El reto del día' }),
  'reto/[fecha]/index.astro': all('visitor', {
    '/reto/2026-11-02': 'Reto del 2 de noviembre de 2026',
    '/reto/2026-11-02?aviso=raza': 'Reto del 2 de noviembre de 2026',
    '/reto/2020-01-01': 'Aquí no hay reto',
    '/reto/2026-11-02?resultado=3': 'Reto del 2 de noviembre de 2026',
  }),
  'reto/ronda/index.astro': all('visitor', { '/reto/ronda': 'Cromo o raza' }),
  'reto/ronda/[ronda]/index.astro': all('visitor', { '/reto/ronda/f': 'Aquí no hay ronda' }),
}

/** The pages of a link to what an album lacks. */
const listLinkTemplates = async (db: Db, w: MatrixWorld): Promise<Record<string, Template>> => ({
  'perfil/enlace.astro': all('owner', { '/perfil/enlace': 'Mira lo que me falta' }),
  'me-falta.astro': [
    ...all('visitor', {
      [albumLinkPaths.missing(await createMemberLink(db, w.owner, ALBUM_LINK))]: `🐶 A ${w.owner.alias} le faltan …`,
      '/me-falta?enlace=nadie': 'Este enlace no existe o ya no funciona',
    }),
  ],
})

/** A member's own pages. */
const listOwnTemplates = (w: MatrixWorld): Record<string, Template> => ({
  'perfil/index.astro': [
    ...all('visitor', { '/perfil': 'Únete' }),
    ...all('owner', {
      '/perfil': w.owner.alias,
      '/perfil?tab=razas': w.owner.alias,
      '/perfil?editar': w.owner.alias,
    }),
  ],
  'perfil/cuenta.astro': all('blocker', { '/perfil/cuenta': 'Cuenta y datos' }),
  'perfil/seguridad.astro': [
    ...all('owner', { '/perfil/seguridad': 'Seguridad' }),
    ...all('holder', { '/perfil/seguridad': 'Seguridad' }),
  ],
  'perfil/avisos.astro': [
    ...all('owner', {
      '/perfil/avisos': 'Avisos',
      '/perfil/avisos?hecho=guardada': 'Avisos',
      '/perfil/avisos?error=lugar': 'Avisos',
    }),
    ...all('member', { '/perfil/avisos': 'Avisos' }),
  ],
})

/**
 * Every template of src/pages by its file, in all of its states: whole, empty, refused, not there.
 */
export async function listTemplates(db: Db, w: MatrixWorld): Promise<Record<string, Template>> {
  const lost = await seedLostStates(db, w)
  return {
    ...listDogTemplates(w, listLostDogTemplates(lost)),
    '404.astro': [...all('visitor', { '/no/hay/nada': '404' }), ...all('owner', { '/no/hay/nada': '404' })],
    'api/docs.astro': all('visitor', { '/api/docs': 'Datos abiertos y API' }),
    'admin.astro': all('admin', {
      '/admin': 'Administración',
      '/admin?tab=perros': 'Administración',
      '/admin?tab=denuncias': 'Administración',
      '/admin?tab=denuncias&clase=encontrado': 'Administración',
      '/admin?tab=registro': 'Administración',
      '/admin?tab=acciones': 'Administración',
      '/admin?q=zzzz': 'Administración',
    }),
    ...listSightingTemplates(w, lost, all),
    'baja.astro': all('visitor', {
      '/baja?token=nadie': 'Este enlace no vale',
      [await createUnsubscribeLink(db, 'digest-mails', w)]: '¿Sin resumen semanal?',
      [await createUnsubscribeLink(db, 'lost-mails', w)]: '¿Sin emails de perros perdidos?',
    }),
    'buscar.astro': all('visitor', {
      '/buscar': 'Buscar',
      [`/buscar?q=${w.mark}`]: 'Buscar',
      [`/buscar?q=${w.mark}&tipo=perros`]: 'Buscar',
      '/buscar?q=zzzzzz': 'Buscar',
      [`/buscar?q=${'a'.repeat(101)}`]: 'Buscar',
    }),
    'comunidad.astro': [
      ...all('visitor', { '/comunidad': 'Comunidad' }),
      ...all('owner', { '/comunidad': 'Comunidad' }),
    ],
    ...FOLLOW_TEMPLATES,
    ...COMMUNITY_TEMPLATES,
    ...(await listLostTemplates(db, w, lost)),
    ...(await listYearTemplates(db, w)),
    'denunciar.astro': [
      ...all('member', {
        [`/denunciar?tipo=perro&id=${w.dog.id}`]: `Denunciar ${w.dog.name}`,
        [`/denunciar?tipo=perro&id=${w.dog.id}&error=422`]: `Denunciar ${w.dog.name}`,
        [`/denunciar?tipo=perro&id=${w.dog.id}&hecho=si`]: `Denunciar ${w.dog.name}`,
        '/denunciar': 'Lo que quieres denunciar ya no está.',
      }),
      ...all('visitor', { [`/denunciar?tipo=perro&id=${w.dog.id}`]: `Denunciar ${w.dog.name}` }),
    ],
    'index.astro': [...all('visitor', { '/': 'Perros' }), ...all('owner', { '/': 'Perros' })],
    'login/codigo.astro': all('visitor', { '/login/codigo': 'Revisa tu email' }),
    'login/enlace.astro': all('visitor', { '/login/enlace?token=nadie': 'Este enlace no es válido' }),
    'deshacer.astro': all('visitor', {
      '/deshacer?token=nadie': 'Este enlace no es válido',
      '/deshacer?hecho=si': 'Deshecho',
    }),
    'no-he-sido-yo.astro': all('visitor', {
      '/no-he-sido-yo?token=nadie': 'Este enlace no es válido',
      '/no-he-sido-yo?hecho=si': 'Sesión cerrada',
    }),
    'recuperar.astro': all('visitor', {
      '/recuperar?token=nadie': 'Este enlace no es válido',
      '/recuperar?hecho=pedido': 'Tu cuenta se borrará en 7 días',
      '/recuperar?hecho=si': 'Tu cuenta ha vuelto',
    }),
    'login/recuperar.astro': all('visitor', { '/login/recuperar': 'Recupera tu cuenta' }),
    ...(await listLinkTemplates(db, w)),
    ...listOwnTemplates(w),
    'login/index.astro': all('visitor', {
      '/login': 'Entra y sigue tu álbum',
      '/login?error=google': 'Entra y sigue tu álbum',
    }),
    'notificaciones.astro': [
      ...all('owner', { '/notificaciones': 'Notificaciones' }),
      ...all('holder', { '/notificaciones': 'Notificaciones' }),
    ],
    'perros/mias.astro': [
      ...all('visitor', { '/?tab=mine': 'Mi Pokédex de Razas' }),
      ...all('owner', { '/?tab=mine': 'Mi Pokédex de Razas' }),
    ],
    'privacidad.astro': all('visitor', { '/privacidad': 'Política de privacidad' }),
    'privacidad/miembros.astro': all('owner', { '/privacidad': 'Política de privacidad' }),
    'razas/[raza].astro': [
      ...all('visitor', {
        '/razas/beagle': 'Beagle',
        '/razas/akbash': 'Akbash',
        '/razas/akita-inu': 'Akita Inu',
        '/razas/perro-verde': 'Raza no encontrada',
        '/razas/%25': 'Error: Parámetro de raza inválido.',
      }),
      ...all('admin', { '/razas/boxer': 'Bóxer' }),
      ...all('owner', { '/razas/beagle': 'Beagle' }),
    ],
    ...listBreedTemplates(all),
    'sin-conexion.astro': all('visitor', { '/sin-conexion': 'Sin conexión' }),
    'sin-conexion/visto.astro': all('visitor', { '/sin-conexion/visto': '¿Has visto a este perro?' }),
    'terminos.astro': all('visitor', { '/terminos': 'Términos de uso' }),
    'terminos/miembros.astro': all('owner', { '/terminos': 'Términos de uso' }),
    'usuario/[id].astro': [
      ...all('visitor', {
        [`/usuario/${w.owner.id}`]: w.owner.alias,
        [`/usuario/${w.owner.id}?tab=likes`]: w.owner.alias,
        [`/usuario/${w.owner.id}?tab=razas`]: w.owner.alias,
        [`/usuario/${UNKNOWN_ID}`]: 'Usuario no encontrado',
      }),
      ...all('member', {
        [`/usuario/${w.owner.id}?tab=comparar`]: w.owner.alias,
        [`/usuario/${w.owner.id}?tab=comparar&lado=me-falta`]: w.owner.alias,
      }),
      ...all('blocked', { [`/usuario/${w.owner.id}`]: w.owner.alias }),
      ...all('owner', { [`/usuario/${w.owner.id}`]: w.owner.alias }),
    ],
    '500.astro': FAILURE_STATES.slice(0, 1),
  }
}

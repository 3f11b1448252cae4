import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { ADMIN, rolesExcept, statusesFor, BLOCKED_ROLES, everyone, NO_ROLES, OWNER, ROLES, SIGNED_IN } from './roles.ts'
import { madridYear } from '#features/years/years.ts'
import { type Matrix, read, visibleTo } from './rows.ts'
import { HOME_ZONE, LOST_ZONE, type MatrixWorld } from './world.ts'

/** Can be looked back on whatever the day. */
const LAST_YEAR = madridYear(Date.now()) - 1
const email = (w: MatrixWorld) => w.owner.email!
/** Of the owner, and of nobody else who chose one. */
const homeZone = (_w: MatrixWorld) => HOME_ZONE
const lostZone = (_w: MatrixWorld) => LOST_ZONE
const ownerAlias = (w: MatrixWorld) => w.owner.alias
const heldName = (w: MatrixWorld) => w.held.name
const word = (what: string) => (w: MatrixWorld) => `${what} ${w.mark}`

const toLogin = statusesFor(302, 200)

const ownPages: Matrix = {
  'GET /perfil': read(everyone(200), '/perfil', visibleTo(email, OWNER), visibleTo(heldName, OWNER)),
  'GET /perfil/cuenta': read(
    toLogin,
    '/perfil/cuenta',
    visibleTo(email, OWNER),
    visibleTo((w) => w.passkey, OWNER),
  ),
  'GET /perfil/[year]': read(
    toLogin,
    `/perfil/${LAST_YEAR}`,
    visibleTo(ownerAlias, OWNER),
    visibleTo(heldName, NO_ROLES),
  ),
  // A key that nobody was given (tests/api/years).
  'GET /perfil/[year] · with a key': read(everyone(404), `/perfil/${LAST_YEAR}?clave=${'x'.repeat(43)}`),
  // Nobody here has a dog of that year.
  'GET /perfil/[year]/[tarjeta].jpg': read(everyone(404), `/perfil/${LAST_YEAR}/portada.jpg`),
  'GET /perfil/seguridad': read(
    toLogin,
    '/perfil/seguridad',
    visibleTo((w) => `Llave ${w.mark}`, OWNER),
    visibleTo(word('Motivo'), OWNER),
  ),
  'GET /perfil/avisos': read(toLogin, '/perfil/avisos', visibleTo(homeZone, OWNER), visibleTo(lostZone, OWNER)),
  'GET /perfil/siguiendo': read(toLogin, '/perfil/siguiendo', visibleTo(email, OWNER)),
  'GET /notificaciones': read(toLogin, '/notificaciones', visibleTo(word('Aviso'), OWNER)),
  'GET / · tab=mine': read(everyone(200), '/?tab=mine', visibleTo(heldName, NO_ROLES), visibleTo(homeZone, OWNER)),
  'GET /perros/mias': read(everyone(302), '/perros/mias'),
  'GET / · tab=following': read(everyone(200), '/?tab=following', visibleTo(heldName, NO_ROLES)),
  'GET /perros/siguiendo': read(everyone(302), '/perros/siguiendo'),
  'GET /razas · modo=mias': read(everyone(200), '/razas?modo=mias', visibleTo(heldName, NO_ROLES)),
  'GET /razas/imprimir · modo=mias': read(everyone(200), '/razas/imprimir?modo=mias', visibleTo(heldName, NO_ROLES)),
  'GET /login': read(statusesFor(200, 302), '/login'),
  'GET /login/codigo': read(statusesFor(200, 302), '/login/codigo'),
  'GET /login/enlace': read(everyone(404), '/login/enlace?token=x'),
  'GET /login/recuperar': read(statusesFor(200, 302), '/login/recuperar'),
  // The owner's alone; others are led to the dog.
  'GET /perdidos/[dogId]': read(
    statusesFor(302, 302, { owner: 200, bannedOwner: 200 }),
    (w) => `/perdidos/${w.dog.id}`,
  ),
  'GET /perdidos/[dogId] · out of sight': read(statusesFor(302, 404), (w) => `/perdidos/${w.held.id}`),
  'GET /p/[code]': read(everyone(404), '/p/k3x9wz'),
  'GET /perfil/enlace': read(toLogin, '/perfil/enlace'),
  'GET /me-falta': read(everyone(404), '/me-falta?enlace=x'),
  'GET /deshacer': read(everyone(404), '/deshacer?token=x'),
  'GET /no-he-sido-yo': read(everyone(404), '/no-he-sido-yo?token=x'),
  'GET /recuperar': read(everyone(404), '/recuperar?token=x'),
  'GET /baja': read(everyone(404), '/baja?token=x'),
  'GET /compartir': read(everyone(302), '/compartir'),
}

const adminPages: Matrix = {
  // For everyone else there is no such page.
  'GET /admin': read(
    everyone(404, { admin: 200 }),
    (w) => `/admin?q=Ana%20${w.mark}`,
    // The frame shows everyone their own.
    visibleTo(email, [...ADMIN, ...OWNER]),
  ),
  // No dog here is lost.
  'GET /perdidos/[dogId]/visto': read(everyone(200), (w) => `/perdidos/${w.dog.id}/visto`),
  'GET /perdidos/[dogId]/visto · out of sight': read(everyone(404), (w) => `/perdidos/${w.held.id}/visto`),
  'GET /perdidos/[dogId]/avistamientos': read(
    statusesFor(303, 403, { owner: 404, bannedOwner: 404 }),
    (w) => `/perdidos/${w.dog.id}/avistamientos`,
  ),
  'GET /mensajes': read(everyone(200), '/mensajes', visibleTo(email, OWNER)),
  'GET /mensajes/confirmar': read(everyone(404), '/mensajes/confirmar?token=x', visibleTo(email, OWNER)),
  'GET /admin · messages': read(everyone(404, { admin: 200 }), '/admin?tab=denuncias&clase=mensaje'),
  'GET /mensajes/[threadId]': read(everyone(404), `/mensajes/${UNKNOWN_ID}`),
  'GET /encontrados': read(everyone(200), '/encontrados', visibleTo(email, OWNER)),
  'GET /encontrados/[id]': read(everyone(404), `/encontrados/${UNKNOWN_ID}`),
  'GET /admin · tab=perros': read(
    everyone(404, { admin: 200 }),
    (w) => `/admin?tab=perros&q=Toby%20${w.mark}`,
    visibleTo((w) => w.dog.name, ADMIN),
  ),
  'GET /admin · tab=denuncias': read(everyone(404, { admin: 200 }), '/admin?tab=denuncias', visibleTo(heldName, ADMIN)),
  'GET /admin · tab=registro': read(
    everyone(404, { admin: 200 }),
    '/admin?tab=registro',
    visibleTo(word('Motivo'), ADMIN),
  ),
  'GET /admin · tab=acciones': read(
    everyone(404, { admin: 200 }),
    '/admin?tab=acciones&accion=warn',
    visibleTo(word('Motivo'), ADMIN),
  ),
  // The form of its edit is the admin's.
  'GET /razas/[raza]': read(
    everyone(200),
    '/razas/beagle',
    visibleTo(() => 'id="editar"', ADMIN),
    visibleTo(heldName, NO_ROLES),
  ),
}

const memberPage = (w: MatrixWorld) => `/usuario/${w.owner.id}`

/** The button that opens the form. */
const editButton = (w: MatrixWorld) => `data-edit-dog="${w.dog.id}"`

const commonPages: Matrix = {
  'GET /': read(everyone(200), '/', visibleTo(heldName, NO_ROLES)),
  'GET /perros': read(everyone(200), '/perros', visibleTo(heldName, NO_ROLES)),
  'GET /perros · view=map': read(everyone(200), '/perros?view=map', visibleTo(heldName, NO_ROLES)),
  'GET /perros/mapa': read(everyone(302), '/perros/mapa'),
  'GET /razas': read(everyone(200), '/razas', visibleTo(heldName, NO_ROLES)),
  'GET /razas/guia': read(everyone(200), '/razas/guia'),
  'GET /razas/que-raza': read(everyone(200), '/razas/que-raza?casa=piso'),
  'GET /razas/comparar': read(everyone(200), '/razas/comparar?a=beagle&b=boxer'),
  'GET /razas/[tipo]/[lista]': read(everyone(200), '/razas/grupo/6'),
  'GET /razas/imprimir': read(everyone(200), '/razas/imprimir', visibleTo(heldName, NO_ROLES)),
  'GET /reto': read(everyone(200), '/reto', visibleTo(email, OWNER)),
  'GET /reto/[fecha]': read(everyone(200), '/reto/2026-11-02', visibleTo(email, OWNER)),
  // An address that nobody was told of.
  'GET /reto/[fecha]/[imagen].png': read(everyone(404), `/reto/2026-11-02/${'x'.repeat(22)}.png`),
  'GET /reto/ronda': read(everyone(200), '/reto/ronda', visibleTo(email, OWNER)),
  // A round that this site has not begun.
  'GET /reto/ronda/[ronda]': read(everyone(404), `/reto/ronda/f${'x'.repeat(28)}`),
  'GET /reto/ronda/[ronda]/[imagen].svg': read(everyone(404), `/reto/ronda/f${'x'.repeat(28)}/1.svg`),
  'GET /comunidad': read(everyone(200), '/comunidad', visibleTo(ownerAlias, rolesExcept(...BLOCKED_ROLES))),
  'GET /perdidos/primeras-24-horas': read(everyone(200), '/perdidos/primeras-24-horas', visibleTo(email, OWNER)),
  'GET /perdidos': read(everyone(200), '/perdidos', visibleTo(heldName, NO_ROLES), visibleTo(email, OWNER)),
  'GET /insignias': read(everyone(200), '/insignias', visibleTo(email, OWNER)),
  // Nobody has counted it.
  'GET /comunidad/[year]': read(everyone(404), `/comunidad/${LAST_YEAR}`, visibleTo(ownerAlias, OWNER)),
  'GET /[breed]/[dog]': read(everyone(200), (w) => w.dog.path, visibleTo(editButton, OWNER), visibleTo(email, OWNER)),
  'GET /[breed]/[dog] · liked and talked of by the owner': read(
    everyone(200),
    (w) => w.loved.path,
    visibleTo(word('Hola'), rolesExcept(...BLOCKED_ROLES)),
    visibleTo((w) => `>${w.owner.alias}</b>`, rolesExcept(...BLOCKED_ROLES)),
  ),
  // Its people, and the admin in the queue.
  'GET /[breed]/[dog] · out of sight': read(
    everyone(410, { owner: 200, bannedOwner: 200 }),
    (w) => w.held.path,
    visibleTo(heldName, OWNER),
  ),
  'GET /perro/[...id]': read(everyone(200), (w) => `/perro/${w.dog.id}`, visibleTo(editButton, OWNER)),
  'GET /perro/[...id] · out of sight': read(everyone(404), (w) => `/perro/${w.held.id}`, visibleTo(heldName, NO_ROLES)),
  'GET /perro/[id]/cartel': read(everyone(200), (w) => `/perro/${w.dog.id}/cartel`, visibleTo(editButton, NO_ROLES)),
  'GET /perro/[id]/cartel · out of sight': read(
    everyone(404),
    (w) => `/perro/${w.held.id}/cartel`,
    visibleTo(heldName, NO_ROLES),
  ),
  'GET /perro/[id]/opiniones': read(
    everyone(200),
    (w) => `/perro/${w.loved.id}/opiniones`,
    visibleTo(word('Morro'), rolesExcept(...BLOCKED_ROLES)),
    visibleTo((w) => `action="/api/dogs/${w.loved.id}/opinions"`, SIGNED_IN),
  ),
  'GET /perro/[id]/opiniones · of one’s own dog': read(
    everyone(200),
    (w) => `/perro/${w.dog.id}/opiniones`,
    visibleTo(
      (w) => `action="/api/dogs/${w.dog.id}/opinions"`,
      SIGNED_IN.filter((role) => !OWNER.includes(role)),
    ),
  ),
  'GET /perro/[id]/opiniones · out of sight': read(
    everyone(404),
    (w) => `/perro/${w.held.id}/opiniones`,
    visibleTo(heldName, NO_ROLES),
  ),
  'GET /perro/[id]/eliminar': read(
    statusesFor(302, 403, { owner: 200, bannedOwner: 200 }),
    (w) => `/perro/${w.dog.id}/eliminar`,
    visibleTo((w) => w.dog.name, OWNER),
    visibleTo((w) => `action="/api/dogs/${w.dog.id}"`, OWNER),
  ),
  'GET /perro/[id]/eliminar · out of sight': read(
    statusesFor(302, 404, { owner: 200, bannedOwner: 200 }),
    (w) => `/perro/${w.held.id}/eliminar`,
    visibleTo(heldName, OWNER),
    visibleTo((w) => `action="/api/dogs/${w.held.id}"`, OWNER),
  ),
  // Of whom they blocked, or who blocked them, nothing but the name.
  'GET /usuario/[id]': read(
    everyone(200),
    (w) => `/usuario/${w.owner.id}`,
    visibleTo(homeZone, NO_ROLES),
    visibleTo((w) => w.dog.name, rolesExcept(...BLOCKED_ROLES)),
    visibleTo(heldName, NO_ROLES),
    visibleTo(email, OWNER),
  ),
  'GET /usuario/[id] · tab=comparar': read(
    statusesFor(302, 200),
    (w) => `/usuario/${w.owner.id}?tab=comparar`,
    visibleTo(
      (w) => `Tu álbum y el de <bdi>${w.owner.alias}</bdi>`,
      SIGNED_IN.filter((role) => !OWNER.includes(role) && !BLOCKED_ROLES.includes(role)),
    ),
    visibleTo(email, OWNER),
  ),
  'GET /denunciar': read(
    everyone(200),
    (w) => `/denunciar?tipo=perro&id=${w.dog.id}`,
    visibleTo(() => 'data-report-form', rolesExcept('visitor', 'expired', ...OWNER)),
  ),
  'GET /denunciar · out of sight': read(
    everyone(404),
    (w) => `/denunciar?tipo=perro&id=${w.held.id}`,
    visibleTo(heldName, NO_ROLES),
  ),
  'GET /api/docs': read(everyone(200), '/api/docs', visibleTo(email, OWNER)),
  // Dogs whoever they belong to; people neither to whom they blocked nor to who blocked them, nor such as may not write.
  'GET /buscar': read(
    everyone(200),
    (w) => `/buscar?q=${w.mark}`,
    visibleTo((w) => w.dog.name, ROLES),
    visibleTo(memberPage, rolesExcept(...BLOCKED_ROLES, 'bannedOwner')),
    visibleTo(heldName, NO_ROLES),
    visibleTo(email, OWNER),
  ),
  'GET /fragments/buscar': read(
    everyone(200),
    (w) => `/fragments/buscar?q=${w.mark}`,
    visibleTo((w) => w.dog.name, ROLES),
    visibleTo(memberPage, rolesExcept(...BLOCKED_ROLES, 'bannedOwner')),
    visibleTo(heldName, NO_ROLES),
    visibleTo(email, NO_ROLES),
  ),
  'GET /fragments/contadores': read(everyone(200), '/fragments/contadores'),
  'GET /fragments/cromo/[id]': read(
    everyone(404, { owner: 200, bannedOwner: 200 }),
    (w) => `/fragments/cromo/${w.dog.id}`,
    visibleTo((w) => w.dog.name, OWNER),
  ),
  'GET /fragments/[...rest]': read(everyone(404), '/fragments/no-existe'),
  'GET /terminos': read(everyone(200), '/terminos', visibleTo(email, OWNER)),
  'GET /terminos/miembros': read(everyone(302), '/terminos/miembros'),
  'GET /privacidad': read(everyone(200), '/privacidad', visibleTo(email, OWNER)),
  'GET /privacidad/miembros': read(everyone(302), '/privacidad/miembros'),
  'GET /sin-conexion': read(everyone(200), '/sin-conexion'),
  'GET /sin-conexion/visto': read(everyone(200), '/sin-conexion/visto'),
  'GET /404': read(everyone(404), '/404'),
  // Where nothing has failed there is no such page.
  'GET /500': read(everyone(404), '/500'),
}

/** What is read as a page. */
export const PAGES: Matrix = { ...ownPages, ...adminPages, ...commonPages }

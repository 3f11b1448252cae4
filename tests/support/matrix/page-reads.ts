import { madridYear } from '#features/years/years.ts'
import {
  ADMIN,
  BLOCKED_ROLES,
  NO_ROLES,
  OTHER_MEMBERS,
  OWNER,
  SIGNED_IN,
  UNBLOCKED,
  everyone,
  rolesExcept,
  statusesFor,
  toOwner,
} from './roles.ts'
import {
  DOG_TO_ALL,
  EMAIL_TO_NOBODY,
  EMAIL_TO_OWNER,
  HELD_TO_NOBODY,
  HELD_TO_OWNER,
  HOME_ZONE_TO_OWNER,
  LOST_ZONE_TO_OWNER,
  dogName,
  heldName,
  homeZone,
  matrix,
  type Matrix,
  ownerAlias,
  ownerEmail,
  read,
  readAt,
  visibleTo,
  word,
} from './rows.ts'
import type { MatrixWorld } from './world.ts'

/** Can be looked back on whatever the day. */
const LAST_YEAR = madridYear(Date.now()) - 1

const toLogin = statusesFor(302, 200)

const ownPages = matrix({
  'GET /perfil': read(everyone(200), EMAIL_TO_OWNER, HELD_TO_OWNER),
  'GET /perfil/cuenta': read(
    toLogin,
    EMAIL_TO_OWNER,
    visibleTo((w) => w.passkey, OWNER),
  ),
  'GET /perfil/[year]': read(toLogin, visibleTo(ownerAlias, OWNER), HELD_TO_NOBODY),
  // A key that nobody was given (tests/api/years).
  'GET /perfil/[year] · with a key': readAt(`/perfil/${LAST_YEAR}?clave=${'x'.repeat(43)}`, everyone(404)),
  // Nobody here has a dog of that year.
  'GET /perfil/[year]/[tarjeta].jpg': read(everyone(404)),
  'GET /perfil/seguridad': read(toLogin, visibleTo(word('Llave'), OWNER), visibleTo(word('Motivo'), OWNER)),
  'GET /perfil/avisos': read(toLogin, HOME_ZONE_TO_OWNER, LOST_ZONE_TO_OWNER),
  'GET /perfil/siguiendo': read(toLogin, EMAIL_TO_OWNER),
  'GET /notificaciones': read(toLogin, visibleTo(word('Aviso'), OWNER)),
  'GET / · tab=mine': readAt('/?tab=mine', everyone(200), HELD_TO_NOBODY, HOME_ZONE_TO_OWNER),
  'GET /perros/mias': read(everyone(302)),
  'GET / · tab=following': readAt('/?tab=following', everyone(200), HELD_TO_NOBODY),
  'GET /perros/siguiendo': read(everyone(302)),
  'GET /razas · modo=mias': readAt('/razas?modo=mias', everyone(200), HELD_TO_NOBODY),
  'GET /razas/imprimir · modo=mias': readAt('/razas/imprimir?modo=mias', everyone(200), HELD_TO_NOBODY),
  'GET /login': read(statusesFor(200, 302)),
  'GET /login/codigo': read(statusesFor(200, 302)),
  'GET /login/enlace': readAt('/login/enlace?token=x', everyone(404)),
  'GET /login/recuperar': read(statusesFor(200, 302)),
  // The owner's alone; others are led to the dog.
  'GET /perdidos/[dogId]': read(statusesFor(302, 302, toOwner(200))),
  'GET /perdidos/[dogId] · out of sight': read(statusesFor(302, 404)),
  'GET /p/[code]': readAt('/p/k3x9wz', everyone(404)),
  'GET /perfil/enlace': read(toLogin),
  'GET /me-falta': readAt('/me-falta?enlace=x', everyone(404)),
  'GET /deshacer': readAt('/deshacer?token=x', everyone(404)),
  'GET /no-he-sido-yo': readAt('/no-he-sido-yo?token=x', everyone(404)),
  'GET /recuperar': readAt('/recuperar?token=x', everyone(404)),
  'GET /baja': readAt('/baja?token=x', everyone(404)),
  'GET /compartir': read(everyone(302)),
})

const adminPages = matrix({
  // For everyone else there is no such page.
  // The frame shows everyone their own.
  'GET /admin': readAt(
    '/admin?q=Ana%20{mark}',
    everyone(404, { admin: 200 }),
    visibleTo(ownerEmail, [...ADMIN, ...OWNER]),
  ),
  // No dog here is lost.
  'GET /perdidos/[dogId]/visto': read(everyone(200)),
  'GET /perdidos/[dogId]/visto · out of sight': read(everyone(404)),
  'GET /perdidos/[dogId]/avistamientos': read(statusesFor(303, 403, toOwner(404))),
  'GET /mensajes': read(everyone(200), EMAIL_TO_OWNER),
  'GET /mensajes/confirmar': readAt('/mensajes/confirmar?token=x', everyone(404), EMAIL_TO_OWNER),
  'GET /admin · messages': readAt('/admin?tab=denuncias&clase=mensaje', everyone(404, { admin: 200 })),
  'GET /mensajes/[threadId]': read(everyone(404)),
  'GET /encontrados': read(everyone(200), EMAIL_TO_OWNER),
  'GET /encontrados/[id]': read(everyone(404)),
  'GET /admin · tab=perros': readAt(
    '/admin?tab=perros&q=Toby%20{mark}',
    everyone(404, { admin: 200 }),
    visibleTo(dogName, ADMIN),
  ),
  'GET /admin · tab=denuncias': readAt(
    '/admin?tab=denuncias',
    everyone(404, { admin: 200 }),
    visibleTo(heldName, ADMIN),
  ),
  'GET /admin · tab=registro': readAt(
    '/admin?tab=registro',
    everyone(404, { admin: 200 }),
    visibleTo(word('Motivo'), ADMIN),
  ),
  'GET /admin · tab=acciones': readAt(
    '/admin?tab=acciones&accion=warn',
    everyone(404, { admin: 200 }),
    visibleTo(word('Motivo'), ADMIN),
  ),
  // The form of its edit is the admin's.
  'GET /razas/[raza]': read(
    everyone(200),
    visibleTo(() => 'id="editar"', ADMIN),
    HELD_TO_NOBODY,
  ),
})

const memberPage = (w: MatrixWorld) => `/usuario/${w.owner.id}`

/** The button that opens the form. */
const editButton = (w: MatrixWorld) => `data-edit-dog="${w.dog.id}"`

const commonPages = matrix({
  'GET /': read(everyone(200), HELD_TO_NOBODY),
  'GET /perros': read(everyone(200), HELD_TO_NOBODY),
  'GET /perros · view=map': readAt('/perros?view=map', everyone(200), HELD_TO_NOBODY),
  'GET /perros/mapa': read(everyone(302)),
  'GET /razas': read(everyone(200), HELD_TO_NOBODY),
  'GET /razas/guia': read(everyone(200)),
  'GET /razas/que-raza': readAt('/razas/que-raza?casa=piso', everyone(200)),
  'GET /razas/comparar': readAt('/razas/comparar?a=beagle&b=boxer', everyone(200)),
  'GET /razas/[tipo]/[lista]': readAt('/razas/grupo/6', everyone(200)),
  'GET /razas/imprimir': read(everyone(200), HELD_TO_NOBODY),
  'GET /reto': read(everyone(200), EMAIL_TO_OWNER),
  'GET /reto/[fecha]': readAt('/reto/2026-11-02', everyone(200), EMAIL_TO_OWNER),
  // An address that nobody was told of.
  'GET /reto/[fecha]/[imagen].png': readAt(`/reto/2026-11-02/${'x'.repeat(22)}.png`, everyone(404)),
  'GET /reto/ronda': read(everyone(200), EMAIL_TO_OWNER),
  // A round that this site has not begun.
  'GET /reto/ronda/[ronda]': read(everyone(404)),
  'GET /reto/ronda/[ronda]/[imagen].svg': read(everyone(404)),
  'GET /comunidad': read(everyone(200), visibleTo(ownerAlias, UNBLOCKED)),
  'GET /perdidos/primeras-24-horas': read(everyone(200), EMAIL_TO_OWNER),
  'GET /perdidos': read(everyone(200), HELD_TO_NOBODY, EMAIL_TO_OWNER),
  'GET /insignias': read(everyone(200), EMAIL_TO_OWNER),
  // Nobody has counted it.
  'GET /comunidad/[year]': read(everyone(404), visibleTo(ownerAlias, OWNER)),
  'GET /[breed]/[dog]': read(everyone(200), visibleTo(editButton, OWNER), EMAIL_TO_OWNER),
  'GET /[breed]/[dog] · liked and talked of by the owner': readAt(
    '{lovedPath}',
    everyone(200),
    visibleTo(word('Hola'), UNBLOCKED),
    visibleTo((w) => `>${w.owner.alias}</b>`, UNBLOCKED),
  ),
  // Its people, and the admin in the queue.
  'GET /[breed]/[dog] · out of sight': read(everyone(410, toOwner(200)), HELD_TO_OWNER),
  'GET /perro/[...id]': read(everyone(200), visibleTo(editButton, OWNER)),
  'GET /perro/[...id] · out of sight': read(everyone(404), HELD_TO_NOBODY),
  'GET /perro/[id]/cartel': read(everyone(200), visibleTo(editButton, NO_ROLES)),
  'GET /perro/[id]/cartel · out of sight': read(everyone(404), HELD_TO_NOBODY),
  'GET /perro/[id]/opiniones': readAt(
    '/perro/{loved}/opiniones',
    everyone(200),
    visibleTo(word('Morro'), UNBLOCKED),
    visibleTo((w) => `action="/api/dogs/${w.loved.id}/opinions"`, SIGNED_IN),
  ),
  'GET /perro/[id]/opiniones · of one’s own dog': read(
    everyone(200),
    visibleTo((w) => `action="/api/dogs/${w.dog.id}/opinions"`, OTHER_MEMBERS),
  ),
  'GET /perro/[id]/opiniones · out of sight': read(everyone(404), HELD_TO_NOBODY),
  'GET /perro/[id]/eliminar': read(
    statusesFor(302, 403, toOwner(200)),
    visibleTo(dogName, OWNER),
    visibleTo((w) => `action="/api/dogs/${w.dog.id}"`, OWNER),
  ),
  'GET /perro/[id]/eliminar · out of sight': read(
    statusesFor(302, 404, toOwner(200)),
    HELD_TO_OWNER,
    visibleTo((w) => `action="/api/dogs/${w.held.id}"`, OWNER),
  ),
  // Of whom they blocked, or who blocked them, nothing but the name.
  'GET /usuario/[id]': read(
    everyone(200),
    visibleTo(homeZone, NO_ROLES),
    visibleTo(dogName, UNBLOCKED),
    HELD_TO_NOBODY,
    EMAIL_TO_OWNER,
  ),
  'GET /usuario/[id] · tab=comparar': readAt(
    '/usuario/{owner}?tab=comparar',
    statusesFor(302, 200),
    visibleTo(
      (w) => `Tu álbum y el de <bdi>${w.owner.alias}</bdi>`,
      SIGNED_IN.filter((role) => !OWNER.includes(role) && !BLOCKED_ROLES.includes(role)),
    ),
    EMAIL_TO_OWNER,
  ),
  'GET /denunciar': readAt(
    '/denunciar?tipo=perro&id={dog}',
    everyone(200),
    visibleTo(() => 'data-report-form', rolesExcept('visitor', 'expired', ...OWNER)),
  ),
  'GET /denunciar · out of sight': readAt('/denunciar?tipo=perro&id={dog}', everyone(404), HELD_TO_NOBODY),
  'GET /api/docs': read(everyone(200), EMAIL_TO_OWNER),
  // Dogs whoever they belong to; people neither to whom they blocked nor to who blocked them, nor such as may not write.
  'GET /buscar': readAt(
    '/buscar?q={mark}',
    everyone(200),
    DOG_TO_ALL,
    visibleTo(memberPage, rolesExcept(...BLOCKED_ROLES, 'bannedOwner')),
    HELD_TO_NOBODY,
    EMAIL_TO_OWNER,
  ),
  'GET /fragments/buscar': readAt(
    '/fragments/buscar?q={mark}',
    everyone(200),
    DOG_TO_ALL,
    visibleTo(memberPage, rolesExcept(...BLOCKED_ROLES, 'bannedOwner')),
    HELD_TO_NOBODY,
    EMAIL_TO_NOBODY,
  ),
  'GET /fragments/contadores': read(everyone(200)),
  'GET /fragments/cromo/[id]': read(everyone(404, toOwner(200)), visibleTo(dogName, OWNER)),
  'GET /fragments/[...rest]': readAt('/fragments/no-existe', everyone(404)),
  'GET /terminos': read(everyone(200), EMAIL_TO_OWNER),
  'GET /terminos/miembros': read(everyone(302)),
  'GET /privacidad': read(everyone(200), EMAIL_TO_OWNER),
  'GET /privacidad/miembros': read(everyone(302)),
  'GET /sin-conexion': read(everyone(200)),
  'GET /sin-conexion/visto': read(everyone(200)),
  'GET /404': read(everyone(404)),
  // Where nothing has failed there is no such page.
  'GET /500': read(everyone(404)),
})

/** What is read as a page. */
export const PAGES: Matrix = { ...ownPages, ...adminPages, ...commonPages }

import { FREE_TEXT_NAMES } from '#features/dogs/write/dog-fields.ts'
import { SWITCH_NAMES } from '#features/notifications/push/settings.ts'
import { LOST_MARKS } from './lost-payloads.ts'
import type { SchemaField } from './schema-fields.ts'

/** What becomes of a field's text: the marks under which tests/browser/security/stored-xss looks for it, or why nobody sees it. */
type FieldUse = { shown: readonly string[] } | { never: string }

const shown = (...marks: string[]): FieldUse => ({ shown: marks })
const never = (why: string): FieldUse => ({ never: why })
const CHOICE = never('one of a few words, or a number: anything else is refused')
const QUERY = never('stored nowhere; it is in the address of a page')
const COMPARED = never('compared with known values, stored nowhere')
const DEVICE = never('of a device: goes to its push service, on no page')

/** The same for several fields of a file; `shown`: each under its own name. */
const each = (
  file: string,
  use: FieldUse | typeof shown,
  ...fields: readonly string[]
): Record<SchemaField, FieldUse> =>
  Object.fromEntries(fields.map((field) => [`${file}: ${field}`, typeof use === 'function' ? use(field) : use]))

/** Every field of every schema. A new one stands here before its test passes, and a shown one is really seen there. */
export const FIELD_USES: Record<SchemaField, FieldUse> = {
  ...each('account/account.ts', CHOICE, 'dogs', 'now'),
  'account/account.ts: alias': COMPARED,
  'account/first-days/first-days.ts: step': CHOICE,
  'account/deletion/deletion-input.ts: token': COMPARED,
  'account/notification-preferences.ts: digest': CHOICE,
  'admin/admin.ts: verified': CHOICE,
  'admin/admin.ts: alias': COMPARED,
  'admin/admin.ts: content': shown('word'),
  ...each('admin/review/review.http.ts', CHOICE, 'kind', 'decision'),
  'auth/email-change/email-change.http.ts: email': shown('email'),
  'auth/dispute/dispute.ts: token': COMPARED,
  'auth/passkeys/passkey-input.ts: for': CHOICE,
  'auth/passkeys/passkey-input.ts: passkey': never('binary values in base64url, which authenticators made: on no page'),
  'auth/passkeys/passkey-input.ts: name': shown('keyname'),
  ...each('auth/recent-auth/recent-auth.http.ts', COMPARED, 'passkey', 'code'),
  'auth/recovery-codes/recovery-codes.ts: code': COMPARED,
  'auth/sign-in/sign-in-input.ts: email': shown('email'),
  ...each('auth/sign-in/sign-in-input.ts', COMPARED, 'code', 'token'),
  ...each(
    'breeds/edit.ts',
    shown,
    'nombre_castellano',
    'nombre_original',
    'temperamento',
    'pelaje',
    'pais_origen',
    'proposito_original',
  ),
  ...each('lost/lost-input.ts', CHOICE, 'since', 'lat', 'lon', 'chip', 'ending', 'thanks'),
  'lost/lost-input.ts: zone': never('the gazetteer’s name is stored; an unknown text is in its owner’s own form alone'),
  'lost/lost-input.ts: help': shown('losthelp'),
  'lost/alerts/lost-alerts.ts: zone': never(
    'the gazetteer’s name is stored; an unknown text is in the address of its member’s form',
  ),
  ...each('lost/alerts/lost-alerts.ts', CHOICE, 'radius_km', 'breaks_quiet', 'by_mail', 'by_push'),
  'contact/messages.http.ts: text': never('its two people alone read it; tests/api/contact looks at its escaping'),
  'contact/messages.http.ts: message': COMPARED,
  'contact/relay/mails.http.ts: email': never('of a finder without account: on no page'),
  'sightings/sightings.http.ts: cursor': QUERY,
  'sightings/sightings.http.ts: action': CHOICE,
  'nearby/home-zone/home-zone.ts: zone': never(
    'the gazetteer’s name is stored; an unknown text is in the address of its member’s form',
  ),
  ...each('nearby/home-zone/home-zone.ts', CHOICE, 'alert', 'digest'),
  'riddle/guess-input.ts: breed': COMPARED,
  ...each('riddle/round/round-input.ts', CHOICE, 'answer', 'level'),
  'comments/comments.http.ts: content': shown('comment'),
  'comments/comments.http.ts: member': COMPARED,
  ...each('comments/comments.http.ts', QUERY, 'cursor', 'limit'),
  ...each('dogs/write/dog-input.ts', shown, 'name', 'breed', 'zone'),
  ...each(
    'dogs/write/dog-input.ts',
    CHOICE,
    'age',
    'age_unit',
    'weight',
    'size',
    'is_adopted',
    'relationship',
    'frame',
  ),
  'dogs/write/dog-input.ts: alts': shown('alt'),
  ...each('dogs/list/dog-query.ts', QUERY, 'breed', 'size', 'sort', 'cursor', 'limit'),
  'dogs/dogs.http.ts: ownershipType': CHOICE,
  'dogs/dogs.http.ts: token': COMPARED,
  'dogs/ownership/ownership.ts: accept': CHOICE,
  ...each('likes/likes.http.ts', QUERY, 'cursor', 'limit', 'dogs'),
  ...each('map/map-query.ts', QUERY, 'bbox', 'view', 'zoom', 'breed', 'size', 'sort', 'cursor', 'limit'),
  'moderation/proof-of-work/proof-of-work.http.ts: for': CHOICE,
  'notifications/notifications.http.ts: is_read': CHOICE,
  ...each('notifications/push/push-input.ts', DEVICE, 'endpoint', 'keys', 'p256dh', 'auth'),
  ...each('notifications/push/settings.ts', CHOICE, 'quiet', 'time_zone', 'from', 'to'),
  ...each('opendata/datasets.ts', QUERY, 'raza', 'provincia', 'cursor', 'formato'),
  ...each('opinions/opinions.ts', CHOICE, 'breed', 'asked'),
  'opinions/opinions.ts: reason': shown('opinion'),
  'places/places.http.ts: q': QUERY,
  ...each('profiles/profile.http.ts', shown, 'alias', 'emoji'),
  ...each('reports/decisions/decisions.ts', CHOICE, 'deed', 'days'),
  'reports/decisions/decisions.ts: reason': shown('note', 'warn', 'ban', 'hide'),
  ...each('reports/decisions/decisions.ts', COMPARED, 'version', 'member'),
  'reports/decisions/decisions.ts: text': shown('appeal'),
  ...each('reports/reports.ts', CHOICE, 'kind', 'reason'),
  'reports/reports.ts: id': COMPARED,
  'reports/reports.ts: words': shown('words'),
  ...each('dogs/write/dog-input.ts', shown, ...FREE_TEXT_NAMES),
  ...each('notifications/push/settings.ts', CHOICE, ...SWITCH_NAMES),
}

export const SHOWN_MARKS: readonly string[] = [
  ...LOST_MARKS,
  ...Object.values(FIELD_USES).flatMap((fate) => ('shown' in fate ? fate.shown : [])),
]

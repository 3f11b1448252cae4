import type { SchemaField } from './schema-fields.ts'

/** What becomes of a field's text: the marks under which tests/browser/security/stored-xss looks for it, or why nobody sees it. */
type FieldUse = { shown: readonly string[] } | { never: string }

const shown = (...marks: string[]): FieldUse => ({ shown: marks })
const never = (why: string): FieldUse => ({ never: why })
const CHOICE = never('one of a few words, or a number: anything else is refused')
const QUERY = never('stored nowhere; it is in the address of a page')
const COMPARED = never('compared with known values, stored nowhere')
const DEVICE = never('of a device: goes to its push service, on no page')

/** Every field of every schema. A new one stands here before its test passes, and a shown one is really seen there. */
export const FIELD_USES: Record<SchemaField, FieldUse> = {
  'account/account.ts: dogs': CHOICE,
  'account/account.ts: alias': COMPARED,
  'account/notification-preferences.ts: digest': CHOICE,
  'admin/admin.ts: verified': CHOICE,
  'admin/admin.ts: content': shown('word'),
  'auth/sign-in/sign-in-input.ts: email': shown('email'),
  'auth/sign-in/sign-in-input.ts: code': COMPARED,
  'auth/sign-in/sign-in-input.ts: token': COMPARED,
  'breeds/edit.ts: nombre_castellano': shown('nombre_castellano'),
  'breeds/edit.ts: nombre_original': shown('nombre_original'),
  'breeds/edit.ts: temperamento': shown('temperamento'),
  'breeds/edit.ts: pelaje': shown('pelaje'),
  'breeds/edit.ts: pais_origen': shown('pais_origen'),
  'breeds/edit.ts: proposito_original': shown('proposito_original'),
  'comments/comments.http.ts: content': shown('comment'),
  'comments/comments.http.ts: cursor': QUERY,
  'comments/comments.http.ts: limit': QUERY,
  'dogs/write/dog-input.ts: name': shown('name'),
  'dogs/write/dog-input.ts: breed': shown('breed'),
  'dogs/write/dog-input.ts: age': CHOICE,
  'dogs/write/dog-input.ts: age_unit': CHOICE,
  'dogs/write/dog-input.ts: weight': CHOICE,
  'dogs/write/dog-input.ts: size': CHOICE,
  'dogs/write/dog-input.ts: zone': shown('zone'),
  'dogs/write/dog-input.ts: is_adopted': CHOICE,
  'dogs/write/dog-input.ts: description': shown('description'),
  'dogs/write/dog-input.ts: relationship': CHOICE,
  'dogs/write/dog-input.ts: alts': shown('alt'),
  'dogs/list/dog-query.ts: breed': QUERY,
  'dogs/list/dog-query.ts: size': QUERY,
  'dogs/list/dog-query.ts: sort': QUERY,
  'dogs/list/dog-query.ts: cursor': QUERY,
  'dogs/list/dog-query.ts: limit': QUERY,
  'dogs/dogs.http.ts: ownershipType': CHOICE,
  'dogs/dogs.http.ts: token': COMPARED,
  'dogs/ownership/ownership.ts: accept': CHOICE,
  'likes/likes.http.ts: cursor': QUERY,
  'likes/likes.http.ts: limit': QUERY,
  'likes/likes.http.ts: dogs': QUERY,
  'map/map-query.ts: bbox': QUERY,
  'map/map-query.ts: view': QUERY,
  'map/map-query.ts: zoom': QUERY,
  'map/map-query.ts: breed': QUERY,
  'map/map-query.ts: size': QUERY,
  'map/map-query.ts: sort': QUERY,
  'map/map-query.ts: cursor': QUERY,
  'map/map-query.ts: limit': QUERY,
  'notifications/notifications.http.ts: is_read': CHOICE,
  'notifications/push/push-input.ts: endpoint': DEVICE,
  'notifications/push/push-input.ts: keys': DEVICE,
  'notifications/push/push-input.ts: p256dh': DEVICE,
  'notifications/push/push-input.ts: auth': DEVICE,
  'notifications/push/settings.ts: likes': CHOICE,
  'notifications/push/settings.ts: comments': CHOICE,
  'notifications/push/settings.ts: others': CHOICE,
  'notifications/push/settings.ts: quiet': CHOICE,
  'notifications/push/settings.ts: time_zone': CHOICE,
  'notifications/push/settings.ts: from': CHOICE,
  'notifications/push/settings.ts: to': CHOICE,
  'opendata/datasets.ts: raza': QUERY,
  'opendata/datasets.ts: provincia': QUERY,
  'opendata/datasets.ts: cursor': QUERY,
  'places/places.http.ts: q': QUERY,
  'profiles/profile.http.ts: alias': shown('alias'),
  'profiles/profile.http.ts: emoji': shown('emoji'),
  'reports/decisions/decisions.ts: deed': CHOICE,
  'reports/decisions/decisions.ts: reason': shown('note', 'warn', 'ban', 'hide'),
  'reports/decisions/decisions.ts: days': CHOICE,
  'reports/decisions/decisions.ts: version': COMPARED,
  'reports/decisions/decisions.ts: member': COMPARED,
  'reports/decisions/decisions.ts: text': shown('appeal'),
  'reports/reports.ts: kind': CHOICE,
  'reports/reports.ts: id': COMPARED,
  'reports/reports.ts: reason': CHOICE,
  'reports/reports.ts: words': shown('words'),
}

export const SHOWN_MARKS: readonly string[] = Object.values(FIELD_USES).flatMap((fate) =>
  'shown' in fate ? fate.shown : [],
)

import type { SchemaField } from './schema-fields.ts'

/** What becomes of a field's text: the marks under which tests/browser/stored-scripts looks for it, or why nobody sees it. */
type Fate = { shown: readonly string[] } | { never: string }

const shown = (...marks: string[]): Fate => ({ shown: marks })
const never = (why: string): Fate => ({ never: why })
const choice = never('one of a few words, or a number: anything else is refused')
const query = never('kept nowhere; in an address every page is asked for')
const compared = never('compared with what is known, kept nowhere')
const device = never('of a device: goes to its push service, on no page')

/** Every field of every schema. A new one stands here before its test passes, and a shown one is really seen there. */
export const FIELDS: Record<SchemaField, Fate> = {
  'account/account-data.ts: dogs': choice,
  'account/account-data.ts: alias': compared,
  'account/notices.ts: digest': choice,
  'admin/admin.ts: verified': choice,
  'admin/admin.ts: content': shown('word'),
  'auth/sign-in-input.ts: email': shown('email'),
  'auth/sign-in-input.ts: code': compared,
  'auth/sign-in-input.ts: token': compared,
  'breeds/edit.ts: nombre_castellano': shown('nombre_castellano'),
  'breeds/edit.ts: nombre_original': shown('nombre_original'),
  'breeds/edit.ts: temperamento': shown('temperamento'),
  'breeds/edit.ts: pelaje': shown('pelaje'),
  'breeds/edit.ts: pais_origen': shown('pais_origen'),
  'breeds/edit.ts: proposito_original': shown('proposito_original'),
  'comments/comments.http.ts: content': shown('comment'),
  'comments/comments.http.ts: cursor': query,
  'comments/comments.http.ts: limit': query,
  'dogs/dogInput.ts: name': shown('name'),
  'dogs/dogInput.ts: breed': shown('breed'),
  'dogs/dogInput.ts: age': choice,
  'dogs/dogInput.ts: age_unit': choice,
  'dogs/dogInput.ts: weight': choice,
  'dogs/dogInput.ts: size': choice,
  'dogs/dogInput.ts: zone': shown('zone'),
  'dogs/dogInput.ts: is_adopted': choice,
  'dogs/dogInput.ts: description': shown('description'),
  'dogs/dogInput.ts: relationship': choice,
  'dogs/dogInput.ts: alts': shown('alt'),
  'dogs/dogQuery.ts: breed': query,
  'dogs/dogQuery.ts: size': query,
  'dogs/dogQuery.ts: sort': query,
  'dogs/dogQuery.ts: cursor': query,
  'dogs/dogQuery.ts: limit': query,
  'dogs/dogs.http.ts: ownershipType': choice,
  'dogs/dogs.http.ts: token': compared,
  'dogs/ownership.ts: accept': choice,
  'likes/likes.http.ts: cursor': query,
  'likes/likes.http.ts: limit': query,
  'likes/likes.http.ts: dogs': query,
  'map/mapQuery.ts: bbox': query,
  'map/mapQuery.ts: view': query,
  'map/mapQuery.ts: zoom': query,
  'map/mapQuery.ts: breed': query,
  'map/mapQuery.ts: size': query,
  'map/mapQuery.ts: cursor': query,
  'map/mapQuery.ts: limit': query,
  'notifications/notifications.http.ts: is_read': choice,
  'notifications/push/push-input.ts: endpoint': device,
  'notifications/push/push-input.ts: keys': device,
  'notifications/push/push-input.ts: p256dh': device,
  'notifications/push/push-input.ts: auth': device,
  'notifications/push/settings.ts: likes': choice,
  'notifications/push/settings.ts: comments': choice,
  'notifications/push/settings.ts: others': choice,
  'notifications/push/settings.ts: quiet': choice,
  'notifications/push/settings.ts: time_zone': choice,
  'notifications/push/settings.ts: from': choice,
  'notifications/push/settings.ts: to': choice,
  'opendata/datos.ts: raza': query,
  'opendata/datos.ts: provincia': query,
  'opendata/datos.ts: cursor': query,
  'places/places.http.ts: q': query,
  'profiles/profile.http.ts: alias': shown('alias'),
  'profiles/profile.http.ts: emoji': shown('emoji'),
  'reports/decisions.ts: deed': choice,
  'reports/decisions.ts: reason': shown('note', 'warn', 'ban', 'hide'),
  'reports/decisions.ts: days': choice,
  'reports/decisions.ts: text': shown('appeal'),
  'reports/reports.ts: kind': choice,
  'reports/reports.ts: id': compared,
  'reports/reports.ts: reason': choice,
  'reports/reports.ts: words': shown('words'),
}

export const MARKS: readonly string[] = Object.values(FIELDS).flatMap((fate) => ('shown' in fate ? fate.shown : []))

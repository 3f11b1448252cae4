const ID = 'an id, made by us'
const CHOICE = 'one of a few words of ours'
const HASH = 'a hash, or a secret made by us'
const PICTURE = 'of a photo: deleted with its sighting'

/** Columns of text of sightings (columns.ts). */
export const SIGHTING_COLUMNS = {
  'sightings.id': ID,
  'sightings.case_id': ID,
  'sightings.member_id': ID,
  'sightings.network': HASH,
  'sightings.request_key': HASH,
  'sightings.secret_hash': HASH,
  'sightings.zone': 'a name of the gazetteer, never what was typed',
  'sightings.words': ['sighting'] as const,
  'sightings.warning': CHOICE,
  'sightings.state': CHOICE,
  'sighting_keys.key': HASH,
  'sighting_photos.sighting_id': ID,
  'sighting_photos.data': PICTURE,
  'sighting_refusals.sighting_id': ID,
  'sighting_refusals.owner_id': ID,
  'sighting_refusals.network': HASH,
  'sighting_refusals.owner_network': HASH,
  'sighting_refusals.member_id': ID,
}

import { madridYear } from '#features/years/years.ts'

/** A year that can be looked back on whatever the day. */
const LAST_YEAR = String(madridYear(Date.now()) - 1)

/** What stands in brackets in an address, by what stands before it: `[id]` is a dog's in /api/dogs/[id]/comments. */
const PARAM_VALUES: Record<string, string> = {
  '/': '{breedPath}',
  '[breed]': '{dogPath}',
  api: 'nada',
  auth: 'github',
  blocks: '{owner}',
  cases: '{case}',
  comments: '{comment}',
  comunidad: LAST_YEAR,
  cromo: '{dog}',
  decisions: '{decision}',
  dibujos: 'beagle-altura',
  dogs: '{dog}',
  follows: 'breed',
  foto: 'beagle',
  fragments: 'nada',
  'held-photos': '{heldPhoto}',
  members: '{owner}',
  mensajes: '{thread}',
  messages: '{thread}',
  notifications: '{notification}',
  ownership: '{other}',
  passkeys: '{passkey}',
  p: '{lostCode}',
  perdidos: '{dog}',
  sightings: '{sighting}',
  found: '{notice}',
  encontrados: '{notice}',
  perfil: LAST_YEAR,
  perro: '{dog}',
  providers: 'github',
  razas: 'beagle',
  '[tipo]': '6',
  reto: '2026-11-03',
  ronda: '{round}',
  '[ronda]': '1',
  retratos: 'beagle',
  sessions: '{session}',
  sitemap: 'perros',
  tarjetas: 'perro',
  '[fecha]': 'nadie',
  '[kind]': '{dog}',
  usuario: '{owner}',
  '[year]': 'portada',
  years: LAST_YEAR,
}

/**
 * The address with something that is there in place of every bracket.
 * @param path as the file of src/pages spells it: `/api/dogs/[id]/like`
 * @throws for a bracket that nothing above stands for: a new address names its own
 */
export function fillParams(path: string): string {
  const segments = path.split('/')
  return segments
    .map((segment, at) =>
      segment.replace(/\[[\w.]+\]/, (bracket) => {
        const before = at === 1 ? '/' : segments[at - 1]!
        const value = PARAM_VALUES[before]
        if (value === undefined)
          throw new Error(`tests/support/malformed/path-params.ts: what is ${bracket} after ${before}?`)
        return value
      }),
    )
    .join('/')
}

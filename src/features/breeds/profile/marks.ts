import type { Breed } from '../breeds.ts'
import { dangerousDogStatus, regionsListing } from './law.ts'

/** What a card says of a breed before anyone chooses it: what the law asks (law.ts), a flat face (`hocico` of data/razas.json). */
export function breedMark({ slug, hocico }: Pick<Breed, 'hocico'> & { slug: string }): string {
  const status = dangerousDogStatus(slug)
  const isMaybe = status === 'often-included' || regionsListing(slug).length > 0
  const law = status === 'listed' ? 'Licencia PPP' : isMaybe ? '¿Licencia?' : ''
  return [law, hocico === 'chata' ? 'Hocico chato' : ''].filter(Boolean).join(' · ')
}

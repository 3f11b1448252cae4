import type { CardDog } from '../card/card-dog.ts'
import type { BreedOption } from './FilterBar.tsx'

/** The first page of the list, as its markup shows it. */
export interface RenderedList {
  dogs: CardDog[]
  nextCursor: string | null
  /** Ids of its dogs that the viewer likes. */
  liked: string[]
  /** The breeds of the filter. */
  breeds: BreedOption[]
}

/** The same on the server, with each dog's card rendered (ui/react-html.ts). */
export interface ServerList extends RenderedList {
  cards: string[]
}

/**
 * What a kept page was made of, by name. A page lists what it shows; a change of a row drops the pages that list what it
 * touches (changes.ts). A like touches its dog and what counts likes, so that it empties neither the album nor a breed.
 */
export const tag = {
  /** Which dogs there are, and anything of any of them that is no count: names, breeds, addresses, photos. */
  dogs: 'dogs',
  /** One dog with its counts, photos and comments. */
  dog: (id: string) => `dog:${id}`,
  /** The dogs of one breed: which they are, and how many. */
  breed: (slug: string) => `breed:${slug}`,
  /** How many likes the dogs have: lists in that order. */
  votes: 'votes',
  /** Which members there are, and how they call themselves. */
  members: 'members',
  /** The figures of one member: dogs, breeds, likes given. */
  member: (id: string) => `member:${id}`,
  /** The figures of any member: the ranking. */
  ranking: 'ranking',
  /** What the catalogue says of any breed, and the operator's photos of them. */
  breeds: 'breeds',
} as const

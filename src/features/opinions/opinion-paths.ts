import { paths } from '#lib/paths.ts'

/** Addresses of opinions. A file of its own, since every page's script loads `paths`. */
export const opinionPaths = {
  /** What members think of a dog's breed, with the form. @param query outcome of the last attempt, or where the list goes on */
  list: (dogId: string, query: Record<string, string> = {}) => {
    const path = `${paths.dogById(dogId)}/opiniones`
    return Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path
  },
  /** The question on the dog's page. @param status the error of the last attempt */
  ofDog: (dogPath: string, status?: number) => `${dogPath}${status ? `?opiniones=${status}` : ''}#opiniones`,
  /** The members' opinions. */
  give: (dogId: string) => `${paths.api.dog(dogId)}/opinions`,
  /** Opens and closes the question. */
  request: (dogId: string) => `${paths.api.dog(dogId)}/opinions/request`,
}

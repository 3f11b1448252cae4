/** What the program hands to every request (App.Locals in src/env.d.ts says what each is). */
export type Handed = Pick<App.Locals, 'db' | 'map' | 'pushKey' | 'policy'>

let handed: Handed | undefined

/** From here on requests are given these; undefined once the program has closed them. */
export const handToRequests = (services: Handed | undefined): void => void (handed = services)

/** For src/middleware.ts alone: everybody else finds them in `locals`. @throws before the program has opened them */
export function servicesOfRequest(): Handed {
  if (!handed) throw new Error('The services are not open: openServices() comes first')
  return handed
}

/** The services that every request gets (described in App.Locals, src/env.d.ts). */
export type RequestServices = Pick<App.Locals, 'db' | 'map' | 'mailQueue' | 'pushKey' | 'policy'>

let provided: RequestServices | undefined

/** Sets the services that requests get; undefined once the program has closed them. */
export const provideToRequests = (services: RequestServices | undefined): void => void (provided = services)

/** For src/middleware.ts only: pages and endpoints find them in `locals`. @throws before the program has opened them */
export function getRequestServices(): RequestServices {
  if (!provided) throw new Error('The services are not open: openServices() comes first')
  return provided
}

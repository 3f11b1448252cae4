import { problem } from '#server/problem.ts'

/** Lost API calls get an API answer; without this, `/[breed]/[dog]` would answer `/api/anything` with a page. */
export const ALL = () => problem(404, 'No existe esta dirección de la API.')

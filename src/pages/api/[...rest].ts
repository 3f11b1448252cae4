import { problem } from '#server/problem.ts'

/** Unknown API addresses get problem+json; without this, `/[breed]/[dog]` would answer `/api/anything` with a page. */
export const ALL = () => problem(404, 'No existe esta dirección de la API.')

/** Unknown fragments have an empty body, so that htmx never swaps a whole page into a widget. */
export const GET = () => new Response('', { status: 404 })

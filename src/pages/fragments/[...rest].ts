/** Unknown fragments have an empty body, so that htmx never swaps a whole page into a widget. */
export const ALL = () => new Response('', { status: 404 })

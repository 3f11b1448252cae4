/** Lost fragments answer bare, so that htmx never swaps a whole page into a widget. */
export const ALL = () => new Response('', { status: 404 })

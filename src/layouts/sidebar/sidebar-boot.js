// Runs before the first paint on pages that are the same for everyone: the server could not apply the cookie. A file of its own, so
// that no inline script is needed.
if (/(^|; )perrario-sidebar=closed(;|$)/.test(document.cookie)) document.documentElement.dataset.sidebar = 'closed'

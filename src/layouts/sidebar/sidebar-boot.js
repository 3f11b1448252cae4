// Runs before the first paint on pages that are the same for everyone (prerendered, cached): the server could not read
// the cookie into them. Served as it is, so that it needs no inline script.
if (/(^|; )perrario-sidebar=closed(;|$)/.test(document.cookie)) document.documentElement.dataset.sidebar = 'closed'

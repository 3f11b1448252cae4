/** The cookie that remembers the sidebar: `closed` while collapsed, for 7 days (docs/product.md §3.1). */
export const SIDEBAR_COOKIE = 'perrario-sidebar'
export const SIDEBAR_DAYS = 7

/** Toggles the sidebar together with ⌘ or Ctrl. */
export const SIDEBAR_KEY = 'b'

/** Where the sidebar is a drawer: on phones, upright and on their side (layouts/sidebar/sidebar.css). */
export const DRAWER_MEDIA = '(max-width: 768px), (max-height: 500px)'

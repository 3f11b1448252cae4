import { throttleRefresh } from '#lib/throttled-refresh.client.ts'
import { refreshParts } from '#ui/refresh.client.ts'

// The member's own profile: card and tabs count the likes that the member gives (docs/product.md §9.2). A dog whose like is
// taken back stays listed, so that the like can be given again.

/** `data-refresh` of ProfileCard.astro and ProfileTabs.astro. */
const PARTS = ['carnet', 'partes']

const refreshCounts = throttleRefresh(() => refreshParts(PARTS))
window.addEventListener('perrario:liked', (event) => {
  const { userId } = (event as CustomEvent<{ userId: string }>).detail
  // Empty after a resync: the member's likes may have changed as well.
  if (userId === '' || userId === document.body.dataset.member) refreshCounts()
})

import { inBackground } from '#lib/background.client.ts'
import { NEXT_PAGE_TOAST_KEY } from '#ui/toast/next-page-key.ts'
import { firstInteraction } from './first-interaction.client.ts'

// Toasts come with the first sign of somebody, so that their live regions stand before anything is said in them; at once
// where the page before left one to be shown here.
const loadToasts = () => inBackground(import('#ui/toast/toast.client.ts'))

if (sessionStorage.getItem(NEXT_PAGE_TOAST_KEY)) loadToasts()
else void firstInteraction.then(loadToasts)

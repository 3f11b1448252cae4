import { inBackground } from '#lib/background.client.ts'
import { TOAST_LATER } from '#ui/toast-later.ts'
import { interest } from './interest.client.ts'

// Toasts come with the first sign of somebody, so that their live regions stand before anything is said in them; at once
// where the page before left one to be shown here.
const bring = () => inBackground(import('#ui/toast.client.ts'))

if (sessionStorage.getItem(TOAST_LATER)) bring()
else void interest.then(bring)

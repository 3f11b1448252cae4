import { inBackground } from '#lib/background.client.ts'

// The dog form's frame, shown at the tap, comes in a file of its own once the page is there.
const bringFrame = () => inBackground(import('#features/dogs/form/frame.client.ts'))

if (document.readyState === 'complete') bringFrame()
else addEventListener('load', bringFrame, { once: true })

import { inBackground } from '#lib/background.client.ts'

// The dog form's frame, shown at the tap, comes in a file of its own once the page is there.
const loadFormFrame = () => inBackground(import('#features/dogs/form/loading-frame.client.ts'))

if (document.readyState === 'complete') loadFormFrame()
else addEventListener('load', loadFormFrame, { once: true })

// The dog form's frame, shown at the tap, comes in a file of its own once the page is there.
const later = () => import('#features/dogs/form/frame.client.ts')

if (document.readyState === 'complete') void later()
else addEventListener('load', later, { once: true })

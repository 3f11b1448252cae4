// Installing and working offline: a few bytes here, the rest in files of their own, loaded once the page is there.
const later = () => import('#features/pwa/pwa.client.ts')

if (document.readyState === 'complete') void later()
else addEventListener('load', later, { once: true })
// The browser offers installation once, perhaps before anything else has come.
addEventListener('beforeinstallprompt', async (event) => {
  event.preventDefault()
  const { offer } = await import('#features/pwa/install.client.ts')
  offer(event)
})

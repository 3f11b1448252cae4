import { formatRelative } from '#lib/dates.ts'
import { loadStylesheet } from '#ui/stylesheet.client.ts'
import styles from './cached-notice.css?url'

/** A line at the page's top that says that it is a copy and how old, until the network is back. */
export async function showCachedNotice(since: number): Promise<void> {
  if (document.querySelector('.cached-notice')) return
  const notice = document.createElement('p')
  notice.className = 'cached-notice'
  notice.setAttribute('role', 'status')
  await loadStylesheet(styles)
  document.querySelector('main')?.prepend(notice)
  notice.textContent = `Sin conexión. Ves una copia guardada ${formatRelative(since, Date.now())}.`
  addEventListener('online', () => notice.remove(), { once: true })
}

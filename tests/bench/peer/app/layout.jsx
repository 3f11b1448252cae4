import { cookies } from 'next/headers'
import { Sidebar } from '../components/Sidebar.jsx'
import { TabBar } from '../components/TabBar.jsx'
import './globals.css'

export const metadata = {
  metadataBase: new URL('http://localhost'),
  openGraph: { siteName: 'Perrario', locale: 'es_ES', type: 'website' },
  manifest: '/manifest.webmanifest',
  icons: { icon: [{ url: '/favicon.svg', type: 'image/svg+xml' }], apple: '/apple-touch-icon.png' },
}

export const viewport = {
  viewportFit: 'cover',
  interactiveWidget: 'resizes-content',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fdf6e9' },
    { media: '(prefers-color-scheme: dark)', color: '#1f1710' },
  ],
}

export default async function RootLayout({ children }) {
  const closed = (await cookies()).get('perrario-sidebar')?.value === 'closed'
  return (
    <html lang="es" data-sidebar={closed ? 'closed' : undefined}>
      <body>
        <a className="btn skip" href="#contenido">
          Saltar al contenido
        </a>
        <div className="app">
          <Sidebar />
          <div className="stage">{children}</div>
        </div>
        <noscript>
          <p className="panel noscript">
            Para añadir o editar un perro hace falta JavaScript, que prepara las fotos en tu dispositivo. El resto de
            Perrario funciona sin él.
          </p>
        </noscript>
        <TabBar />
      </body>
    </html>
  )
}

import { LogIn, PanelLeft } from 'lucide-react'
import Link from 'next/link'
import { AddDog } from './AddDog.jsx'
import { PLACES } from './places.jsx'
import { SoundSwitch } from './SoundSwitch.jsx'

export function Sidebar() {
  return (
    <aside className="side" id="side" popover="auto" aria-label="Menú">
      <div className="side-top">
        <Link className="brand" href="/">
          Perrario
          <i />
        </Link>
        <button
          className="btn icon ghost desk-only"
          type="button"
          aria-controls="side"
          aria-label="Mostrar u ocultar el menú"
          aria-keyshortcuts="Control+B Meta+B"
          data-tooltip="Menú (Ctrl+B)"
        >
          <PanelLeft aria-hidden="true" />
        </button>
      </div>
      <nav aria-labelledby="side-places">
        <p className="side-title" id="side-places">
          Navegación
        </p>
        {PLACES.map(({ href, label, icon, current }) => (
          <Link key={href} href={href} aria-current={current} data-tooltip={label}>
            {icon}
            <span className="word">{label}</span>
          </Link>
        ))}
      </nav>
      <p className="side-title">Acciones</p>
      <AddDog className="btn pri" label="Añadir perro" />
      <div className="me">
        <div className="out">
          <Link href="/login" data-tooltip="Iniciar sesión" aria-label="Iniciar sesión">
            <LogIn aria-hidden="true" />
            <span className="word">Iniciar sesión</span>
          </Link>
          <SoundSwitch />
          <span className="version">v1.0</span>
        </div>
      </div>
    </aside>
  )
}

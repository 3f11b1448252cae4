import Link from 'next/link'
import { joinText } from '../lib/texts.js'

export function JoinBanner({ profiles }) {
  return (
    <aside className="join-banner" aria-label="Únete">
      <span className="join-art" aria-hidden="true">
        <img src="/toby.svg" alt="" width={46} height={46} />
        <img src="/luna.svg" alt="" width={46} height={46} />
      </span>
      <div className="grow">
        <p className="join-title">Sé de los primeros</p>
        <p className="soft">{joinText(profiles)}</p>
      </div>
      <Link className="btn" href="/login">
        Únete gratis
      </Link>
    </aside>
  )
}

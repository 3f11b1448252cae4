import { BookOpen, PawPrint, Trophy } from 'lucide-react'

export const PLACES = [
  { href: '/perros', label: 'Perros', icon: <PawPrint aria-hidden="true" />, current: 'true' },
  { href: '/razas', label: 'Razas', icon: <BookOpen aria-hidden="true" /> },
  { href: '/comunidad', label: 'Comunidad', icon: <Trophy aria-hidden="true" /> },
  {
    href: '/perfil',
    label: 'Mi perfil',
    icon: (
      <span className="emo" aria-hidden="true">
        🐶
      </span>
    ),
  },
]

import type { ManifestOptions } from 'vite-plugin-pwa'
import { paths } from '#lib/paths.ts'

const icon = (src: string, size: number, purpose = 'any') => ({
  src,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

/** The web app manifest, `/manifest.webmanifest`. The icons are rendered by scripts/icons.ts. */
export const manifest = {
  id: '/',
  name: 'Perrario, el álbum de los perros',
  short_name: 'Perrario',
  description: 'Registra perros con fotos, colecciona razas como cromos y descubre los de la comunidad.',
  lang: 'es',
  dir: 'ltr',
  start_url: paths.dogs,
  scope: '/',
  display: 'standalone',
  background_color: '#fdf6e9',
  theme_color: '#fdf6e9',
  categories: ['social', 'lifestyle', 'photo'],
  icons: [
    icon('/icon-192.png', 192),
    icon('/icon-512.png', 512),
    icon('/icon-maskable-192.png', 192, 'maskable'),
    icon('/icon-maskable-512.png', 512, 'maskable'),
    icon('/icon-monochrome-512.png', 512, 'monochrome'),
  ],
  shortcuts: [
    { name: 'Añadir perro', url: paths.addDog, icons: [icon('/shortcut-add.png', 96)] },
    { name: 'Álbum', url: paths.breeds, icons: [icon('/shortcut-album.png', 96)] },
  ],
  share_target: {
    action: paths.share,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: 'titulo',
      text: 'texto',
      files: [{ name: 'fotos', accept: ['image/*', '.heic', '.heif', '.mpo'] }],
    },
  },
} satisfies Partial<ManifestOptions>

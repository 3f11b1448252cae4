/** First segments that are no breed: folders and files of src/pages (tests/unit/app/page-cache/address compares them). */
export const RESERVED_SEGMENTS = new Set(
  `404 500 admin api baja breed-mappings.json buscar compartir comunidad datos denunciar deshacer dibujos dogs-geo.json encontrados fragments healthz index insignias login me-falta mensajes no-he-sido-yo notificaciones
  novedades.atom opensearch.xml p perdidos perdidos.atom perfil perro perros privacidad purina-images.json razas razas-final.json recuperar retratos reto reverse-breed-mappings.json
  robots.txt sin-conexion sitemap sitemap.xml tarjetas terminos usuario zonas.json`.split(/\s+/),
)

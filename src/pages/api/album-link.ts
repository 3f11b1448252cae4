export { deleteAlbumLink as DELETE, makeAlbumLink as POST } from '#features/profiles/album-link/album-link.http.ts'

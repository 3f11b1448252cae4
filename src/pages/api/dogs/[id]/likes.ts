export { getLikers as GET } from '#features/likes/likes.http.ts'

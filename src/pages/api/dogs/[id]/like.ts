export { add as PUT, remove as DELETE } from '#features/likes/likes.http.ts'

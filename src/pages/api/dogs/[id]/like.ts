export { likeDog as PUT, unlikeDog as DELETE } from '#features/likes/likes.http.ts'

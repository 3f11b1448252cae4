export { listMyLikes as GET } from '#features/likes/likes.http.ts'

export { likers as GET } from '#features/likes/likes.http.ts'

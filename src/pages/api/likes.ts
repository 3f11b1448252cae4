export { mine as GET } from '#features/likes/likes.http.ts'

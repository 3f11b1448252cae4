export { add as POST, list as GET } from '#features/comments/comments.http.ts'

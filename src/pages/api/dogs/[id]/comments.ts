export { createComment as POST, getComments as GET } from '#features/comments/comments.http.ts'

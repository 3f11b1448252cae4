export { removeComment as DELETE } from '#features/comments/comments.http.ts'

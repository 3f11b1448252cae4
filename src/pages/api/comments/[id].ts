export { remove as DELETE } from '#features/comments/comments.http.ts'

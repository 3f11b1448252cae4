export { createLink as POST, deleteLink as DELETE } from '#features/years/years.http.ts'

export { createNotice as POST } from '#features/found/found.http.ts'

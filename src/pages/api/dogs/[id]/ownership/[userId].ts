export { answer as POST } from '#features/dogs/ownership.http.ts'

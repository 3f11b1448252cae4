export { request as POST, withdraw as DELETE } from '#features/dogs/ownership/ownership.http.ts'

export { ask as POST, withdraw as DELETE } from '#features/dogs/ownership.http.ts'

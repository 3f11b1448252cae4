export { createOwnershipRequest as POST, withdrawRequest as DELETE } from '#features/dogs/ownership/ownership.http.ts'

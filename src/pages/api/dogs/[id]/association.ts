export { associateDog as POST } from '#features/dogs/dogs.http.ts'

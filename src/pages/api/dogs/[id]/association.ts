export { associate as POST } from '#features/dogs/dogs.http.ts'

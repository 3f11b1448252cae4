export { add as POST, list as GET } from '#features/dogs/dogs.http.ts'
